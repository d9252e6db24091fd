"""A lab in the gallery: on its act's page, on a page of its own, in the index; and its command."""

import pytest
from lab_house import LAB, drawn, expected, reference
from rendered_house import STRICT, Watched, axe_faults, served
from studio_house import build, calls, script

from scenes.stage import load_act

READY = "() => document.querySelector('video.seen').readyState >= 2"

# An act of one beat with the parameters of act 04, and its lab.
LECTURE = '''
from dataclasses import dataclass
from types import SimpleNamespace

from scenes.act01_probe import beats
from scenes.kit.look import LOOK
from scenes.stage import Lab, Lecture, Source, param


@dataclass(frozen=True)
class Params:
{film}


@dataclass(frozen=True)
class Memory:
{memory}


lecture = Lecture(number=1, params=Params, sections=(beats,), look=LOOK,
                  tell=lambda params: SimpleNamespace(facts={{}}, source=Source("SIMULATED")),
                  lab=Lab(Params, Memory, {roles}, {examples}))
'''
BEATS = '''
from manim import Square

from scenes.stage import beat


@beat(header=False)
def opening(act):
    act.add(Square(3, fill_opacity=1))
'''
WORDS = '''
title: {0}
leaves_out: {0}
labels: {{}}
beats:
  opening: {{title: {0} begins, lines: ["{0}."]}}
  remember: {{title: {0} ends, lines: ["{0} {0} {0} {0} {0} {0} {0} {0}."]}}
'''
RENDER = """
import sys
from pathlib import Path
from studio.pipeline import render
from studio.render.order import Order
if __name__ == "__main__":
    render([Order("act01", "tiny")], Path(sys.argv[1]), 1, lambda *_: None)
"""


def params_of(*in_film):
    lines = []
    for field in LAB.fields:
        default, low, high = field["default"], field["low"], field["high"]
        if field["film"] in in_film:
            value = tuple(default) if isinstance(default, list) else default
            more = f", least={field['least']}, most={field['most']}" if "least" in field else ""
            lines.append(f"    {field['name']}: {type(value).__name__} = "
                         f"param({value}, {low}, {high}{more})")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A project whose one act has a lab, rendered; and its gallery."""
    root = tmp_path_factory.mktemp("lab-site")
    folder = build(root / "house")
    act = folder / "scenes/act01_probe"
    (act / "__init__.py").write_text(LECTURE.format(
        film=params_of(True), memory=params_of(False), roles=dict(LAB.roles),
        examples=dict(LAB.examples)), encoding="utf-8")
    (act / "beats.py").write_text(BEATS, encoding="utf-8")
    for language, title in (("en", "A probe"), ("zh", "探针")):
        (act / f"{language}.yaml").write_text(WORDS.format(title), encoding="utf-8")
    script(folder, RENDER, root / "media")
    (code, _, errors), = calls(folder, ["site", "--media", root / "media", "--out", root / "site",
                                        "--url", "https://example.org/"])
    assert code == 0, errors
    return folder, root / "site"


def film_run():
    params, memory = LAB.settings("film")
    return expected(*reference(params, memory), params.max_num_seqs)


def come_near(page):
    """Scroll to the lab, which begins when somebody does."""
    page.locator("#lab").scroll_into_view_if_needed()
    page.wait_for_selector("#lab-scroll svg")


def test_the_acts_page_holds_the_lab_and_its_keys_do_not_move_the_film(house):
    with served(house[1], STRICT) as url:
        watched = Watched(f"{url}/act01.html", reduced_motion="reduce")
        page = watched.page
        page.wait_for_function(READY)
        assert not drawn(page)
        come_near(page)
        assert drawn(page) == film_run()
        address = page.url
        page.locator("#lab-set-budget").focus()
        for key in ("ArrowRight", "PageDown", "1", "End"):
            page.keyboard.press(key)
        page.locator("#lab-after").focus()
        for key in (" ", "ArrowRight", "b", "2"):
            page.keyboard.press(key)
        assert page.locator("#lab-moment").inner_text().startswith("Step 2 of")
        page.wait_for_timeout(200)
        assert page.url == address and page.locator("#screen").get_attribute("data-frame") == "0"
        page.locator("#lab-copy").click()
        assert page.locator("#lab-shared").input_value() == (
            f"{url}/act01.lab.html#budget=24&step=2")
        page.select_option("#language", "zh")
        page.wait_for_function("document.getElementById('lab-moment').textContent[0] === '第'")
        assert not watched.faults
        watched.close()


def test_the_pages_lead_to_each_other_and_the_site_map_knows_them(house):
    site = house[1]
    watched = Watched(f"{site.as_uri()}/index.html")
    page = watched.page
    assert page.locator(".labs").inner_text() == "Labs: Act 01 · A probe"
    page.locator(".labs a").click()
    page.wait_for_url("**/act01.lab.html*")
    assert drawn(page) == film_run()
    page.locator(".home").click()
    page.wait_for_url("**/act01.html#**")
    page.wait_for_function(READY)
    page.locator(".lab-way a").click()
    page.wait_for_function("document.getElementById('lab').getBoundingClientRect().top < 200")
    assert not watched.faults
    watched.close()
    assert "https://example.org/act01.lab.html" in (site / "sitemap.xml").read_text()
    shared = (site / "act01.lab.html").read_text(encoding="utf-8")
    picture = shared.split('property="og:image" content="https://example.org/')[1].split('"')[0]
    assert (site / picture).is_file()


@pytest.mark.parametrize("width", [320, 1280])
def test_axe_finds_nothing_on_the_acts_page(house, width):
    watched = Watched(f"{house[1].as_uri()}/act01.html", viewport={"width": width, "height": 640})
    watched.page.wait_for_function(READY)
    come_near(watched.page)
    assert axe_faults(watched.page) == []
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    watched.page.goto(watched.page.url.partition("#")[0] + "?embed")
    assert watched.page.locator("#lab").is_hidden()
    watched.close()


def test_the_command_makes_a_folder_alone_and_says_what_it_cannot_do(house, tmp_path):
    folder, _ = house
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/mine.txt").touch()
    made, unknown, taken = calls(folder, ["lab", "act01", "--out", tmp_path / "lab"],
                                 ["lab", "act09", "--out", tmp_path / "b"],
                                 ["lab", "act01", "--out", tmp_path / "taken"])
    assert made == (0, f"{tmp_path / 'lab/act01.lab.html'}\n", "")
    assert (unknown[0], unknown[1], unknown[2].count("\n")) == (2, "", 1)
    assert taken[0] == 2 and "mine.txt was not made here" in taken[2]
    act = folder / "scenes/act01_probe/__init__.py"
    act.write_text(act.read_text().replace("lab=Lab(", "lab=None and Lab("))
    (none,) = calls(folder, ["lab", "act01", "--out", tmp_path / "c"])
    assert none == (2, "", "render.py: act01 has no lab; acts that have one: none\n")
    watched = Watched((tmp_path / "lab/act01.lab.html").as_uri())
    assert drawn(watched.page) == film_run() and not watched.faults
    watched.close()


def test_a_lab_takes_what_the_act_and_its_memory_take():
    assert load_act("act04").lab is LAB
    names = [field["name"] for field in LAB.fields]
    assert len(set(names)) == len(names)
    for example in LAB.examples:
        LAB.settings(example)
