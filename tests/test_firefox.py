"""What Firefox does with the pages: the film, the deck, the lab, a strict server, the presenter."""

import atexit
import base64
import io
import os
import shutil
from functools import cache

import numpy as np
import pytest
from lab_house import LAB, built_lab, reference
from PIL import Image
from rendered_house import STRICT, built_site, rendered_house, served
from studio_house import BEATS, calls

from studio.deliver.npm import npm_package
from studio.deliver.rendered import read
from studio.errors import RenderError

ARROW_LEFT, ARROW_RIGHT, SPACE = "\ue012", "\ue014", " "
ERRORS = """return Services.console.getMessageArray()
    .filter(m => m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag)
        && m.sourceName.startsWith(arguments[0])).map(m => m.errorMessage)"""


class Firefox:
    """One headless Firefox over its own remote protocol, Marionette."""

    def __init__(self, program: str, client) -> None:
        self._client = client.Marionette(
            bin=program, headless=True, gecko_log=os.devnull,
            prefs={"layout.css.prefers-color-scheme.content-override": 0})  # dark
        self._client.start_session()
        self._client.set_window_rect(width=1280, height=900)
        atexit.register(self._client.quit)

    def open(self, url: str) -> None:
        self._base = url.rpartition("/")[0]
        self._client.navigate("about:blank")
        with self._client.using_context("chrome"):
            self._client.execute_script("Services.console.reset()")
        self._client.navigate(url)

    def js(self, expression: str, *arguments):
        return self._client.execute_script(f"return ({expression})", arguments, sandbox=None)

    def wait(self, expression: str, *arguments, seconds: float = 30) -> None:
        script = """const [expression, seconds, given, done] = [arguments[0], arguments[1],
            arguments[2], arguments[arguments.length - 1]], end = Date.now() + 1000 * seconds;
            const test = new Function("given", "return " + expression);
            (function again() { if (test(given)) done(true);
                else if (Date.now() > end) done(false); else setTimeout(again, 30); })()"""
        self._client.timeout.script = seconds + 10
        assert self._client.execute_async_script(
            script, (expression, seconds, list(arguments)), sandbox=None), expression

    def press(self, *keys: str) -> None:
        for key in keys:
            self._client.find_element("tag name", "body").send_keys(key)

    def shot(self, selector: str, size: tuple[int, int]) -> np.ndarray:
        element = self._client.find_element("css selector", selector)
        png = base64.b64decode(self._client.screenshot(element, full=False))
        image = Image.open(io.BytesIO(png)).convert("RGB")
        return np.asarray(image.resize(size, Image.BOX), float)

    def faults(self) -> list[str]:
        """Errors of scripts and styles of the pages beside the one that is open."""
        with self._client.using_context("chrome"):
            return self._client.execute_script(ERRORS, (self._base,))


@cache
def started() -> Firefox:
    client = pytest.importorskip("marionette_driver.marionette",
                                 reason="needs: pip install marionette_driver")
    program = os.environ.get("FIREFOX") or shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("needs: apt-get install firefox-esr")
    return Firefox(os.path.realpath(program), client)


@pytest.fixture
def firefox():
    browser = started()
    yield browser
    assert not browser.faults()


def plan():
    return read(rendered_house()[1] / "act01")


STILL = "[...document.querySelectorAll('video')].every(video => video.paused)"
FRAME = "+document.getElementById('screen').dataset.frame === given[0]"


@pytest.mark.parametrize("policy", ["", STRICT])
def test_next_plays_a_beat_to_its_last_picture_and_back_again(firefox, policy):
    beats = plan().beats
    with served(built_site(), policy) as url:
        firefox.open(f"{url}/act01.html")
        firefox.wait("document.querySelector('video.seen').readyState >= 2")
        for beat in beats[:2]:
            firefox.press(ARROW_RIGHT)
            firefox.wait(f"location.hash.endsWith(given[1]) && {FRAME} && {STILL}",
                         beat["frames"] - 1, beat["name"])
        last = Image.open(plan().folder / beat["last"]).convert("RGB")
        first = Image.open(plan().folder / beat["first"]).convert("RGB")
        firefox.js("document.body.classList.remove('begin')")
        seen = firefox.shot("#screen", last.size)
        off = [np.abs(seen - np.asarray(each, float)).mean() for each in (last, first)]
        assert off[0] < 4 and off[0] < off[1] / 2
        firefox.press(ARROW_LEFT)
        firefox.wait(FRAME, 0)


def test_a_moment_is_a_link_and_one_frame_is_a_key(firefox):
    start = plan().beats[1]["start_seconds"]
    with served(built_site()) as url:
        firefox.open(f"{url}/act01.html?t={start + 0.5}")
        firefox.wait(f"location.hash.endsWith('/build-row') && {FRAME}", 15)
        firefox.press(".")
        firefox.wait(FRAME, 16)
        firefox.press("b")
        assert firefox.js("getComputedStyle(document.getElementById('screen'), '::after')"
                          ".backgroundColor") == "rgb(0, 0, 0)"


def test_a_clip_that_is_missing_is_shown_as_its_last_picture(firefox, tmp_path):
    site = shutil.copytree(built_site(), tmp_path / "site")
    (site / "act01/clips/act01-build-row.mp4").unlink()
    firefox.open(f"{site.as_uri()}/act01.html#act01/build-row")
    firefox.wait("!document.getElementById('note').hidden")
    last = Image.open(plan().folder / plan().beats[1]["last"]).convert("RGB")
    assert np.abs(firefox.shot("#screen", last.size) - np.asarray(last, float)).mean() < 4


def test_the_deck_plays_on_entering_a_slide(firefox, tmp_path):
    house, media = rendered_house()
    try:
        npm_package("reveal.js", "6.0.2")
    except RenderError as error:
        pytest.skip(str(error))
    (code, _, errors), = calls(house, ["deck", "act01", "--format", "reveal", "--quality", "tiny",
                                       "--media", media, "--out", tmp_path])
    assert code == 0, errors
    firefox.open((tmp_path / "act01-reveal/index.html").as_uri())
    playing = "document.querySelector('.present video').played.length"
    firefox.wait(playing)
    assert firefox.js("document.querySelectorAll('section').length") == len(BEATS)
    firefox.press("c", ARROW_RIGHT)
    firefox.wait(f"{playing} && document.querySelectorAll('video')[0].paused")
    firefox.wait("document.getElementById('caption').textContent.includes('squares')")


@pytest.mark.parametrize("example", LAB.examples)
def test_the_lab_replays_what_the_reference_model_does(firefox, example):
    params, memory = LAB.settings(example)
    trace, _ = reference(params, memory)
    firefox.open(f"{built_lab().as_uri()}/act04.lab.html")
    firefox.js("document.querySelector('[data-say=lab_example_' + arguments[0] + ']')"
               ".click()", example)
    firefox.wait("+document.getElementById('lab-step').max === given[0]",
                 len(trace.steps) + bool(trace.stuck))
