"""The gallery in a real browser: beats, keys, variants, links, words, access."""

import io

import numpy as np
import pytest
from PIL import Image
from rendered_house import Watched, axe_faults, built_site, rendered_house, served
from studio_house import BEATS

from studio.deliver.rendered import read


@pytest.fixture(scope="module")
def site():
    return built_site()


@pytest.fixture
def visit(site):
    """visit(page, **context) opens a page of the site from disk; at the end nothing went wrong."""
    opened = []

    def visit(name, base=None, **context):
        file, _, link = name.partition("#")
        url = (base or site.as_uri()) + "/" + file + (f"#{link}" if link else "")
        opened.append(Watched(url, **context))
        return opened[-1].page

    yield visit
    for watched in opened:
        assert not watched.faults
        watched.close()


@pytest.fixture(scope="module")
def server(site):
    """The same site from the plainest of servers, which cannot serve parts of a file."""
    with served(site) as url:
        yield url


def plan(stem="act01"):
    return read(rendered_house()[1] / stem)


# Every frame that the browser presents, with its clip: what a viewer sees.
RECORD = """() => { window.seen = []; for (const video of document.querySelectorAll("video")) {
    const take = (_, meta) => { if (video.classList.contains("seen")) window.seen.push(
        [video.currentSrc.split("/").pop(), Math.round(meta.mediaTime * 30)]);
      video.requestVideoFrameCallback(take); };
    video.requestVideoFrameCallback(take); } }"""
STILL = "() => [...document.querySelectorAll('video')].every(video => video.paused)"
READY = "() => document.querySelector('video.seen').readyState >= 2"


def at(page, beat, frame=None):
    """Wait until the page stands still on a frame of a beat (the last one for frame=-1)."""
    planned = plan().beats[BEATS.index(beat)]["frames"] if frame == -1 else None
    wanted = planned - 1 if frame == -1 else frame
    page.wait_for_function(
        """([beat, frame]) => location.hash.endsWith("/" + beat)
        && document.querySelector("video.seen").currentSrc.includes(beat + ".mp4")
        && [...document.querySelectorAll("video")].every(video => video.paused)
        && (frame === null || +document.getElementById("screen").dataset.frame === frame)""",
        arg=[beat, wanted])


def picture(page, size):
    page.evaluate("document.body.classList.remove('begin')")  # the mark in the corner
    shot = Image.open(io.BytesIO(page.locator("#screen").screenshot()))
    return np.asarray(shot.convert("RGB").resize(size, Image.BOX), float)


@pytest.mark.parametrize("way", ["file", "http"])
def test_next_plays_exactly_one_beat_and_stops_on_its_last_frame(visit, server, way):
    page = visit("act01.html", server if way == "http" else None)
    page.wait_for_function(READY)
    page.evaluate(RECORD)
    page.wait_for_timeout(400)
    assert page.evaluate(STILL) and page.evaluate("seen.length") <= 1, "it started by itself"
    for beat in plan().beats[:2]:
        page.evaluate("window.seen.length = 0")
        page.keyboard.press("ArrowRight")
        at(page, beat["name"], -1)
        page.wait_for_timeout(250)
        seen = page.evaluate("window.seen")
        assert {clip for clip, _ in seen} == {f"act01-{beat['name']}.mp4"}
        assert abs(seen[-1][1] - (beat["frames"] - 1)) <= 1
        assert page.evaluate(STILL)
    last = Image.open(plan().folder / beat["last"])
    first = Image.open(plan().folder / beat["first"])
    shown = picture(page, last.size)
    errors = [np.abs(shown - np.asarray(each, float)).mean() for each in (last, first)]
    assert errors[0] < 4 and errors[0] < errors[1] / 2


def test_keys_go_back_pause_jump_and_carry_on(visit):
    page = visit("act01.html#act01/build-row")
    page.wait_for_function(READY)
    page.keyboard.press(" ")
    page.wait_for_function("+document.getElementById('screen').dataset.frame > 10")
    page.keyboard.press(" ")
    at(page, "build-row")
    paused = int(page.locator("#screen").get_attribute("data-frame"))
    assert 10 < paused < plan().beats[1]["frames"] - 1
    page.keyboard.press("ArrowRight")  # carries on, to this beat's end
    at(page, "build-row", -1)
    page.keyboard.press("ArrowLeft")
    at(page, "build-row", 0)
    page.keyboard.press("ArrowLeft")
    at(page, "opening", 0)
    page.keyboard.press("3")
    at(page, "change", 0)
    assert page.locator("[aria-current=step]").inner_text().split("\n")[0] == "3"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("!document.querySelector('video.seen').paused")
    page.keyboard.press("ArrowLeft")
    at(page, "change", 0)


