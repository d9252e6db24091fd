"""A reveal.js deck: one <section> a clip, in a folder that opens from disk and from any server.

Nothing in it is inline: a page whose server allows only its own files (CSP) shows it too.
"""

import json
import shutil
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import av

from scenes.stage import LANGUAGES
from studio.deliver import captions
from studio.deliver.decks.talk import Talk
from studio.deliver.npm import npm_package
from studio.deliver.rendered import Rendered

__all__ = ["name", "require", "write"]

REVEAL = "reveal.js", "6.0.2"
_PARTS = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "dist/plugin/notes.js", "LICENSE")
_TEMPLATES = Path(__file__).parents[1] / "templates"
_OWN = ("deck.css", "plain.css", "deck.js", "icon.svg")
_SECTION = """<section data-background-color="{ground}" id="{id}">
<h2>{title}</h2>
<video {muted}playsinline preload="metadata" data-src="{clip}" poster="{first}"
  aria-label="{title}"></video>
<img src="{last}" alt="{title}" loading="lazy">
<aside class="notes">{notes}</aside>
</section>"""


def require() -> None:
    """Raise RenderError when reveal.js cannot be had."""
    npm_package(*REVEAL)


def name(talk: Talk) -> str:
    """Name of the folder."""
    return f"{talk.name}-reveal"


def write(talk: Talk, folder: Path) -> None:
    """`index.html`, its style and script, `clips/` and `reveal/`."""
    (folder / "clips").mkdir(parents=True)
    (folder / "reveal").mkdir()
    package = npm_package(*REVEAL)
    for part in _PARTS:
        shutil.copyfile(package / part, folder / "reveal" / Path(part).name)
    for part in _OWN:
        shutil.copyfile(_TEMPLATES / part, folder / part)
    sections, cues = [], {}
    for number, (act, beat) in enumerate(talk.slides, 1):
        for file in (beat["clip"], beat["first"], beat["last"]):
            shutil.copyfile(act.folder / file, folder / file)
        key = _key(talk, act, beat, number)
        sections.append(_section(talk, act, beat, key))
        cues[key] = {captions.tag(each): [(cue.start, cue.end, "\n".join(cue.rows))
                                          for cue in act.beat_cues(beat, each)]
                     for each in LANGUAGES}
    own_first = sorted(LANGUAGES, key=lambda each: each != talk.language)
    data = {"languages": [captions.tag(each) for each in own_first], "cues": cues,
            "size": talk.first.sheet["size"]}
    page = Template((_TEMPLATES / "deck.html").read_text(encoding="utf-8")).substitute(
        lang=captions.tag(talk.language), theme=talk.first.sheet["theme"],
        title=escape(talk.title), sections="\n".join(sections),
        # "<" could end the script element early
        data=json.dumps(data, ensure_ascii=False).replace("<", "\\u003c"))
    (folder / "index.html").write_text(page, encoding="utf-8")


def _key(talk: Talk, act: Rendered, beat: dict[str, Any], number: int) -> str:
    """The section's id: the beat's name; in a course with its act; numbered if it comes twice."""
    key = str(beat["name"]) if len(talk.acts) == 1 else f"{act.sheet['act']}-{beat['name']}"
    names = [each["name"] for _, each in talk.slides]
    return f"{key}-{number}" if len(talk.acts) == 1 and names.count(beat["name"]) > 1 else key


def _section(talk: Talk, act: Rendered, beat: dict[str, Any], key: str) -> str:
    with av.open(str(act.folder / beat["clip"])) as clip:
        muted = "" if clip.streams.audio else "muted "  # what is silent may start by itself
    return _SECTION.format(
        muted=muted, ground=act.manifest["ground"], id=key,
        title=escape(beat["title"][talk.language]), clip=escape(beat["clip"]),
        first=escape(beat["first"]), last=escape(beat["last"]),
        notes=escape(act.speaker_notes(beat, talk.language)).replace("\n", "<br>"))
