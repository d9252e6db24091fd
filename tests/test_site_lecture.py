"""The gallery in a lecture: landing, clickers, faults, strict and plain servers, small screens."""

import io
import shutil

import numpy as np
import pytest
from PIL import Image
from rendered_house import STRICT, Watched, built_site, rendered_house, served
from studio_house import BEATS

from studio.deliver.rendered import read

READY = "() => document.querySelector('video.seen').readyState >= 2"


def plan(stem="act01"):
    return read(rendered_house()[1] / stem)


def opened(name, base=None, **context):
    watched = Watched(f"{base or built_site().as_uri()}/{name}", **context)
    if name.startswith("act"):
        watched.page.wait_for_function(READY)
    return watched


def frame_is(page, frame):
    page.wait_for_function(
        "n => +document.getElementById('screen').dataset.frame === n", arg=frame)


def off(page, picture):
    """Mean difference between the film on the page and a picture."""
    page.evaluate("document.body.classList.remove('begin')")  # the mark in the corner
    with Image.open(picture) as found:
        wanted = np.asarray(found.convert("RGB"), float)
        shot = Image.open(io.BytesIO(page.locator("#screen").screenshot()))
        shown = shot.convert("RGB").resize(found.size, Image.BOX)
    return np.abs(np.asarray(shown, float) - wanted).mean()


def test_landing_on_a_beat_shows_its_own_picture_not_the_one_before():
    watched = opened("act01.html#act01/change")
    beat = plan().beats[2]
    watched.page.wait_for_timeout(200)
    own, before = (off(watched.page, plan().folder / beat[key]) for key in ("last", "first"))
    assert own < 4 and own < before / 2
    watched.close()


@pytest.mark.parametrize("policy", ["", STRICT])
def test_a_server_without_ranges_shows_last_pictures_and_seeks(policy):
    with served(built_site(), policy) as url:
        watched = opened("act01.html#act01/build-row", url, reduced_motion="reduce")
        page, beat = watched.page, plan().beats[1]
        page.keyboard.press("ArrowRight")
        frame_is(page, beat["frames"] - 1)
        assert off(page, plan().folder / beat["last"]) < 4
        if not policy:  # a strict one allows no blob: then the start is shown
            page.evaluate("player.go(1, { frame: 20, bare: true })")
            page.wait_for_function("""Math.abs(document.querySelector('video.seen').currentTime
                - 20.5 / 30) < 0.02""")
        assert not watched.faults
        watched.close()


@pytest.mark.parametrize("name", ["index.html", "act01.html", "act01/change.html"])
def test_a_strict_policy_blocks_nothing(name):
    with served(built_site(), STRICT) as url:
        watched = Watched(f"{url}/{name}")
        watched.page.wait_for_timeout(300)
        assert not watched.faults
        watched.close()


def test_a_clicker_goes_on_after_a_menu_was_used_and_a_right_click_does_not():
    watched = opened("act01.html")
    page = watched.page
    page.locator("#language").focus()
    page.select_option("#language", "zh")
    page.keyboard.press("PageDown")
    frame_is(page, plan("act01.zh").beats[0]["frames"] - 1)
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    box = page.locator("#screen").bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2, button="right")
    page.wait_for_timeout(200)
    assert page.url.endswith(f"/{BEATS[0]}")
    watched.close()


def test_a_click_at_the_left_of_a_fresh_film_plays_it():
    watched = opened("act01.html")
    box = watched.page.locator("#screen").bounding_box()
    watched.page.mouse.click(box["x"] + box["width"] * 0.1, box["y"] + box["height"] / 2)
    frame_is(watched.page, plan().beats[0]["frames"] - 1)
    watched.close()


def test_a_missing_clip_is_said_shown_as_a_picture_and_passed(tmp_path):
    site = shutil.copytree(built_site(), tmp_path / "site")
    (site / "act01/clips/act01-build-row.mp4").unlink()
    watched = Watched(f"{site.as_uri()}/act01.html#act01/build-row")
    page = watched.page
    page.wait_for_function("!document.getElementById('note').hidden")
    assert "act01-build-row.mp4" in page.locator("#note").inner_text()
    assert off(page, plan().folder / plan().beats[1]["last"]) < 4
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.hash.endsWith('/change')")
    watched.close()


def test_a_broken_link_opens_the_first_beat():
    watched = opened("act01.html#act01/%E0%A4%A")
    watched.page.keyboard.press("ArrowRight")
    frame_is(watched.page, plan().beats[0]["frames"] - 1)
    assert not watched.faults
    watched.close()


