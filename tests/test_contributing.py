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


def test_english_words_suffice_for_a_still_and_for_nothing_else(house, tmp_path):
    english = Path(shutil.copytree(house, tmp_path / "english"))
    (english / "scenes/act05_cache/zh.yaml").unlink()
    tiny = ["--quality", "tiny", "--out", tmp_path / "out"]
    still, clip, film, chinese = calls(
        english, ["act05", "--still", "block-table", *tiny],
        ["act05", "--beat", "block-table", *tiny], ["act05", *tiny],
        ["act05", "--still", "block-table", "--lang", "zh", *tiny])
    assert still[0] == 0, still
    assert (tmp_path / "out/act05-block-table.png").is_file()
    assert {clip[0], film[0], chinese[0]} == {1}
    lacks = "render.py: scenes/act05_cache/zh.yaml: missing; act05 has no words in 'zh'"
    assert chinese[2].strip() == lacks
    assert clip[2].strip() == film[2].strip() == f"{lacks}; only a still (--still) does without it"


def test_a_movement_that_lacks_time_says_where(house, tmp_path):
    slow = Path(shutil.copytree(house, tmp_path / "slow"))
    section = slow / "scenes/act05_cache/table.py"
    section.write_text(section.read_text().replace("pace=SLOW", "pace=400"))
    done = call(slow, "act05", "--still", "block-table", "--quality", "tiny", "--out", tmp_path)
    assert done.returncode == 1
    assert "beat block-table, line 1: movements need" in done.stderr
