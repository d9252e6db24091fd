"""A film that speaks, from the command line to where it is heard: film, decks, gallery."""

import json
import re
import wave
import zipfile

import av
import numpy as np
import pytest
from rendered_house import Watched, rendered_house
from scipy.signal import correlate
from studio_house import BEATS, calls

from studio.deliver.npm import npm_package
from studio.deliver.rendered import read
from studio.errors import RenderError
from studio.voice.base import VoiceError, load_voice
from studio.voice.lines import fitted
from studio.voice.loudness import CEILING, LOUDNESS, loudness, true_peak
from studio.voice.slots import RATE, TENTH, Slot
from studio.voice.track import decoded

AXE = "axe-core", "4.14.1"
TINY = ("act01", "--quality", "tiny")
LATE = 2000  # samples by which a line is looked for before and after its place
CODER = 2048  # samples over which AAC smears a sound
STEP = 0.02  # of full scale: what a join may differ from one sample to the next


@pytest.fixture(scope="module")
def media(tmp_path_factory):
    """An English film spoken by the default voice, and a silent Chinese one."""
    house, _ = rendered_house()
    out = tmp_path_factory.mktemp("spoken")
    done = calls(house, [*TINY, "--out", out],
                 [*TINY, "--lang", "zh", "--voice", "none", "--out", out],
                 ["verify", "act01", "--out", out])
    assert [code for code, _, _ in done] == [0, 0, 0], done
    assert "act01.mp4: spoken by hibari (a machine)" in done[2][1]
    return out


@pytest.fixture(scope="module")
def film(media):
    return read(media / "act01")


