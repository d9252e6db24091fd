"""The spoken track: loudness, peaks, joins, and its place in the written file to the sample."""

import re
import subprocess
from fractions import Fraction

import av
import imageio_ffmpeg
import numpy as np
import pytest

from studio.stream.encoder import Encoder
from studio.stream.mp4 import Part, join
from studio.voice.base import VoiceError
from studio.voice.loudness import CEILING, LOUDNESS, levelled, loudness, true_peak
from studio.voice.slots import RATE, TENTH, Slot
from studio.voice.sound import fade, resample, trim
from studio.voice.track import SoundStream, assemble, check_sound, decoded, write_track

SPOKEN = [Slot("a", 1, "", 3, 20), Slot("a", 2, "", 23, 30), Slot("b", 1, "", 53, 15)]


def syllables(seconds, seed=0):
    """Noise that comes and goes as speech does: high peaks, moderate loudness."""
    white = np.random.default_rng(seed).normal(size=round(seconds * RATE))
    noise = 3 * np.convolve(white, np.ones(16) / 16, "same")  # most of it below 3 kHz
    wave = np.sin(np.pi * 4 * np.arange(len(noise)) / RATE) ** 4
    return fade((0.1 * noise * wave).astype(np.float32))


def say(slot):
    return syllables(slot.tenths / 10 - 0.2, slot.start)


def write(path, samples, fps=30):
    """A small film, grey, with a track."""
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as film:
        video = film.add_stream("libx264", rate=fps, options={"bf": "0"})
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        sound = SoundStream(film, samples, "eng")
        film.start_encoding()
        for k in range(round(len(samples) / RATE * fps)):
            frame = av.VideoFrame(64, 48, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([128]) * plane.buffer_size)
            frame.pts = k
            for packet in video.encode(frame):
                film.mux_one(packet)
            sound.until((k + 1) / fps)
        for packet in video.encode(None):
            film.mux_one(packet)
        sound.close()
    return path


def measured(path):
    """(LUFS, dB of the true peak) by ffmpeg's own EBU R128 meter."""
    text = subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-nostats", "-i", str(path), "-af",
         "ebur128=peak=true", "-f", "null", "-"], capture_output=True, text=True).stderr
    summary = text[text.rindex("Summary:"):]
    return (float(re.search(r"I:\s+(-?[\d.]+) LUFS", summary)[1]),
            float(re.search(r"Peak:\s+(-?[\d.]+) dBFS", summary)[1]))


def by_ffmpeg(path):
    """A file's sound as the ffmpeg program decodes it."""
    return np.frombuffer(subprocess.run(
        [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-f", "f32le", "-ac", "1",
         "-"], capture_output=True, check=True).stdout, "<f4")


def test_a_line_starts_with_its_first_sample_and_ends_before_the_next():
    track = assemble(SPOKEN, say, 75)
    assert len(track) == 75 * TENTH
    heard = np.flatnonzero(track)
    for slot in SPOKEN:
        inside = heard[(heard >= slot.start * TENTH) & (heard < (slot.start + slot.tenths) * TENTH)]
        assert inside[0] - slot.start * TENTH <= 2  # the fade and the wave start from nothing
        assert inside[-1] < (slot.start + slot.tenths) * TENTH - TENTH
    assert not track[:3 * TENTH].any() and not track[68 * TENTH:].any()


def test_a_sound_longer_than_its_line_is_refused():
    with pytest.raises(VoiceError, match=r"a\.1: sound of 2\.50 s for a line of 2\.0 s"):
        assemble(SPOKEN, lambda slot: syllables(2.5), 75)


@pytest.mark.parametrize("volume", [0.02, 1.0, 3.0])
def test_the_track_is_as_loud_as_it_should_be(volume):
    track = levelled(np.concatenate([volume * say(slot) for slot in SPOKEN]))
    assert abs(loudness(track) - LOUDNESS) < 0.2 and true_peak(track) <= CEILING - 0.9


def test_silence_and_short_sounds_stay_as_they_are():
    for samples in (np.zeros(RATE, np.float32), np.ones(99, np.float32)):
        assert np.array_equal(levelled(samples), samples)


def test_the_limiter_follows_peaks_between_samples():
    wave = np.sin(np.pi / 2 * np.arange(RATE) + np.pi / 4).astype(np.float32)  # peaks at 3 dB
    assert abs(20 * np.log10(np.abs(wave).max()) + 3.01) < 0.01
    assert abs(true_peak(np.hanning(RATE) * wave)) < 0.1


