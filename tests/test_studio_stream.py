"""The stream: key frames, colour, steps, chapters, subtitles, and what a check refuses."""

from itertools import count

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import StreamError
from studio.stream import h264
from studio.stream.change_hints import libavutil, set_changed_boxes
from studio.stream.check import check
from studio.stream.colour import Bt709Converter
from studio.stream.encoder import SETTLED, Encoder, set_up
from studio.stream.mp4 import Chapter, Part, Track, join, read_payload

SIZE, GREEN = (64, 48), (0, 158, 115)


def picture(x, color=GREEN):
    pixels = np.zeros((SIZE[1], SIZE[0], 4), np.uint8)
    pixels[:, :x % SIZE[0] + 1, :3] = color
    return pixels


def segment(path, frames, hold=0, fps=30):
    encoder = Encoder(path, SIZE, fps)
    for k in range(frames):
        encoder.add(picture(k))
    if hold:
        encoder.add(picture(frames), hold)
    encoder.close()
    return path


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parts")
    return [Part(segment(folder / f"{k}.mp4", n, hold), n + hold) for k, (n, hold) in
            enumerate([(0, 1), (2, 0), (31, 40), (3, 61)])]


@pytest.mark.parametrize("fps", [30, 60])
def test_a_segment_holds_its_frames_and_a_key_frame_a_second(tmp_path, fps):
    path = segment(tmp_path / "s.mp4", 70, 130, fps)
    check(path, 200, fps)
    found = read_payload(path)
    assert found.pts == list(range(200))
    assert found.keyframes[0] == 0
    assert max(np.diff([*found.keyframes, 200])) <= fps


def test_joined_film(parts, tmp_path):
    count = sum(part.frames for part in parts)
    tracks = [Track("eng", "English", ((100, 500, "One"), (900, 1500, "two\nrows"))),
              Track("zho", "中文", ((100, 500, "一"),))]
    marks = [Chapter(0, 100, "Start"), Chapter(100, 4600, "队列")]
    join(parts, tmp_path / "film.mp4", 30, tracks, marks, {"title": "T", "comment": "c"})
    check(tmp_path / "film.mp4", count, 30)
    found = read_payload(tmp_path / "film.mp4")
    assert found.pts == list(range(count))
    assert {0, 1, 3, 74} <= set(found.keyframes)
    with av.open(str(tmp_path / "film.mp4")) as film:
        assert [(c["start"], c["end"], c["metadata"]["title"]) for c in film.chapters()] == marks
        assert film.metadata["title"] == "T"
        assert [s.language for s in film.streams.subtitles] == ["eng", "zho"]
        shown = [bytes(p)[2:].decode() for p in film.demux(film.streams.subtitles[0])
                 if p.size > 2]
        assert shown == ["One", "two\nrows"]


def test_ffmpeg_decodes_the_film_without_a_word(parts, tmp_path):
    import subprocess

    import imageio_ffmpeg
    join(parts, tmp_path / "film.mp4", 30, [Track("eng", "English", ((0, 500, "One"),))],
         [Chapter(0, 4600, "All")], {"title": "T"})
    done = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "warning", "-xerror", "-err_detect", "explode",
         "-i", tmp_path / "film.mp4", "-map", "0:v", "-f", "null", "-"], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("color", [GREEN, (0x56, 0xB4, 0xE9), (0xF0, 0xE4, 0x42), (0x10, 21, 28)])
