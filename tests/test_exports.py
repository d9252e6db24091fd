"""GIF, WebM, ProRes master and burned-in subtitles, opened again and looked at."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time

import av
import numpy as np
import pytest
from PIL import Image
from rendered_house import rendered_house
from studio_house import call, calls, command, outlives

from studio.deliver.webm import parts

TINY = ("act01", "--quality", "tiny")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """(folder with all exports, what each call gave, the cue sheet)."""
    house, media = rendered_house()
    out = tmp_path_factory.mktemp("it's, [a] talk: 演示") / "out"
    shutil.copytree(media, out)
    done = calls(house, [*TINY, "--gif", "build-row", "--out", out],
                 [*TINY, "--webm", "--master", "--out", out],
                 [*TINY, "--burn-subtitles", "zh", "--out", out],
                 [*TINY, "--theme", "light", "--burn-subtitles", "en", "--out", out])
    assert [code for code, _, _ in done] == [0, 0, 0, 0], done
    sheet = json.loads((out / "act01/act01.cues.json").read_text(encoding="utf-8"))
    return out, done, sheet


def frames(path) -> list[np.ndarray]:
    with av.open(str(path)) as file:
        return [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]


def test_gif_loops_at_an_exact_rate_and_is_short_of_its_clip_by_nothing(made):
    out, _, sheet = made
    beat = sheet["beats"][1]
    with Image.open(out / "act01-build-row.gif") as gif:
        assert gif.info["loop"] == 0  # for ever
        assert gif.width <= 960
        times = []
        for k in range(gif.n_frames):
            gif.seek(k)
            times.append(gif.info["duration"])
        last = np.asarray(gif.convert("RGB"), float)
    assert sum(times) == pytest.approx(beat["seconds"] * 1000, abs=50)
    assert set(times[:-1]) <= {50 * n for n in range(1, 1000)}  # 20 a second, repeats merged
    with Image.open(out / "act01" / beat["last"]) as wanted:
        assert np.abs(last - np.asarray(wanted, float)).mean() < 2
    assert not (out / "act01-build-row.mp4").exists()


def test_webm_holds_every_frame_both_subtitles_and_the_chapters(made):
    out, _, sheet = made
    with av.open(str(out / "act01.webm")) as film:
        video = film.streams.video[0]
        assert video.codec_context.name in ("vp9", "libvpx-vp9")
        assert [s.codec_context.name for s in film.streams.subtitles] == ["webvtt", "webvtt"]
        assert len(film.chapters()) == len(sheet["beats"])
        keys = [round(float(p.pts * p.time_base) * 30) for p in film.demux(video)
                if p.pts is not None and p.is_keyframe]
    assert {beat["start_frame"] for beat in sheet["beats"]} <= set(keys)
    shown, plain = frames(out / "act01.webm"), frames(out / "act01/act01.mp4")
    assert len(shown) == sheet["total_frames"]
    for beat in sheet["beats"]:  # in its place, wherever the film was cut for encoding
        for k in (beat["start_frame"], beat["start_frame"] + beat["frames"] - 1):
            assert np.abs(shown[k].astype(float) - plain[k]).mean() < 4


def test_master_is_prores_hq_with_the_drawn_colours(made):
    out, _, sheet = made
    with av.open(str(out / "act01.master.mov")) as film:
        context = film.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("prores", "yuv422p10le")
        assert context.codec_tag == "apch"  # 422 HQ
        assert (context.color_primaries, context.color_trc, context.colorspace) == (1, 1, 1)
        pictures = [frame.reformat(format="gbrp16le", src_colorspace="ITU709").to_ndarray()
                    for frame in film.decode(video=0)]
    assert len(pictures) == sheet["total_frames"]
    end = sheet["beats"][0]["frames"] - 1
    with Image.open(out / "act01" / sheet["beats"][0]["last"]) as wanted:
        drawn = np.asarray(wanted, float)
    assert np.abs(pictures[end] / 257 - drawn).mean() < 1.5


@pytest.mark.parametrize("name, stem, light", [
    ("act01.subtitled-zh.mp4", "act01", False),
    ("act01.light.subtitled-en.mp4", "act01.light", True)])
def test_subtitles_are_drawn_in_the_empty_band_and_nowhere_else(made, name, stem, light):
    out, _, sheet = made
    plain, drawn = frames(out / stem / f"{stem}.mp4"), frames(out / name)
    assert len(plain) == len(drawn) == sheet["total_frames"]
    with av.open(str(out / name)) as film:
        context = film.streams.video[0].codec_context
        assert (context.color_primaries, context.color_trc, context.colorspace,
                context.color_range, context.pix_fmt) == (1, 1, 1, 1, "yuv420p")
        assert len(film.chapters()) == len(sheet["beats"])
    k = sheet["beats"][1]["start_frame"] + 5
    band = int(plain[k].shape[0] * 0.86)
    difference = np.abs(plain[k].astype(float) - drawn[k]).max(axis=2)
    assert (difference[band:] > 60).sum() > 50  # of 256 x 21 pixels
    assert np.percentile(difference[:band - 2], 99) < 12
    changed = drawn[k][band:].astype(int).sum(axis=2)
    assert (changed.min() < 3 * 90) if light else (changed.max() > 3 * 170)


@pytest.mark.parametrize("count", range(1, 7))
def test_parts_hold_every_beat_once_and_are_about_as_long(count):
    lengths = [60, 300, 90, 240, 30, 180]
    runs = parts(lengths, count)
    assert [beat for run in runs for beat in run] == list(range(len(lengths)))
    assert 1 <= len(runs) <= count and all(len(run) for run in runs)
    longest = max(sum(lengths[beat] for beat in run) for run in runs)
    assert longest <= sum(lengths) / count + max(lengths)


WRONG = [
    (["--gif", "chnage"], "unknown beat"),
    (["--burn-subtitles", "de"], "en, zh"),
]


def test_wrong_names_are_refused_before_anything_is_drawn(tmp_path):
    house, _ = rendered_house()
    done = calls(house, *[[*TINY, *more, "--out", tmp_path] for more, _ in WRONG])
    for (code, output, errors), (_, words) in zip(done, WRONG):
        assert (code, output) == (2, "") and words in errors and errors.count("\n") == 1
    assert not list(tmp_path.glob("act*"))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_export_outlives_its_parent(made, number):
    """The group is empty soon after the main process alone was ended."""
    out, _, _ = made
    house, _ = rendered_house()
    process = subprocess.Popen(command(*TINY, "--webm", "--out", out), cwd=house,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    deadline = time.monotonic() + 60
    while not list(out.glob(".studio/tmp-*/made.webm")):
        assert process.poll() is None and time.monotonic() < deadline, process.stderr.read()
        time.sleep(0.02)
    os.kill(process.pid, number)
    process.communicate(timeout=30)
    assert process.returncode in (-number, 128 + number)
    assert not outlives(process.pid)


def test_a_full_disk_is_named_by_every_export(made, tmp_path):
    house, media = rendered_house()
    shutil.copytree(media / "act01", tmp_path / "act01")

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    for option in ("--webm", "--master"):
        done = call(house, *TINY, option, "--out", tmp_path, preexec_fn=small_files)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
        assert "no space left" in done.stderr


def test_a_gif_leaves_the_beat_s_clip_alone(made):
    house, _ = rendered_house()
    out = made[0]
    (code, *_), = calls(house, ["act01", "--quality", "draft", "--beat", "opening", "--out", out])
    clip = out / "act01-opening.mp4"
    before = clip.read_bytes()
    (again, *_), = calls(house, [*TINY, "--gif", "opening", "--out", out])
    assert (code, again) == (0, 0) and clip.read_bytes() == before
