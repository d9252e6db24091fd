"""CONTRIBUTING.md's own act is built as a newcomer would, and rendered."""

import re
import shutil
from pathlib import Path

import pytest
from PIL import Image
from studio_house import build, call, calls

ROOT = Path(__file__).parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The project with the guide's files in it, and Chinese words made of the English ones."""
    folder = build(tmp_path_factory.mktemp("guide"))
    shutil.copytree(ROOT / "scenes/views", folder / "scenes/views")
    files = re.findall(r"`(scenes/act05_cache/[\w.]+)`.*?```\w+\n(.*?)```", GUIDE, re.S)
    assert len(files) == 4
    assert sum(text.count("\n") for _, text in files) < 100
    for name, text in files:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    words = (folder / "scenes/act05_cache/en.yaml").read_text(encoding="utf-8")
    (folder / "scenes/act05_cache/zh.yaml").write_text(words, encoding="utf-8")
    return folder


def test_the_guides_act_gives_a_still_and_a_clip(house, tmp_path):
    still, clip = calls(house, ["act05", "--still", "block-table", "--quality", "tiny",
                                "--out", tmp_path],
                        ["act05", "--beat", "block-table", "--quality", "tiny", "--out", tmp_path])
    assert (still[0], clip[0]) == (0, 0), (still, clip)
    picture = Image.open(next(tmp_path.glob("act05-block-table.png")))
    assert len(picture.convert("RGB").getcolors(100_000)) > 50
    assert (tmp_path / "act05-block-table.mp4").stat().st_size > 5_000


def test_a_movement_that_lacks_time_says_where(house, tmp_path):
    slow = Path(shutil.copytree(house, tmp_path / "slow"))
    section = slow / "scenes/act05_cache/table.py"
    section.write_text(section.read_text().replace("pace=SLOW", "pace=400"))
    done = call(slow, "act05", "--still", "block-table", "--quality", "tiny", "--out", tmp_path)
    assert done.returncode == 1
    assert "beat block-table, line 1: movements need" in done.stderr