def test_a_known_colour_decodes_to_within_two(tmp_path, color):
    encoder = Encoder(tmp_path / "s.mp4", SIZE, 30)
    encoder.add(picture(SIZE[0] - 1, color), 3)
    encoder.close()
    with av.open(str(tmp_path / "s.mp4")) as film:
        stream = film.streams.video[0]
        context = stream.codec_context
        frame = list(film.decode(stream))[2]
        assert (context.color_primaries, context.color_trc, context.colorspace,
                context.color_range) == (1, 1, 1, 1)
    planes = frame.to_ndarray()  # Y, then U and V at a quarter of the size
    height, width = SIZE[1], SIZE[0]
    y = (planes[height // 2, width // 2] - 16.0) / 219
    u, v = ((planes[row, width // 4] - 128.0) / 224 for row in (height + 6, height + 18))
    red, blue = y + 1.5748 * v, y + 1.8556 * u  # ITU-R BT.709-6, item 3
    green = (y - 0.2126 * red - 0.0722 * blue) / 0.7152
    assert np.abs(np.array([red, green, blue]) * 255 - color).max() <= 2


def test_a_check_refuses_what_is_cut_short_or_miscounted(tmp_path):
    path = segment(tmp_path / "s.mp4", 40)
    with pytest.raises(StreamError, match="40 frames, planned 41"):
        check(path, 41, 30)
    whole = path.read_bytes()
    path.write_bytes(whole[:len(whole) * 2 // 3])
    with pytest.raises(StreamError):
        check(path, 40, 30)
    damaged = bytearray(whole)
    start = whole.index(b"mdat") + 900
    damaged[start:start + 40] = bytes(40)
    path.write_bytes(damaged)
    with pytest.raises(StreamError):
        check(path, 40, 30)
    with pytest.raises(StreamError):
        check(path, 40, 30, decode_copies=False)


def test_segments_of_other_settings_are_not_joined(parts, tmp_path):
    other = Encoder(tmp_path / "o.mp4", (128, 96), 30)
    other.add(np.zeros((96, 128, 4), np.uint8))
    other.close()
    with pytest.raises(StreamError, match="other settings"):
        join([parts[0], Part(tmp_path / "o.mp4", 1)], tmp_path / "film.mp4", 30)


def decoded(path):
    with av.open(str(path)) as film:
        return [frame.to_ndarray() for frame in film.decode(video=0)]


def test_a_hold_repeats_its_picture_to_the_bit_and_movement_goes_on_after_it(tmp_path):
    encoder, shown = Encoder(tmp_path / "s.mp4", SIZE, 30), []
    for k, repeat in enumerate([1, 1, 20, 1, 1, 100, 1, 3, 1]):
        encoder.add(picture(7 * k), repeat)
        shown += [k] * repeat
    encoder.close()
    check(tmp_path / "s.mp4", len(shown), 30, decode_copies=False)
    frames = decoded(tmp_path / "s.mp4")
    assert len(frames) == len(shown)
    keys = read_payload(tmp_path / "s.mp4").keyframes
    assert max(np.diff([*keys, len(shown)])) <= 30
    for index in range(1, len(shown)):
        cleaned = shown[max(0, index - SETTLED):index + 1] == [shown[index]] * (SETTLED + 1) and (
            shown[max(0, index - SETTLED - 1)] != shown[index])
        if shown[index] == shown[index - 1] and index not in keys and not cleaned:
            assert np.array_equal(frames[index], frames[index - 1])
    for frame, k in zip(frames, shown):
        assert np.abs(frame[:SIZE[1], 7 * k % SIZE[0] + 4:].astype(int) - 16).max(initial=0) <= 4


@pytest.mark.parametrize("at", [3, 31, 80])
def test_a_check_finds_a_repeat_with_a_wrong_number(tmp_path, monkeypatch, at):
    plain, calls = h264.FrameNumbering.repeat, count()

    def repeat(self):
        self._frame_num += next(calls) == at
        return plain(self)

    monkeypatch.setattr(h264.FrameNumbering, "repeat", repeat)
    encoder = Encoder(tmp_path / "s.mp4", SIZE, 30)
    encoder.add(picture(0), 90)
    encoder.close()
    with pytest.raises(StreamError, match=f"picture {at + at // 29 + 1} has a wrong number"):
        check(tmp_path / "s.mp4", 90, 30, decode_copies=False)


@pytest.mark.skipif(libavutil() is None,
                    reason="libavutil's functions cannot be called here")
def test_the_encoder_looks_only_where_it_is_told():
    context, decoder = (av.CodecContext.create(*name) for name in (("libx264", "w"), ("h264", "r")))
    set_up(context, SIZE, 30)
    frame = av.VideoFrame(*SIZE, "yuv420p")
    luma = np.frombuffer(frame.planes[0], np.uint8).reshape(SIZE[1], -1)[:, :SIZE[0]]
    for plane in frame.planes:
        np.frombuffer(plane, np.uint8)[:] = 128
    packets = []
    for k, value in enumerate((60, 180)):
        luma[:16, :16] = luma[32:, 32:] = value
        set_changed_boxes(frame, [(0, 0, 16, 16)])
        frame.pts = k
        packets += context.encode(frame)
    decoder.extradata = context.extradata
    shown = [f.to_ndarray()[:SIZE[1]] for packet in packets for f in decoder.decode(packet)]
    shown += [f.to_ndarray()[:SIZE[1]] for f in decoder.decode(None)]
    assert [abs(int(picture[8, 8]) - value) <= 2 for picture, value in zip(shown, (60, 180))] == [
        True, True]
    assert abs(int(shown[1][40, 40]) - 60) <= 2


@given(st.lists(st.tuples(st.integers(0, 62), st.integers(0, 46), st.integers(2, 40)), max_size=6))
def test_converting_what_changed_gives_what_converting_all_gives(places):
    pixels = np.zeros((96, 192, 4), np.uint8)
    part, whole = Bt709Converter((192, 96)), Bt709Converter((192, 96))
    part.convert(pixels, None)
    for x, y, size in places:
        x, y, size = x * 2, y & ~1, size & ~1
        box = (x, y, min(192, x + size), min(96, y + size))
        pixels[box[1]:box[3], box[0]:box[2], :3] = (x, 255 - y, size * 6)
        part.convert(pixels, [box])
    whole.convert(pixels, None)
    assert np.array_equal(part.frame.to_ndarray(), whole.frame.to_ndarray())
