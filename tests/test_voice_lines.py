"""Lines fitted to the plan and kept; recordings in place of a voice; what a recogniser heard."""

import os
import subprocess
import sys
import wave

import numpy as np
import pytest
from studio_house import ROOT

from studio.render.order import Order
from studio.voice.base import VoiceError, default_voice, load_voice
from studio.voice.lines import FASTEST, fitted
from studio.voice.recogniser import Hearing, compare, hear, listener, words_of
from studio.voice.recogniser import missing as no_recogniser
from studio.voice.recordings import recorded, script
from studio.voice.slots import RATE, TENTH, Slot, slots
from studio.voice.sound import read_wav, resample, trim


def tone(seconds, rate=RATE, volume=0.5):
    return (volume * np.sin(2 * np.pi * 220 / rate * np.arange(round(seconds * rate)))
            ).astype(np.float32)


class Metronome:
    """A voice of two seconds a line, silence around them; it counts what it is asked."""

    name, language, version, rate = "metronome", "en", "1", 24000

    def __init__(self):
        self.asked = []

    def speak(self, text, speed=1.0):
        self.asked.append((text, speed))
        silence = np.zeros(self.rate // 3, np.float32)
        return np.concatenate([silence, tone(2 / speed, self.rate), silence])


def slot(tenths, text="Number 8."):
    return Slot("a-beat", 2, text, 0, tenths)


def test_a_line_that_fits_is_said_at_natural_speed(tmp_path):
    voice = Metronome()
    sound = fitted(slot(30), voice, tmp_path)
    assert voice.asked == [("Number eight.", 1.0)]
    assert abs(len(sound) / RATE - 2) < 0.05 and sound[0] == sound[-1] == 0


def test_a_line_is_hurried_only_as_much_as_needed(tmp_path):
    voice = Metronome()
    room = slot(19)
    assert len(fitted(room, voice, tmp_path)) <= room.room
    speeds = [speed for _, speed in voice.asked]
    assert 1 < speeds[-1] < FASTEST and len(speeds) <= 4


def test_a_line_that_cannot_fit_names_beat_and_line(tmp_path):
    with pytest.raises(VoiceError, match=r"beat a-beat, line 2: .*2\.0 s.*1\.0 s.*1\.15"):
        fitted(slot(10), Metronome(), tmp_path)


def test_a_kept_line_is_not_said_again_but_a_new_version_is(tmp_path):
    first, second, third = Metronome(), Metronome(), Metronome()
    sound = fitted(slot(30), first, tmp_path)
    assert np.array_equal(fitted(slot(40), second, tmp_path), sound) and not second.asked
    third.version = "2"
    fitted(slot(30), third, tmp_path)
    assert len(third.asked) == 1


def test_a_damaged_kept_line_is_said_again(tmp_path):
    sound = fitted(slot(30), Metronome(), tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(b"no sound")
    assert np.array_equal(fitted(slot(30), Metronome(), tmp_path), sound)


def test_the_english_voice_says_the_same_twice_and_hurries():
    voice = load_voice("hibari")
    text = "Many requests share one cache. Who runs next, and how far?"
    once, again = voice.speak(text), voice.speak(text)
    assert once.dtype == np.float32 and np.array_equal(once, again)
    natural, fast = (len(trim(voice.speak(text, speed), voice.rate)) for speed in (1.0, 1.15))
    assert 1.05 < natural / fast < 1.25


def test_unknown_and_known_voices():
    with pytest.raises(VoiceError, match="unknown voice 'alice'; valid: none, hibari"):
        load_voice("alice")
    assert default_voice("en").name == "hibari" and default_voice("xx") is None


def test_the_chinese_voice_speaks():
    info = default_voice("zh")
    if lacks := info.missing():
        pytest.skip(lacks)
    voice = info.load()
    sound = trim(voice.speak("你好。"), voice.rate)
    assert 0.3 < len(sound) / voice.rate < 1.5 and np.array_equal(sound, trim(
        voice.speak("你好。"), voice.rate))


def write(path, samples, rate=RATE, width=2, channels=1):
    whole = (np.repeat(samples[:, None], channels, axis=1).ravel().astype(np.float64)
             * (2 ** (8 * width - 1) - 1)).round().astype("<i4")
    data = whole.astype("<i2").tobytes() if width == 2 else \
        whole.view(np.uint8).reshape(-1, 4)[:, :width].tobytes()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(data)


@pytest.mark.parametrize("width, channels", [(2, 1), (2, 2), (3, 1), (4, 1)])
def test_wav_files_are_read(tmp_path, width, channels):
    write(tmp_path / "a.wav", tone(0.1), 44100, width, channels)
    samples, rate = read_wav(tmp_path / "a.wav")
    assert rate == 44100 and np.allclose(samples, tone(0.1), atol=1e-3)


def test_a_recording_is_resampled_trimmed_and_levelled(tmp_path):
    silence = np.zeros(44100, np.float32)
    write(tmp_path / "a-beat.2.wav", np.concatenate([silence, tone(1, 44100, 0.1), silence]), 44100)
    sound = recorded(slot(15), tmp_path)
    assert abs(len(sound) / RATE - 1) < 0.05 and 0.15 < np.abs(sound).max() < 0.5


@pytest.mark.parametrize("make, what", [
    (lambda path: None, r"a-beat\.2\.wav is missing"),
    (lambda path: path.write_bytes(b"RIFF of nothing"), r"a-beat\.2\.wav: not a PCM WAV"),
    (lambda path: write(path, np.zeros(9999, np.float32)), r"a-beat\.2\.wav holds nothing but"),
    (lambda path: write(path, tone(3)), r"a-beat\.2\.wav: 3\.0 s are said.* 1\.5 s"),
])
def test_a_wrong_recording_is_named(tmp_path, make, what):
    make(tmp_path / "a-beat.2.wav")
    with pytest.raises(VoiceError, match=what):
        recorded(slot(15), tmp_path)


def test_a_script_lists_files_seconds_and_words():
    text = script([slot(25), Slot("other", 1, "Look.", 25, 15)], "en")
    assert "a-beat.2.wav   2.5 s  Number 8." in text and "other.1.wav    1.5 s  Look." in text


def test_a_recogniser_is_compared_word_by_word():
    said = words_of("Prefill takes 26.6 ms for the K/V cache.")
    assert compare(said, words_of("prefill takes 26.6 milliseconds for the KV cache")) == ()
    assert compare(["the", "cache", "of", "rope"], ["too", "the", "cash", "of", "hope"]) == (
        ("", "too"), ("cache", "cash"), ("rope", "hope"))
    assert compare(["a", "b"], []) == (("a", ""), ("b", "")) and compare([], []) == ()


def test_each_line_is_heard_where_the_plan_puts_it():
    plan = Order("act04", "draft").planned()
    track = np.zeros(plan.tenths * TENTH, np.float32)
    said = dict(enumerate(slots(plan), 1))
    for number, slot in said.items():
        track[slot.start * TENTH] = number
    wrong = said[3]  # of which nothing is heard

    def listen(samples):
        slot = said[round(float(samples[0]))]
        return "" if slot == wrong else slot.text

    heard = hear(plan, track, listen)
    assert [found.name for found in heard] == [beat.name for beat in plan.beats if beat.lines]
    assert [found.name for found in heard if found.wrong] == [wrong.beat]
    missed = sum(len(found.wrong) for found in heard)
    assert missed == len(words_of(wrong.text))
    whole = Hearing("act04", sum(found.words for found in heard), (("a", ""),) * missed)
    assert whole.rate == missed / sum(len(words_of(slot.text)) for slot in said.values())


def test_a_recogniser_understands_a_line_of_the_english_voice():
    if lacks := no_recogniser():
        pytest.skip(lacks)
    text = "Many requests share one cache, and the scheduler decides who runs next."
    voice = load_voice("hibari")
    heard = listener()(resample(voice.speak(text), voice.rate))
    assert len(compare(words_of(text), words_of(heard))) <= 1


@pytest.mark.parametrize("arguments, code, words", [
    (["check", "act99"], 2, "unknown act 'act99'"), (["install", "fr"], 2, "unknown 'fr'"),
    (["say", "en", "A snowman ☃", "x.wav"], 1, "nothing says '☃'"),
])
def test_the_voice_commands_refuse_in_one_line(tmp_path, arguments, code, words):
    if arguments[0] == "check" and (lacks := no_recogniser()):
        pytest.skip(lacks)
    done = subprocess.run([sys.executable, "-m", "studio.voice", *arguments], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True,
                          text=True)
    assert done.returncode == code and words in done.stderr
    assert done.stderr.startswith("studio.voice: ") and done.stderr.count("\n") == 1
