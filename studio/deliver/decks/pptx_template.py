"""The PowerPoint template of the course: 16 : 9, dark or light, three layouts, a notes master."""

import io
from pathlib import Path
from string import Template
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from studio.errors import UsageError

__all__ = ["LANG", "blank_show", "clip_layout"]

LANG = {"en": "en-US", "zh": "zh-CN"}  # as Office calls them
_PARTS = Path(__file__).parent / "template"
_LAYOUTS = "titleOnly", "obj", "blank"  # which a clip can stand on, the best first
_COLOURS = {
    "dark": {"dark": "10151C", "light": "E8EDF2", "line": "2A3440", "muted": "9AA7B6",
             "link": "56B4E9", "ground": "dk1", "ink": "lt1"},
    "light": {"dark": "17202B", "light": "FFFFFF", "line": "C9D2DB", "muted": "5B6876",
              "link": "0072B2", "ground": "lt1", "ink": "dk1"},
}


def blank_show(theme: str, language: str, own: Path | None = None) -> Any:
    """A presentation without slides: of the lecturer's `own` file, else of the course's template.

    The slides that `own` holds are left out. UsageError when it is no presentation.
    """
    from pptx import Presentation

    if own is None:
        return Presentation(_course_template(_COLOURS[theme] | {"lang": LANG[language]}))
    try:
        show = Presentation(str(own))
    except Exception as error:  # python-pptx raises what lxml, zipfile and the disk raise
        raise UsageError(f"--template {own}: no PowerPoint file (.pptx): {error}") from None
    for slide_id in list(show.slides._sldIdLst):
        show.part.drop_rel(slide_id.rId)
        show.slides._sldIdLst.remove(slide_id)
    _drop_sections(show)
    return show


def _course_template(values: dict[str, str]) -> io.BytesIO:
    """The parts in `template/` with colours and language filled in, as one file."""
    file = io.BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as package:
        for path in sorted(path for path in _PARTS.rglob("*") if path.is_file()):
            text = Template(path.read_text(encoding="utf-8")).substitute(values)
            package.writestr(path.relative_to(_PARTS).as_posix(), text)
    file.seek(0)
    return file


def _drop_sections(show: Any) -> None:
    """Sections name slides, and these are gone."""
    for extension in show.part._element.xpath(".//p:extLst/p:ext"):
        if any(child.tag.endswith("}sectionLst") for child in extension):
            extension.getparent().remove(extension)


def clip_layout(show: Any) -> Any:
    """The layout that clips stand on: "Title Only" where there is one, else the nearest to it."""
    by_kind = {layout._element.get("type"): layout for layout in reversed(show.slide_layouts)}
    for kind in _LAYOUTS:
        if kind in by_kind:
            return by_kind[kind]
    return show.slide_layouts[0]