def placed(film):
    """The lines of a film's cue sheet and their places in its sound."""
    for beat in film.beats:
        for number, (line, text) in enumerate(zip(beat["lines"], beat["narration"]["en"]), 1):
            start = round(beat["start_seconds"] * 10) + line["start_frame"] * 10 // film.fps
            yield Slot(beat["name"], number, text, start, line["frames"] * 10 // film.fps)


def test_every_line_is_heard_from_its_first_sample_and_ends_before_it_is_over(film, media):
    sound, voice = decoded(film.folder / film.names.film), load_voice("hibari")
    lines, silent = list(placed(film)), np.ones(len(sound), bool)
    assert len(lines) == 5
    for slot in lines:
        said = fitted(slot, voice, media / ".studio" / "voice")
        start, end = slot.start * TENTH, (slot.start + slot.tenths) * TENTH
        around = np.pad(sound, LATE)[start:end + 2 * LATE]
        lag = np.argmax(correlate(around, said, "valid")) - LATE
        assert lag == 0 and start + len(said) < end, slot
        silent[start:start + len(said) + CODER] = False
        for join in (start, start + len(said)):
            assert np.abs(np.diff(sound[max(0, join - 48):join + 48])).max() < STEP, slot
    assert np.abs(sound[silent]).max() < 10 ** (-60 / 20)


def test_the_film_is_as_loud_as_broadcast_asks_for(film):
    sound = decoded(film.folder / film.names.film)
    assert abs(loudness(sound) - LOUDNESS) <= 1 and true_peak(sound) < CEILING
    with av.open(str(film.folder / film.names.film)) as file:
        stream = file.streams.audio[0]
        assert (stream.codec_context.name, stream.rate, stream.language) == ("aac", RATE, "eng")


def test_clips_are_silent_unless_asked_and_pictures_do_not_depend_on_the_voice(film):
    _, silent = rendered_house()
    for beat in film.beats:
        assert (film.folder / beat["clip"]).read_bytes() == (
            silent / "act01" / beat["clip"]).read_bytes()
    pictures = [sorted(bytes(packet) for packet in packets(path / "act01.mp4"))
                for path in (film.folder, silent / "act01")]
    assert pictures[0] == pictures[1]


def packets(path):
    with av.open(str(path)) as file:
        yield from (packet for packet in file.demux(video=0) if packet.size)


def clips(deck):
    """Name -> bytes of the clips of a deck, a file or a folder."""
    if deck.is_dir():
        return {path.name: path.read_bytes() for path in sorted(deck.rglob("*.mp4"))}
    with zipfile.ZipFile(deck) as parts:
        return {name: parts.read(name) for name in parts.namelist() if name.endswith(".mp4")}


@pytest.mark.parametrize("kind, name", [("pptx", "act01.pptx"), ("reveal", "act01-reveal"),
                                        ("manim-slides", "act01-slides")])
def test_a_deck_with_voice_carries_each_beat_of_the_film(film, media, tmp_path, kind, name):
    require(kind)
    house, _ = rendered_house()
    deck = ["deck", *TINY, "--format", kind, "--media", media, "--out"]
    done = calls(house, [*deck, tmp_path / "quiet"], [*deck, tmp_path, "--voice"])
    assert [code for code, _, _ in done] == [0, 0], done
    for number, quiet in enumerate(clips(tmp_path / "quiet" / name).values()):
        with pytest.raises(VoiceError, match="no sound"):
            heard(quiet, tmp_path / f"{number}.mp4")
    whole = decoded(film.folder / film.names.film)
    found = [heard(clip, tmp_path / "clip.mp4") for clip in clips(tmp_path / name).values()]
    for beat in film.beats:
        start = round(beat["start_seconds"] * RATE)
        part = whole[start:start + round(beat["seconds"] * RATE)]
        assert any(len(part) <= len(each) < len(part) + 1024
                   and np.corrcoef(each[:len(part)], part)[0, 1] > 0.99 for each in found), beat
    assert len(found) == len(BEATS)


def require(kind):
    if kind == "pptx":
        pytest.importorskip("pptx", reason="needs: pip install python-pptx")
    if kind == "reveal":
        try:
            npm_package("reveal.js", "6.0.2")
        except RenderError as error:
            pytest.skip(str(error))


def heard(clip, path):
    path.write_bytes(clip)
    return decoded(path)


def test_a_deck_of_a_silent_film_cannot_speak(media, tmp_path):
    house, _ = rendered_house()
    done, = calls(house, ["deck", *TINY, "--lang", "zh", "--format", "manim-slides", "--voice",
                          "--media", media, "--out", tmp_path])
    assert done[0] == 1 and "nobody speaks in this film" in done[2]
    assert not list(tmp_path.glob("act01*"))


def test_a_person_may_speak_and_the_clips_as_well(tmp_path):
    house, _ = rendered_house()
    (_, script, _), = calls(house, ["script", "act01"])
    takes = re.findall(r"^(\S+\.wav)", script, re.M)
    for number, name in enumerate(takes, 1):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            tone = 9000 * np.sin(2 * np.pi * 110 * number * np.arange(RATE // 2) / RATE)
            file.writeframes(tone.astype("<i2").tobytes())
    spoken = [*TINY, "--voice-dir", tmp_path, "--voice-clips", "--out", tmp_path / "media"]
    done = calls(house, spoken, ["verify", "act01", "--out", tmp_path / "media"])
    assert [code for code, _, _ in done] == [0, 0], done
    made = read(tmp_path / "media" / "act01")
    assert not made.voice["machine"] and "spoken by recordings (a person)" in done[1][1]
    whole = decoded(made.folder / made.names.film)
    for number, slot in enumerate(placed(made), 1):
        tone = np.fft.rfft(whole[slot.start * TENTH:][:RATE // 2])  # two hertz a bin
        assert abs(2 * np.argmax(np.abs(tone)) - 110 * number) <= 2, slot
    for beat in made.beats:
        assert abs(len(decoded(made.folder / beat["clip"])) / RATE - beat["seconds"]) < 0.03
    assert len(takes) == 5


@pytest.fixture(scope="module")
def site(media, tmp_path_factory):
    house, _ = rendered_house()
    out = tmp_path_factory.mktemp("site") / "site"
    done, = calls(house, ["site", "--media", media, "--out", out])
    assert done[0] == 0, done
    return out


@pytest.fixture
def page(site):
    watched = Watched((site / "act01.html").as_uri())
    watched.page.wait_for_function("document.querySelector('video.seen').readyState >= 2")
    yield watched.page
    assert not watched.faults
    watched.close()


MUTED = "[...document.querySelectorAll('video')].every(video => video.muted === {})"


def test_the_player_speaks_until_it_is_told_not_to_and_remembers(page):
    sound = page.get_by_role("button", name="Sound")
    assert sound.get_attribute("aria-pressed") == "true" and "M sound" in page.inner_text(".keys")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('video.seen').webkitAudioDecodedByteCount > 0")
    assert page.evaluate(MUTED.format("false"))
    page.wait_for_function("document.querySelector('video.seen').ended")
    page.keyboard.press("m")
    assert sound.get_attribute("aria-pressed") == "false" and page.evaluate(MUTED.format("true"))
    page.reload()
    assert sound.get_attribute("aria-pressed") == "false" and page.evaluate(MUTED.format("true"))
    assert page.evaluate("localStorage.getItem('course.sound')") == "off"
    sound.click()
    assert sound.get_attribute("aria-pressed") == "true" and page.evaluate(MUTED.format("false"))
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash.endsWith('opening') && "
                           "document.querySelector('video.seen').ended")


def test_the_player_names_the_machine_and_shows_no_button_where_nobody_speaks(page):
    assert page.inner_text("#voice") == (
        "A machine speaks: hibari-tts, voice heart (Apache-2.0).")
    page.select_option("#language", "zh")  # the Chinese film is silent
    page.wait_for_function("document.querySelector('video.seen').currentSrc.includes('act01.zh')")
    assert page.locator("#sound").is_hidden() and page.locator("#voice").is_hidden()
    page.select_option("#language", "en")
    assert page.locator("#sound").is_visible()


def test_axe_finds_nothing_on_a_page_that_speaks(page):
    try:
        axe = (npm_package(*AXE) / "axe.min.js").read_text(encoding="utf-8")
    except RenderError as error:
        pytest.skip(str(error))
    page.evaluate(axe)
    found = page.evaluate("axe.run({ preload: false })")["violations"]
    assert not found, [(f["id"], [n["html"] for n in f["nodes"]]) for f in found]


@pytest.mark.parametrize("width", [390, 1280])
def test_the_controls_stand_in_one_row_with_the_sound_button(site, width):
    watched = Watched((site / "act01.html").as_uri(), viewport={"width": width, "height": 800})
    boxes = [each.bounding_box() for each in watched.page.locator(
        ".controls > *").filter(visible=True).all()]
    assert len({round(box["y"] + box["height"] / 2) for box in boxes}) == 1
    row = watched.page.locator("#line").bounding_box()
    assert all(box["x"] + box["width"] <= row["x"] + row["width"] + 1 for box in boxes)
    assert watched.page.locator("#sound").bounding_box()["height"] >= 44
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    watched.close()


def test_the_index_and_the_manifest_say_that_a_machine_speaks(site, film):
    assert "spoken by a machine" in (site / "index.html").read_text(encoding="utf-8")
    voice = json.loads((film.folder / "manifest.json").read_text())["voice"]
    assert voice["machine"] and voice["licence"] == "Apache-2.0"
    with av.open(str(film.folder / film.names.film)) as file:
        assert re.search(r"spoken by hibari \(a machine\)", file.metadata["comment"])
