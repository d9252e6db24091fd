"""The command line and what a render leaves behind, as a user meets them."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from studio_house import BEATS, build, call, calls, command, outlives

from studio.render.own import write_list

WHOLE = {"act01.mp4", "act01.cues.json", "act01.en.vtt", "act01.en.srt", "act01.zh-Hans.vtt",
         "act01.zh-Hans.srt", "act01.poster.png", "act01.transcript.en.md",
         "act01.transcript.zh-Hans.md", "manifest.json",
         *(f"clips/act01-{beat}{end}" for beat in BEATS
           for end in (".mp4", ".first.png", ".last.png"))}
TINY = ("act01", "--quality", "tiny", "--out")


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("house"))


@pytest.fixture(scope="module")
def made(house, tmp_path_factory):
    """(folder of results, what rendering and verifying there gave)."""
    out = tmp_path_factory.mktemp("it's a \"talk\" 演示 #1")
    return out, calls(house, [*TINY, out], ["verify", "act01", "--out", out])


@pytest.fixture
def copied(made, tmp_path):
    return Path(shutil.copytree(made[0], tmp_path / "out"))


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes()
            for p in folder.rglob("*") if p.is_file()}


def leftovers(out: Path) -> list[str]:
    return [p.name for p in (out / ".studio").glob("tmp-*")]


WRONG = [
    (["act99"], ["unknown act 'act99'", "act01"]),
    (["act01", "--quality", "hdd"], ["unknown quality 'hdd'", "hd"]),
    (["act01", "--fps", "25"], ["25", "30, 60"]),
    (["act01", "--lang", "de"], ["unknown language 'de'", "en, zh"]),
    (["act01", "--theme", "drak"], ["unknown theme 'drak'", "dark"]),
    (["act01", "--beat", "chnage"], ["unknown beat", "change"]),
    (["act01", "--still", "openin"], ["unknown beat", "opening"]),
    (["act01", "--set", "cuont=3"], ["unknown parameter 'cuont'", "count"]),
    (["act01", "--set", "count=9"], ["count=9", "int 2..8"]),
    (["act01", "--set", "count"], ["expected name=value"]),
    (["act01", "--qualty", "hd"], ["--quality"]),
    (["act01", "--jobs", "-1"], ["--jobs"]),
    (["verify", "act99"], ["unknown act 'act99'"]),
]


@pytest.fixture(scope="module")
def refusals(house):
    return calls(house, *[arguments for arguments, _ in WRONG])


@pytest.mark.parametrize("case", range(len(WRONG)), ids=lambda k: " ".join(WRONG[k][0]))
def test_wrong_usage_is_named_with_code_2(refusals, case):
    code, output, errors = refusals[case]
    assert (code, output) == (2, "")
    assert all(word in errors for word in WRONG[case][1]), errors


def test_a_refusal_is_one_line_and_draws_nothing(house):
    done = call(house, "act01", "--beat", "chnage")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == ("render.py: unknown beat of act01 'chnage'; "
                           "valid: opening, build-row, change, remember\n")
    assert not (house / "media").exists()


def test_list_and_doctor(house, tmp_path):
    (code, acts, _), (fit, state, _) = calls(house, ["list"], ["doctor", "--out", tmp_path])
    assert code == 0
    assert all(word in acts for word in (*BEATS, "count=4", "int 2..8", "squares"))
    assert fit == 0, state
    assert "libx264" in state


def test_a_render_in_an_odd_path_leaves_the_whole_table_behind(made):
    out, (rendered, verified) = made
    assert rendered[0] == 0, rendered
    assert set(contents(out / "act01")) == WHOLE
    assert not leftovers(out)
    assert str(out.parent).encode() not in b"".join(contents(out / "act01").values())
    sheet = json.loads((out / "act01/act01.cues.json").read_text(encoding="utf-8"))
    assert [beat["name"] for beat in sheet["beats"]] == list(BEATS)
    assert sum(beat["frames"] for beat in sheet["beats"]) == sheet["total_frames"]
    for beat in sheet["beats"]:
        assert sum(line["frames"] for line in beat["lines"]) == beat["frames"]
    (row, fill), cues = sheet["beats"][1]["lines"], sheet["beats"][1]["cues"]
    assert row["start_frame"] < cues["row"] < fill["start_frame"] <= cues["rise"]
    assert verified[0] == 0, verified
    assert f"{sheet['total_frames']} frames at 30" in verified[1]


def test_verify_finds_a_changed_a_missing_and_no_result(house, copied):
    text = (copied / "act01/act01.en.vtt").read_text()
    (copied / "act01/act01.en.vtt").write_text(text.replace("squares", "circles"))
    (copied / "act01/clips/act01-change.mp4").rename(copied / "gone.mp4")
    changed, other = calls(house, ["verify", "act01", "--out", copied],
                           ["verify", "act01", "--theme", "light", "--out", copied])
    assert (changed[0], "act01.en.vtt: changed" in changed[2]) == (1, True)
    assert (other[0], "nothing rendered" in other[2]) == (1, True)
    (copied / "act01/act01.en.vtt").write_text(text)
    missing, = calls(house, ["verify", "act01", "--out", copied])
    assert (missing[0], "act01-change.mp4: missing" in missing[2]) == (1, True)


def test_a_variant_goes_beside_and_a_clip_or_still_alone(house, copied):
    done = calls(house, [*TINY, copied, "--beat", "change"], [*TINY, copied, "--still", "change"],
                 [*TINY, copied, "--lang", "zh", "--theme", "light", "--set", "count=3"])
    assert [code for code, _, _ in done] == [0, 0, 0], done
    variant = "act01.zh.light.count-3"
    assert [Path(text.strip()).name for _, text, _ in done] == [
        "act01-change.mp4", "act01-change.png", variant]
    assert (copied / variant / f"{variant}.mp4").is_file()
    assert set(contents(copied / "act01")) == WHOLE


def start(house, out):
    """A render that takes a while, in a process group of its own, its first beat finished."""
    process = subprocess.Popen(
        command("act01", "--quality", "hd", "--jobs", "1", "--out", out), cwd=house, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while not list(out.glob(".studio/segments/*")):
        assert process.poll() is None and time.monotonic() < deadline, process.stderr.read()
        time.sleep(0.05)
    return process


@pytest.mark.parametrize("kill, code", [
    (signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_render_spoils_nothing_and_the_next_resumes(house, tmp_path, kill, code):
    before = tmp_path / "act01"
    before.mkdir()
    (before / "act01.mp4").write_bytes(b"the previous result")
    write_list(before, "manifest.json")
    whole = contents(before)
    process = start(house, tmp_path)
    (os.kill if kill is signal.SIGKILL else os.killpg)(process.pid, kill)
    errors = process.communicate(timeout=30)[1]
    assert process.returncode == code
    assert contents(before) == whole
    if kill is not signal.SIGKILL:
        assert errors.strip().count("\n") == 0 and "run again to resume" in errors
        assert not leftovers(tmp_path)
    assert not outlives(process.pid), "a worker outlived its parent"
    kept = {p.name: p.stat().st_ino for p in (tmp_path / ".studio/segments").iterdir()}
    clip = call(house, "act01", "--beat", "opening", "--quality", "hd", "--out", tmp_path)
    assert clip.returncode == 0, clip.stderr
    now = {p.name: p.stat().st_ino for p in (tmp_path / ".studio/segments").iterdir()}
    assert now == kept and not leftovers(tmp_path)


def test_a_full_disk_is_one_line_and_leaves_the_old_result(house, copied):
    before = contents(copied / "act01")

    def small_files():  # writing past the limit fails as writing to a full disk does
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    done = call(house, *TINY, copied, "--fps", "60", preexec_fn=small_files)
    assert done.returncode == 1
    assert "no space left" in done.stderr and done.stderr.count("\n") == 1
    assert contents(copied / "act01") == before
    assert not leftovers(copied)


def test_two_renders_at_once_do_not_spoil_each_other(house, tmp_path):
    both = [subprocess.Popen(command(*TINY, tmp_path, "--jobs", "1"), cwd=house,
                             stdout=subprocess.DEVNULL) for _ in range(2)]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    assert set(contents(tmp_path / "act01")) == WHOLE
    assert not leftovers(tmp_path)
    verified, = calls(house, ["verify", "act01", "--out", tmp_path])
    assert verified[0] == 0, verified


def test_a_damaged_segment_heals_and_narration_alone_redraws_nothing(house, tmp_path, copied):
    house = Path(shutil.copytree(house, tmp_path / "house"))
    segments = copied / ".studio/segments"
    whole = {p.name: contents(p) for p in segments.iterdir()}
    victim = next(segments.iterdir()) / "film.mp4"
    victim.write_bytes(victim.read_bytes()[:-200])
    words = house / "scenes/act01_probe/en.yaml"
    words.write_text(words.read_text().replace("{count} squares.", "{count} squares!"))
    done, = calls(house, [*TINY, copied])
    assert done[0] == 0, done
    assert {p.name: contents(p) for p in segments.iterdir()} == whole
    assert "4 squares!" in (copied / "act01/act01.en.vtt").read_text()


def test_a_changed_beat_alone_is_drawn_again(house, tmp_path, copied):
    house = Path(shutil.copytree(house, tmp_path / "house"))
    segments = copied / ".studio/segments"
    before = {p.name for p in segments.iterdir()}
    act = house / "scenes/act01_probe/beats.py"
    act.write_text(act.read_text().replace("Create(line), pace=9", "Create(line), pace=8"))
    same_end, = calls(house, [*TINY, copied])
    assert same_end[0] == 0, same_end
    between = {p.name for p in segments.iterdir()}
    assert len(between - before) == 1  # the beat ends as before: the next one is as it was
    act.write_text(act.read_text().replace("shift(UP)", "shift(DOWN)"))
    other_end, = calls(house, [*TINY, copied])
    assert other_end[0] == 0, other_end
    # the beat, the one that goes on from it, and at most the closing lines after that
    assert 2 <= len({p.name for p in segments.iterdir()} - between) <= 3


def test_damaged_snapshots_heal_and_clean_forgets(house, copied):
    snapshots = copied / ".studio/snapshots"
    for path in snapshots.glob("*.snapshot"):
        path.write_bytes(path.read_bytes()[:-9])
    done, cleaned, again = calls(house, [*TINY, copied, "--beat", "change", "--fps", "60"],
                                 ["clean", "--all", "--out", copied], [*TINY, copied])
    assert (done[0], cleaned[0], again[0]) == (0, 0, 0), (done, cleaned, again)
    assert "MB freed" in cleaned[1]
    assert set(contents(copied / "act01")) == WHOLE
