"""Labs: pages in which an act's workload can be changed, simulated in the browser at once."""

import json
from html import escape
from pathlib import Path

from scenes.stage import LANGUAGES, UnknownActError, Words, act_names, load_act
from scenes.stage.lecture import Lecture
from studio.deliver.captions import tag
from studio.deliver.site_assets import template, write_assets
from studio.deliver.site_pages import head
from studio.errors import UsageError
from studio.render.files import publish
from studio.render.own import require_own, write_list
from studio.render.scratch import scratch_folder

__all__ = ["LAB_ASSETS", "build_lab", "lab_list", "lab_of", "lab_page", "lab_values", "write_lab",
           "write_roles"]

_SCRIPTS = ("lab-words.js", "pool.js", "replay.js", "lab-settings.js", "lab-timeline.js",
            "lab-pool.js", "lab-near.js", "lab-controls.js", "lab-view.js", "lab.js")
LAB_ASSETS = ("lab.css", *_SCRIPTS)
_HEAD = "".join(f'<link rel="stylesheet" href="assets/{name}.css">\n' for name in ("roles", "lab"))
_LINK = ('    <p class="lab-way"><a href="#lab" data-say="labTitle">Change the workload, and see '
         "every step</a></p>\n")
_WORDS = "Change the workload, and see every step of the scheduler, simulated in your browser."
_HOME = '<span class="home" data-say="course">Visible inference</span>'
_BACK = ('<a class="home" href="{}.html"><span aria-hidden="true">←</span> '
         '<span data-say="labCourse">Back to the act</span></a>')
_ACT = {"en": "Act {:02} · {}", "zh": "第 {:02} 幕 · {}"}


def lab_of(act: str) -> Lecture | None:
    """The lecture of an act that has a lab; None for others, and for one that is not here."""
    try:
        lecture = load_act(act)
    except UnknownActError:
        return None
    return lecture if lecture.lab else None


def lab_values(lecture: Lecture | None, level: int = 2) -> dict[str, str]:
    """The parts of a page that show a lab, by their names in the template; "" where none is.

    `level`: of its heading.
    """
    if lecture is None or lecture.lab is None:
        return dict.fromkeys(("lab_head", "lab_link", "lab", "lab_scripts"), "")
    lab = lecture.lab
    data = json.dumps({"act": lecture.name, "fields": lab.fields, "roles": dict(lab.roles),
                       "examples": lab.examples})
    return {"lab_head": _HEAD, "lab_link": _LINK,
            "lab": template("lab-part.html").substitute(
                heading=f"h{level}", part=f"h{level + 1}", data=data),
            "lab_scripts": "".join(f'<script src="assets/{name}"></script>\n'
                                   for name in _SCRIPTS)}


def lab_page(lecture: Lecture) -> str:
    """"act04.lab.html"."""
    return f"{lecture.name}.lab.html"


def write_lab(folder: Path, lecture: Lecture, picture: str = "", url: str = "") -> str:
    """Write the page of a lab alone; its name.

    `picture`: of its act, whose page is beside it then; `url`: where the site will be.
    """
    name = lab_page(lecture)
    title = f"{Words('en', lecture.name).title} · Lab"
    page = template("lab.html").substitute(
        {**lab_values(lecture, level=1), "title": escape(title), "act": _titles(lecture),
         "home": _BACK.format(lecture.name) if picture else _HOME,
         "head": head(f"{title} · Visible inference", _WORDS, picture or "assets/icon.svg", name,
                      url)})
    (folder / name).write_text(page, encoding="utf-8")
    return name


def lab_list(lectures: list[Lecture]) -> str:
    """Links to the labs, for the index; "" where there are none."""
    links = " ".join(f'<a href="{lab_page(lecture)}">{_titles(lecture)}</a>'
                     for lecture in lectures)
    return f'<p class="labs"><span data-say="labs">Labs</span> {links}</p>' if lectures else ""


def _titles(lecture: Lecture) -> str:
    """The act's number and title in every language; the page shows its own."""
    return "".join(
        f'<span lang="{tag(each)}">'
        f"{escape(_ACT[each].format(lecture.number, Words(each, lecture.name).title))}</span>"
        for each in LANGUAGES)


def write_roles(assets: Path, lecture: Lecture) -> None:
    """Write `roles.css`: the film's colours, by role, in both themes, and a class a request."""
    dark, light = (" ".join(f"--film-{role}: {colour};" for role, colour in
                            lecture.look.colours(theme).items()) for theme in ("dark", "light"))
    requests = sorted(set(lecture.lab.roles.values())) if lecture.lab else []
    (assets / "roles.css").write_text("\n".join([
        f":root {{ {dark} }}", f':root[data-theme="light"] {{ {light} }}',
        *(f".{role} {{ --hue: var(--film-{role}); }}" for role in requests), ""]),
        encoding="utf-8")


def build_lab(act: str, out: Path) -> Path:
    """Make a folder with an act's lab alone, for which nothing need be rendered; its page's path.

    Raises UsageError for an act without a lab, and when `out` holds other things.
    """
    lecture = lab_of(act)
    if lecture is None:
        load_act(act)  # an unknown one says so
        known = ", ".join(name for name in act_names() if lab_of(name)) or "none"
        raise UsageError(f"{act} has no lab; acts that have one: {known}")
    require_own(out)
    with scratch_folder(out.parent) as scratch:
        folder = scratch / "lab"
        folder.mkdir()
        name = write_lab(folder, lecture)
        write_roles(write_assets(folder, ("site.css", "words.js", "copy.js", "icon.svg",
                                          *LAB_ASSETS)), lecture)
        write_list(folder, "site.json")
        publish(folder, out)
    return out / name
