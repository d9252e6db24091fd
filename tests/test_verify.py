"""`verify` tells everything that differs, and one line of a manifest that is none."""

import json
import shutil

import pytest
from rendered_house import rendered_house
from studio_house import calls

from studio.deliver.verify import Findings


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(rendered_house()[1] / "act01", tmp_path / "act01")


def test_a_whole_result_has_no_fault_and_every_difference_is_told(copied):
    house, _ = rendered_house()
    path = copied / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    files = manifest["files"]
    files.pop("act01.en.srt")
    (copied / "act01.poster.png").unlink()
    (copied / "notes.txt").write_text("mine")
    vtt = copied / "act01.en.vtt"
    vtt.write_text(vtt.read_text().replace("squares", "circles"))
    (copied / "clips/act01-change.mp4").write_bytes(b"no film")
    manifest |= {"parameters": {"count": 5}, "traces": {"sched-b6": "0"}, "size": [1, 1],
                 "ground": "#FFFFFF", "variant": "act09", "sources": "old", "engine": "abc"}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    out = copied.parent
    (whole, _, none), (code, _, errors) = calls(
        house, ["verify", "act01", "--out", rendered_house()[1]],
        ["verify", "act01", "--out", out])
    assert (whole, none, code) == (0, "", 1)
    for words in ("act01.poster.png: missing", "notes.txt: of no render",
                  "does not list act01.en.srt", "act01.en.vtt: changed",
                  "act01.en.vtt: differs from the plan", "act01-change.mp4:",
                  "parameters is", "other traces than today's: sched-b6", "size is [1, 1]",
                  "variant is 'act09'", "act's files have changed since", "engine is 'abc'"):
        assert words in errors, errors
    assert all(line.startswith("render.py: ") for line in errors.splitlines())


@pytest.mark.parametrize("text", ["{}", "[]", "7", "", '{"quality": "hd", "fps": "x", "files": {}}',
                                  '{"quality": [], "fps": "30/1", "files": []}'])
def test_a_manifest_that_is_none_is_one_line(copied, text):
    (copied / "manifest.json").write_text(text)
    (code, out, errors), = calls(rendered_house()[0], ["verify", "act01", "--out", copied.parent])
    assert (code, out, errors.count("\n")) == (1, "", 1)
    assert "manifest.json: damaged" in errors and errors.endswith("render again\n")


def test_a_check_that_stumbles_is_a_fault():
    found = Findings()
    found.look("a.mp4", lambda: 1 / 0)
    found.look("b.mp4", lambda: "fine")
    assert found.held == ["fine"]
    assert found.faults == ["a.mp4: damaged (ZeroDivisionError: division by zero); render again"]