def test_everything_can_be_reached_and_pressed_by_tab_and_enter(visit):
    page = visit("act01.html#act01/change")
    page.wait_for_function(READY)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skips to the film and does not leave the beat
    assert page.evaluate("document.activeElement.id") == "film"
    assert page.locator("#beat-number").inner_text().startswith(f"Beat 3 of {len(BEATS)}")
    page.keyboard.press("1")
    at(page, "opening", 0)
    names = []
    for _ in range(50):
        page.keyboard.press("Tab")
        names.append(page.evaluate("""(e => e.id || e.textContent.trim())
            (document.activeElement)"""))
    assert {"language", "theme", "variant", "back", "play", "next", "captions", "through",
            "stills", "full"} <= set(names)
    assert sum(title in name for name in names for title in
               [beat["title"]["en"] for beat in plan().beats]) >= len(BEATS)
    page.locator("#next").focus()
    page.keyboard.press("Enter")
    at(page, "opening", -1)
    assert page.locator("#status").inner_text() == "End of beat 1"


def test_a_touch_goes_on_and_back(visit):
    page = visit("act01.html", viewport={"width": 390, "height": 800}, has_touch=True,
                 is_mobile=True)
    page.wait_for_function(READY)
    box = page.locator("#screen").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, middle)
    at(page, "opening", -1)
    page.touchscreen.tap(box["x"] + box["width"] * 0.1, middle)
    at(page, "opening", 0)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert all(b["height"] >= 44 for b in (page.locator(f"#{name}").bounding_box()
                                           for name in ("back", "play", "next")))


def test_variant_language_and_theme_change_the_film_and_keep_the_beat(visit):
    page = visit("index.html#act01/change")  # a link to the index leads on to the act
    page.wait_for_url("**/act01.html#act01/change")
    page.wait_for_function(READY)
    for select, value, stem in [("#variant", "count = 3", "act01.count-3"),
                                ("#variant", "count = 4", "act01"),
                                ("#language", "zh", "act01.zh")]:
        page.select_option(select, value)
        page.wait_for_function("stem => document.querySelector('video.seen').currentSrc"
                               ".includes(`/${stem}/clips/${stem}-change.mp4`)", arg=stem)
        assert page.url.endswith(f"#{stem}/change")
    beat = plan("act01.zh").beats[2]
    assert page.locator("#beat-title").inner_text() == beat["title"]["zh"]
    assert beat["narration"]["zh"][0] in page.locator("#lines").inner_text()
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    assert page.locator("#note").is_hidden()
    page.select_option("#theme", "light")  # no film is both: the language counts more
    assert page.locator("#note").is_hidden() and page.url.endswith("#act01.zh/change")
    page.select_option("#language", "en")
    page.wait_for_function("""document.querySelector('video.seen').currentSrc
        .includes("act01.light-change.mp4")""")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()  # choices are kept
    page.wait_for_function(READY)
    assert page.url.endswith("#act01.light/change")


def test_subtitles_of_both_languages_are_those_of_the_beat(visit):
    page = visit("act01.html#act01/build-row")
    page.wait_for_function(READY)
    for language, tag in (("en", "en"), ("zh", "zh-Hans")):
        page.select_option("#captions", language)
        shown = page.evaluate("""tag => [...document.querySelector("video.seen").textTracks].filter(
            t => t.language === tag).map(t => [...t.cues].map(
            c => [Math.round(c.startTime * 10), Math.round(c.endTime * 10), c.text]))""", tag)
        cues = plan().beat_cues(plan().beats[1], language)
        assert shown == [[[cue.start, cue.end, "\n".join(cue.rows)] for cue in cues]]
        assert cues[0].start == 0
        page.keyboard.press("Home")
        page.keyboard.press("2")
        at(page, "build-row", 0)
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.querySelector('.words').textContent")
        assert page.locator(".words").get_attribute("lang") == tag
        assert "\n".join(cues[0].rows) == page.evaluate(
            "document.querySelector('.words').textContent")
        size = page.evaluate("""parseFloat(getComputedStyle(document.querySelector('.words'))
            .fontSize) / document.getElementById('screen').clientHeight""")
        assert 0.04 < size < 0.05  # of the film's height, in every browser
        page.keyboard.press(" ")


def test_reduced_motion_shows_pictures_in_place_of_motion(visit):
    page = visit("act01.html", reduced_motion="reduce")
    page.wait_for_function(READY)
    page.evaluate(RECORD)
    assert page.locator("#stills").is_checked()
    for beat in BEATS:
        page.keyboard.press("ArrowRight")
        at(page, beat, -1)
    assert len(page.evaluate("seen")) <= 2 * len(BEATS)


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("name", ["index.html", "act01.html", "act01/change.html",
                                  "act01.zh/change.html", "presenter.html"])
def test_axe_finds_nothing(visit, name, theme):
    page = visit(name)
    if page.locator("#theme").count():
        page.select_option("#theme", theme)
    assert axe_faults(page) == []