def test_joins_do_not_click():
    """No step at a line's ends is larger than those inside the lines."""
    track = assemble(SPOKEN, lambda slot: fade(np.full(
        slot.tenths * TENTH - TENTH, 0.5, np.float32)), 75)
    assert np.abs(np.diff(track)).max() < 0.01


def test_trim_and_resample_keep_the_sound():
    tone = np.sin(2 * np.pi * 300 / 24000 * np.arange(24000)).astype(np.float32)
    padded = np.concatenate([np.zeros(5000, np.float32), tone, np.zeros(7000, np.float32)])
    assert 24000 <= len(trim(padded, 24000)) <= 24000 + 2 * 400
    assert not len(trim(np.zeros(100, np.float32), 24000)) and not len(trim(tone[:0], 24000))
    doubled = resample(tone, 24000)
    assert len(doubled) == RATE
    assert np.allclose(doubled[1000:-1000:2], tone[500:-500], atol=0.01)


def test_a_written_track_is_as_loud_and_long_as_planned(tmp_path):
    path = write(tmp_path / "film.mp4", assemble(SPOKEN, say, 75))
    check_sound(path, 75)
    level, peak = measured(path)
    assert abs(level - LOUDNESS) <= 1 and peak < CEILING
    with av.open(str(path)) as film:
        sound = film.streams.audio[0]
        assert (sound.rate, sound.codec_context.name, sound.language) == (RATE, "aac", "eng")
        assert sound.start_time == 0 == film.streams.video[0].start_time
    with pytest.raises(VoiceError, match="samples of sound, planned"):
        check_sound(path, 76)


def test_a_track_that_is_too_quiet_is_refused(tmp_path):
    path = write(tmp_path / "film.mp4", 0.1 * assemble(SPOKEN, say, 75))
    with pytest.raises(VoiceError, match=r"-3[56]\.\d LUFS instead of -16"):
        check_sound(path, 75)


@pytest.mark.parametrize("fps, frame", [(30, 0), (30, 17), (60, 101), (30, 59)])
def test_a_click_placed_at_a_frame_is_found_at_its_sample(tmp_path, fps, frame):
    """By PyAV and by ffmpeg: neither the coder's delay nor the muxer moves the sound."""
    samples = np.zeros(2 * RATE, np.float32)
    place = frame * RATE // fps
    samples[place] = 0.9
    path = write(tmp_path / "film.mp4", samples, fps)
    for heard in (decoded(path), by_ffmpeg(path)):
        assert np.argmax(np.abs(heard)) == place
    assert len(by_ffmpeg(path)) == 2 * RATE


@pytest.mark.parametrize("fps, still", [(30, 41), (60, 97)])
def test_a_click_is_heard_at_the_frame_where_a_picture_changes(tmp_path, fps, still):
    """In a film joined from segments and a track coded apart, as every film is."""
    frames = (still, 7 * fps // 2 - still)
    for k, count in enumerate(frames):
        encoder = Encoder(tmp_path / f"{k}.mp4", (64, 48), fps)
        encoder.add(np.full((48, 64, 4), 200 * k, np.uint8), count)
        encoder.close()
    tenths, place = 35, still * RATE // fps
    hum = 0.26 * np.sin(2 * np.pi * 1000 * np.arange(tenths * TENTH) / RATE)
    hum[place - 999:place + 999] = 0
    hum[place] = 0.7
    write_track(levelled(hum.astype(np.float32)), tmp_path / "track.m4a", "eng")
    film = tmp_path / "film.mp4"
    join([Part(tmp_path / f"{k}.mp4", count) for k, count in enumerate(frames)], film, fps,
         sound=tmp_path / "track.m4a")
    with av.open(str(film)) as file:
        bright = next(frame for frame in file.decode(video=0) if frame.to_ndarray()[0, 0] > 100)
    assert bright.pts * bright.time_base == Fraction(place, RATE) == Fraction(still, fps)
    for heard in (decoded(film), by_ffmpeg(film)):
        assert np.argmax(np.abs(heard)) == place


def test_a_damaged_track_is_refused(tmp_path):
    path = write(tmp_path / "film.mp4", assemble(SPOKEN, say, 75))
    data = bytearray(path.read_bytes())
    at = data.index(b"mdat") + 4000
    data[at:at + 30000] = b"\xff" * 30000
    path.write_bytes(data)
    with pytest.raises(VoiceError, match="no sound can be decoded"):
        check_sound(path, 75)


def test_a_film_without_sound_is_told_apart(tmp_path):
    path = write(tmp_path / "film.mp4", np.zeros(0, np.float32))
    with pytest.raises(VoiceError, match="no sound can be decoded"):
        decoded(path)
