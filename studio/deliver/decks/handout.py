"""A PDF handout: every beat's last picture with its narration, source anchors and page numbers."""

import datetime as dt
from pathlib import Path
from typing import Any

from scenes.stage import LANGUAGES
from studio.deliver import fonts
from studio.deliver.decks.talk import COURSE, Talk
from studio.deliver.meanings import MEANINGS, meaning
from studio.deliver.rendered import Rendered
from studio.deliver.site_data import anchor_url
from studio.pins import require_module

__all__ = ["name", "require", "write"]

_MARGIN, _WIDTH = 20.0, 170.0  # millimetres of an A4 page
_INK, _MUTED, _LINK = (23, 32, 43), (91, 104, 118), (0, 114, 178)
_LATIN = "".join(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180)])) + "–—‘’“”…−×·→←≤≥≈√\u200b"
_ACT = {"en": "Act {}", "zh": "第 {} 幕"}


def require() -> None:
    """Raise RenderError when fpdf2 is missing."""
    require_module("fpdf", "fpdf2", "deck")


def name(talk: Talk) -> str:
    """Name of the file."""
    return f"{talk.name}.handout.pdf"


def write(talk: Talk, path: Path) -> None:
    """Write the handout: the talk's language first, then the other one in a quieter ink."""
    page = _paper(talk, path.parent)
    for act in talk.acts:
        for index, beat in enumerate(act.beats):
            _beat(page, talk, act, beat, begins=index == 0)
    page.output(str(path))


def _paper(talk: Talk, scratch: Path) -> Any:
    """An empty document with the course's fonts, a running foot and the talk's properties."""
    from fpdf import FPDF

    class Paper(FPDF):
        def footer(self) -> None:
            """Title and page number at the foot of every page."""
            self.set_y(-14)
            self.set_font("Sans", size=8.5)
            self.set_text_color(*_MUTED)
            # the number first: after a Chinese title fpdf2 leaves its face to the next cell
            self.cell(_WIDTH, 5, str(self.page_no()), align="R")
            self.set_x(_MARGIN)
            self.cell(_WIDTH, 5, f"{COURSE[talk.language]} · {talk.title}")

    page = Paper(format="A4")
    page.set_margin(_MARGIN)
    page.set_auto_page_break(True, _MARGIN)
    for family, file in _fonts(talk, scratch).items():
        page.add_font(family, "", str(file))
    page.set_fallback_fonts(["CJK"])
    page.set_title(talk.title)
    page.set_author(COURSE[talk.language])
    page.set_subject(talk.subject)
    page.set_lang({"en": "en", "zh": "zh-Hans"}[talk.language])
    page.set_creation_date(dt.datetime.now(dt.UTC))
    return page


def _fonts(talk: Talk, scratch: Path) -> dict[str, Path]:
    """Files of the families "Sans", "Head", "Mono" and "CJK", with the glyphs that are needed."""
    text = "".join([*COURSE.values(), *_ACT.values(), *MEANINGS["zh"].values(), *(
        line for act, beat in talk.slides for each in LANGUAGES
        for line in [act.sheet["title"][each], beat["title"][each], *beat["narration"][each]])])
    files = {"Sans": fonts.subset("sans", _LATIN, wght=400, opsz=14),
             "Head": fonts.subset("sans", _LATIN, wght=640, opsz=20),
             "Mono": fonts.subset("mono", _LATIN, wght=400),
             "CJK": fonts.truetype(fonts.subset("cjk", text, wght=400))}
    for family, data in files.items():
        (scratch / f"{family}.ttf").write_bytes(data)
    return {family: scratch / f"{family}.ttf" for family in files}


def _beat(page: Any, talk: Talk, act: Rendered, beat: dict[str, Any], begins: bool) -> None:
    """One page, or more where the words need it; `begins`: the act's title stands above it."""
    page.add_page()
    own, *others = sorted(LANGUAGES, key=lambda each: each != talk.language)
    if begins:
        page.start_section(act.sheet["title"][own])
        number = _ACT[own].format(act.sheet["act"].removeprefix("act"))
        _text(page, f"{number} · {act.sheet['title'][own]}", "Sans", 10, _MUTED, own)
    page.start_section(beat["title"][own], level=1)
    _text(page, beat["title"][own], "Head", 17, _INK, own)
    page.ln(2)
    width, height = act.sheet["size"]
    page.image(str(act.folder / beat["last"]), w=_WIDTH, h=_WIDTH * height / width,
               alt_text=beat["title"][own])
    page.ln(4)
    for line in beat["narration"][own]:
        _text(page, line, "Sans", 11.5, _INK, own)
        page.ln(1)
    for other in others:
        page.ln(2)
        _text(page, beat["title"][other], "Head", 9.5, _MUTED, other)
        for line in beat["narration"][other]:
            _text(page, line, "Sans", 9.5, _MUTED, other)
    page.ln(3)
    _text(page, beat["source"], "Mono", 8.5, _MUTED, own)
    if told := meaning(beat["source"], own):
        _text(page, told, "Sans", 9.5, _MUTED, own)
    for anchor in beat["anchors"]:
        _text(page, anchor, "Mono", 8.5, _LINK, own, link=anchor_url(anchor))


def _text(page: Any, text: str, family: str, size: float, ink: tuple[int, int, int],
          language: str, link: str = "") -> None:
    """A paragraph over the whole width; Chinese may break between any two of its characters."""
    page.set_font(family, size=size)
    page.set_text_color(*ink)
    if language == "zh":
        text = "\u200b".join(_unbroken(text))
    page.multi_cell(_WIDTH, size * 0.53, text, align="L", link=link or None,
                    new_x="LMARGIN", new_y="NEXT")


def _unbroken(text: str) -> list[str]:
    """Pieces of a Chinese text that stay on one line: Latin words, characters with their stops."""
    pieces = [""]
    for before, char in zip(" " + text, text):
        wide = ord(char) > 0x2E7F or ord(before) > 0x2E7F
        if wide and char not in "，。；：、？！）」』”’…%" and before not in "（「『“‘ ":
            pieces.append("")
        pieces[-1] += char
    return pieces