def test_a_moment_is_a_link_and_a_beat_can_be_embedded():
    start = plan().beats[1]["start_seconds"]
    watched = opened(f"act01.html?t={start + 0.5}")
    page = watched.page
    frame_is(page, 15)
    assert page.url.endswith("#act01/build-row")
    page.keyboard.press(".")
    frame_is(page, 16)
    page.click("#copy")
    assert "?t=0.5#act01/build-row" in page.locator("#shared").input_value()
    page.click("#embed")
    code = page.locator("#shared").input_value()
    address = code.split('src="')[1].split('"')[0]
    page.goto(address)
    page.wait_for_function(READY)
    assert page.locator("#screen").is_visible() and not page.locator(".telling").is_visible()
    watched.close()


def test_speed_black_and_the_presenters_window():
    watched = opened("act01.html#act01/build-row")
    page = watched.page
    page.select_option("#speed", "2")
    assert page.evaluate("[...document.querySelectorAll('video')].every(v => v.playbackRate === 2)")
    page.keyboard.press("b")
    assert page.evaluate("getComputedStyle(document.getElementById('screen'), '::after')"
                         ".backgroundColor") == "rgb(0, 0, 0)"
    page.keyboard.press("b")
    with page.expect_popup() as popup:
        page.keyboard.press("p")
    words = popup.value
    words.wait_for_function("document.getElementById('title').textContent")
    beats = plan().beats
    assert words.locator("#title").inner_text() == beats[1]["title"]["en"]
    assert words.locator("#next").inner_text() == beats[2]["title"]["en"]
    assert beats[1]["narration"]["en"][0] in words.locator("#lines").inner_text()
    words.keyboard.press("PageDown")
    frame_is(page, beats[1]["frames"] - 1)
    watched.close()


@pytest.mark.parametrize("scheme, language, theme, stem", [
    ("light", "en-US", "light", "act01.light"), ("dark", "zh-CN", "dark", "act01.zh")])
def test_a_first_visit_has_the_systems_theme_and_language(scheme, language, theme, stem):
    watched = opened("act01.html", color_scheme=scheme, locale=language)
    assert watched.page.evaluate("document.documentElement.dataset.theme") == theme
    assert f"#{stem}/" in watched.page.url and watched.page.locator("#note").is_hidden()
    watched.page.goto(f"{built_site().as_uri()}/index.html")
    assert f"{stem}/thumbs/" in watched.page.locator(".cards img").get_attribute("src")
    watched.close()


@pytest.mark.parametrize("name", ["index.html", "act01.html", "act01/change.html"])
def test_a_page_320_pixels_wide_does_not_scroll_sideways(name):
    watched = Watched(f"{built_site().as_uri()}/{name}", viewport={"width": 320, "height": 640})
    watched.page.wait_for_timeout(200)
    assert watched.page.evaluate("document.documentElement.scrollWidth") <= 320
    watched.close()


def test_a_phone_on_its_side_shows_the_film_whole():
    watched = opened("act01.html", viewport={"width": 800, "height": 360})
    box = watched.page.locator("#screen").bounding_box()
    assert box["y"] < 10 and box["y"] + box["height"] <= 360 and box["height"] > 240
    watched.close()


def test_search_finds_what_is_said_in_both_languages():
    watched = opened("index.html")
    page = watched.page
    page.fill("#search", "circle square")
    page.wait_for_function("document.querySelectorAll('#results a').length === 1")
    assert page.locator("#results a").get_attribute("href") == "act01.html#act01/change"
    page.select_option("#language", "zh")
    page.fill("#search", "方块")
    page.wait_for_function("document.querySelectorAll('#results a').length > 1")
    page.fill("#search", "scheduler.py:30")
    page.wait_for_function("document.querySelectorAll('#results a').length === 1")
    watched.close()


@pytest.mark.parametrize("name", ["index.html", "act01.html", "act01/change.html"])
def test_an_english_page_loads_no_chinese_face(name):
    with served(built_site()) as url:
        watched = Watched(f"{url}/{name}")
        watched.page.evaluate("document.fonts.ready.then(() => 1)")
        watched.page.wait_for_timeout(300)
        assert any("sans.woff2" in asked for asked in watched.asked)
        assert not [asked for asked in watched.asked if "cjk" in asked]
        watched.close()


def test_without_scripts_acts_lead_to_pages_with_picture_words_clip_and_anchors():
    watched = Watched(f"{built_site().as_uri()}/act01.html", java_script_enabled=False)
    page, beat = watched.page, plan().beats[1]
    ways = page.locator("noscript a")
    assert ways.all_inner_texts() == ["Watch the whole film instead", "直接观看完整影片"]
    assert all(way.is_visible() for way in ways.all())
    page.click(f"#beats a[href='act01/{beat['name']}.html']")
    assert page.locator("h1").inner_text() == beat["title"]["en"]
    assert beat["narration"]["en"][0] in page.locator("#lines").inner_text()
    assert page.locator("video").get_attribute("poster").endswith(beat["last"])
    assert page.locator("#anchors a").count() == len(beat["anchors"])
    page.click("a[rel=next]")
    assert page.locator("h1").inner_text() == plan().beats[2]["title"]["en"]
    watched.close()
