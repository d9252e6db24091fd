"""The author's live view, in a real browser: drawn on save, errors beside the last good picture."""

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from rendered_house import Watched
from studio_house import BEATS_FILE, build, command, outlives

WAIT = 60_000  # milliseconds; a busy machine


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("watched"))


@pytest.fixture(scope="module")
def address(house):
    """The page's address; at the end the command is interrupted and leaves nobody behind."""
    process = subprocess.Popen(
        command("watch", "act01", "--beat", "build-row", "--quality", "tiny", "--port", "0"),
        cwd=house, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    line = process.stdout.readline()
    assert line.startswith("http://127.0.0.1:"), process.stderr.read()
    yield line.split()[0]
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=30) == 130
    assert not outlives(process.pid)
    assert not list((house / "media/.studio").glob("tmp-*"))


@pytest.fixture
def watched(address):
    watched = Watched(address)
    watched.page.wait_for_selector("#film:not([hidden])", timeout=WAIT)
    yield watched
    watched.close()
    assert not watched.faults


@pytest.fixture
def beats(house):
    """The act's file of beats, put back as it was."""
    path = house / BEATS_FILE
    text = path.read_text(encoding="utf-8")
    yield path
    path.write_text(text, encoding="utf-8")


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def pixels(page) -> str:
    """The still as the browser sees it, a URL of its data."""
    return page.evaluate("""async () => { const image = document.querySelector("#still");
        await image.decode(); const canvas = document.createElement("canvas");
        canvas.width = image.naturalWidth; canvas.height = image.naturalHeight;
        canvas.getContext("2d").drawImage(image, 0, 0); return canvas.toDataURL(); }""")


def source(page) -> str:
    return page.get_attribute("#still", "src")


def wait_for_another(page, before):
    page.wait_for_function("before => document.querySelector('#still').getAttribute('src')"
                           " !== before", arg=before, timeout=WAIT)


def test_the_beat_plays_with_words_cues_pace_and_parameters_beside_it(watched):
    page = watched.page
    page.wait_for_function("document.querySelector('#film').currentTime > 0.2", timeout=WAIT)
    assert page.inner_text("#beat-title") == "4 squares stand in a row"
    for line, words in zip(page.locator("#lines li").all_inner_texts(), (
            "Here are 4 squares.", "The first rises; the second is filled."), strict=True):
        assert line.endswith(words) and " s" in line
    assert "[rise]" in page.inner_text("#cues") and "moves at" in page.inner_text("#cues")
    assert "longest stillness" in page.inner_text("#pace")
    assert page.input_value("#parameters input[name=count]") == "4"
    assert page.locator("#beat option").count() == 4
    assert all(url.startswith(("http://127.0.0.1:", "blob:", "data:")) for url in watched.asked)


def test_a_save_draws_anew_and_an_error_keeps_the_last_good_picture(watched, beats):
    page = watched.page
    first, shown = pixels(page), source(page)
    edit(beats, "pace=12)", "pace=12)\n    row.shift(UP)")
    wait_for_another(page, shown)
    second, shown = pixels(page), source(page)
    assert second != first
    line = beats.read_text(encoding="utf-8").splitlines().index("    row.shift(UP)") + 1
    for wrong, message in (("row.shift(", "was never closed"), ("row.shfit(UP)", "shfit"),
                           ("act.move(row, pace=900)", "frames more")):
        edit(beats, "row.shift(UP)", wrong)
        page.wait_for_function("text => document.querySelector('#error').innerText.includes(text)",
                               arg=message, timeout=WAIT)
        assert f"scenes/act01_probe/beats.py:{line}: " in page.inner_text("#error")
        assert source(page) == shown and pixels(page) == second
        edit(beats, wrong, "row.shift(UP)")
        wait_for_another(page, shown)
        shown = source(page)
        assert page.is_hidden("#error") and pixels(page) == second


def test_beat_language_theme_and_parameters_can_be_chosen(watched):
    page, before = watched.page, source(watched.page)
    seen = {pixels(page)}
    for choose in (lambda: page.select_option("#language", "zh"),
                   lambda: page.select_option("#theme", "light"),
                   lambda: page.fill("#parameters input[name=count]", "3"),
                   lambda: page.select_option("#beat", "opening")):
        choose()
        page.keyboard.press("Tab")
        wait_for_another(page, before)
        before = source(page)
        seen.add(pixels(page))
    assert len(seen) == 5
    assert page.inner_text("#beat-title") == "探针"
    page.fill("#parameters input[name=count]", "99")
    page.keyboard.press("Tab")
    page.wait_for_selector("#error:not([hidden])", timeout=WAIT)
    assert "int 2..8" in page.inner_text("#error") and source(page) == before
    page.evaluate("""choose({beat: "build-row", language: "en", theme: "dark",
                             settings: {count: "4"}})""")
    wait_for_another(page, before)


def ask(url, data=None, **headers):
    request = urllib.request.Request(url, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_only_this_machine_s_page_is_answered(address):
    assert ask(address) == ask(f"{address}page.js") == 200
    assert ask(address, Host="example.org") == 403
    assert ask(f"{address}state", Origin="http://example.org") == 403
    choice = json.dumps({"beat": "opening"}).encode()
    assert ask(f"{address}choose", choice, Origin="http://example.org") == 400
    assert ask(f"{address}choose", b"[]") == ask(f"{address}choose", b"\xff") == 400
    assert ask(f"{address}../render.py") == ask(f"{address}none.png") == 404
