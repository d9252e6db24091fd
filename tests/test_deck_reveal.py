"""The reveal.js deck in a browser: from disk, from a strict server, on paper, without scripts."""

import numpy as np
import pytest
from PIL import Image
from rendered_house import STRICT, Watched, rendered_house, served
from studio_house import BEATS, calls

from studio.deliver.npm import npm_package
from studio.deliver.rendered import read
from studio.errors import RenderError


@pytest.fixture(scope="module")
def deck(tmp_path_factory):
    house, media = rendered_house()
    try:
        npm_package("reveal.js", "6.0.2")
    except RenderError as error:
        pytest.skip(str(error))
    out = tmp_path_factory.mktemp("it's #1")
    base = ["deck", "act01", "--format", "reveal", "--quality", "tiny", "--media", media]
    done = calls(house, [*base, "--out", out], [*base, "--theme", "light", "--out", out],
                 [*base, "--lang", "zh", "--out", out])
    assert [code for code, _, _ in done] == [0, 0, 0], done
    return out


def address(deck, variant="act01", query=""):
    return (deck / f"{variant}-reveal/index.html").as_uri() + query


def running(page):
    """Wait until the slide's clip plays or, on a busy machine, has played."""
    page.wait_for_function("document.querySelector('.present video').played.length")


def test_reveal_plays_on_entering_a_slide_from_disk_with_captions(deck):
    watched = Watched(address(deck))
    page = watched.page
    running(page)
    assert page.locator("section").count() == len(BEATS)
    assert page.evaluate("""[...document.querySelectorAll("video")].every(
        v => v.muted && v.playsInline && v.poster)""")
    page.keyboard.press("c")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("""(() => { const [a, b] = document.querySelectorAll("video");
        return a.paused && b.played.length && b.videoWidth === 256; })()""")
    page.wait_for_function("document.getElementById('caption').textContent.includes('squares')")
    assert "squares" in page.locator("section.present aside.notes").text_content()
    assert not watched.faults
    assert all(url.startswith("file:") for url in watched.asked)
    watched.close()


def test_a_strict_server_shows_the_whole_deck(deck):
    with served(deck / "act01-reveal", STRICT) as url:
        watched = Watched(f"{url}/index.html")
        running(watched.page)
        watched.page.keyboard.press("ArrowRight")
        watched.page.keyboard.press("c")
        watched.page.wait_for_function("document.getElementById('caption').textContent")
        assert not watched.faults
        watched.close()


@pytest.mark.parametrize("variant, ink, first", [
    ("act01", "rgb(232, 237, 242)", "en"), ("act01.light", "rgb(23, 32, 43)", "en"),
    ("act01.zh", "rgb(232, 237, 242)", "zh-Hans")])
def test_captions_are_in_the_films_ink_and_the_decks_language_first(deck, variant, ink, first):
    watched = Watched(address(deck, variant, "#/build-row"))
    page = watched.page
    running(page)
    page.keyboard.press("c")
    page.wait_for_function("document.getElementById('caption').textContent")
    assert page.locator("#caption").get_attribute("lang") == first
    assert page.evaluate("getComputedStyle(document.getElementById('caption')).color") == ink
    ground = read(rendered_house()[1] / variant).manifest["ground"].lstrip("#")
    rgb = f"rgb({', '.join(str(int(ground[k:k + 2], 16)) for k in (0, 2, 4))})"
    assert page.evaluate("""getComputedStyle(document.querySelector('.reveal-viewport'))
        .backgroundColor""") == rgb
    watched.close()


def test_keys_pause_replay_and_black_out(deck):
    watched = Watched(address(deck, query="#/build-row"))
    page = watched.page
    moment = "() => document.querySelector('.present video').currentTime"
    running(page)
    page.wait_for_function("document.querySelector('.present video').currentTime > 0.1")
    page.keyboard.press("k")
    stopped = page.evaluate(moment)
    page.wait_for_timeout(300)
    assert page.evaluate(moment) == stopped > 0
    page.keyboard.press("r")
    page.wait_for_function("!document.querySelector('.present video').paused")
    assert page.evaluate(moment) < stopped
    page.keyboard.press("b")
    page.wait_for_function("document.querySelector('.present video').paused")
    page.keyboard.press("b")
    page.wait_for_function("!document.querySelector('.present video').paused")
    assert not watched.faults
    watched.close()


def test_a_clip_waits_where_it_is_asked_to(deck):
    watched = Watched(address(deck, query="?wait"))
    page = watched.page
    page.wait_for_timeout(400)
    assert page.evaluate("document.querySelector('.present video').paused")
    page.keyboard.press("PageDown")
    running(page)
    assert page.locator("section.present").get_attribute("id") == BEATS[0]
    page.keyboard.press("PageDown")
    page.wait_for_function(f"document.querySelector('section.present').id === '{BEATS[1]}'")
    watched.close()


def test_reduced_motion_shows_last_pictures_until_a_key_asks_for_motion(deck):
    watched = Watched(address(deck, query="#/build-row"), reduced_motion="reduce")
    page = watched.page
    page.wait_for_timeout(400)
    picture, clip = page.locator(".present > img"), page.locator(".present > video")
    assert picture.is_visible() and not clip.is_visible()
    assert page.evaluate("document.querySelector('.present video').paused")
    page.keyboard.press("k")
    running(page)
    assert clip.is_visible() and not picture.is_visible()
    watched.close()


def test_on_paper_every_beat_is_one_page_with_its_last_picture(deck, tmp_path):
    pdfium = pytest.importorskip("pypdfium2", reason="needs: pip install pypdfium2")
    watched = Watched(address(deck, query="?print-pdf"))
    watched.page.wait_for_function("document.querySelectorAll('.pdf-page').length")
    watched.page.wait_for_timeout(300)
    pages = pdfium.PdfDocument(watched.page.pdf(prefer_css_page_size=True, print_background=True))
    assert len(pages) == len(BEATS)
    rendered = read(rendered_house()[1] / "act01")
    for page, beat in zip(pages, rendered.beats):
        seen = page.render(scale=2).to_pil().convert("RGB")
        with Image.open(rendered.folder / beat["last"]) as last:
            size = last.size
            wanted = np.asarray(last.convert("RGB"), float)
        shown = np.asarray(seen.resize(size, Image.BOX), float)
        assert np.abs(shown - wanted).mean() < 6, beat["name"]
    watched.close()


def test_without_scripts_the_deck_is_its_pictures_and_words(deck):
    watched = Watched(address(deck), java_script_enabled=False)
    page = watched.page
    for beat in read(rendered_house()[1] / "act01").beats:
        section = page.locator(f"section#{beat['name']}")
        assert section.locator("img").bounding_box()["height"] > 100
        assert beat["narration"]["en"][0] in section.locator("aside").inner_text()
    watched.close()
