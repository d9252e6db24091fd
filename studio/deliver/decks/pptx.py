"""A PowerPoint deck: one clip a slide, playing as soon as the slide is entered."""

import datetime as dt
import math
import uuid
from pathlib import Path
from typing import Any

from scenes.stage import LANGUAGES
from studio.deliver import captions, subtitles
from studio.deliver.decks.pptx_template import LANG, blank_show, clip_layout
from studio.deliver.decks.pptx_timing import timing
from studio.deliver.decks.talk import COURSE, Talk
from studio.deliver.rendered import Rendered
from studio.pins import require_module

__all__ = ["name", "require", "sentences", "write"]

_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
_P173 = "http://schemas.microsoft.com/office/powerpoint/2017/3/main"
_TRACK = "http://schemas.microsoft.com/office/2017/04/relationships/track"
_TRACKS_URI = "{3AFAAA56-56D3-431D-BCD4-E75A35582382}"
_SECTIONS_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
_LABELS = {"en": "English", "zh": "中文"}
_ENDS = tuple(".!?…。！？")


def require() -> None:
    """Raise RenderError when python-pptx is missing."""
    require_module("pptx", "python-pptx", "deck")


def name(talk: Talk) -> str:
    """Name of the file."""
    return f"{talk.name}.pptx"


def write(talk: Talk, path: Path) -> None:
    """Write the deck, with titles, notes, alternative texts and language of the talk.

    UsageError when the talk's own template is no PowerPoint file.
    """
    theme = talk.first.sheet["theme"]
    show = blank_show(theme, talk.language, talk.choice.template)
    _describe(show, talk)
    layout = clip_layout(show)
    sections: dict[str, list[int]] = {}
    for act, beat in talk.slides:
        slide = _add(show, layout, talk, act, beat)
        sections.setdefault(act.sheet["title"][talk.language], []).append(slide.slide_id)
    _add_sections(show, sections)
    with path.open("wb") as file:
        show.save(file)


def _describe(show: Any, talk: Talk) -> None:
    about, now = show.core_properties, dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
    about.title, about.subject, about.language = talk.title, talk.subject, LANG[talk.language]
    about.author = about.last_modified_by = COURSE[talk.language]
    about.comments, about.keywords, about.revision = "", "nano-vLLM", 1
    about.created = about.modified = now


def _add(show: Any, layout: Any, talk: Talk, act: Rendered, beat: dict[str, Any]) -> Any:
    slide = show.slides.add_slide(layout)
    lang, title = LANG[talk.language], beat["title"][talk.language]
    for shape in list(slide.placeholders):
        if shape.placeholder_format.type not in (1, 3):  # not a title: nobody will fill it
            shape._element.getparent().remove(shape._element)
    head = slide.shapes.title
    if head is not None:
        _say(head.text_frame, [title], lang)
    box = _room(show, head)
    movie = slide.shapes.add_movie(
        str(act.folder / beat["clip"]), *box, poster_frame_image=str(act.folder / beat["first"]),
        mime_type="video/mp4")
    about = movie._element.nvPicPr.cNvPr
    about.set("name", f"{beat['name']}.mp4")
    about.set("descr", sentences([title, *beat["narration"][talk.language]], talk.language))
    _add_captions(slide, movie, act, beat)
    cover = None
    if talk.choice.covers:
        cover = slide.shapes.add_picture(str(act.folder / beat["last"]), *box)
        cover.name = f"{beat['name']}: last picture, for print"
        cover._element.nvPicPr.cNvPr.set("descr", title)
    _add_number(slide, layout, lang)
    for old in slide._element.findall("{*}timing"):
        slide._element.remove(old)
    slide._element.append(timing(movie.shape_id, beat["seconds"],
                                 cover.shape_id if cover else 0))
    notes = act.speaker_notes(beat, talk.language).split("\n")
    _say(slide.notes_slide.notes_text_frame, notes, lang)
    return slide


def sentences(texts: list[str], language: str) -> str:
    """One text of several, each with a full stop unless it ends a sentence already."""
    stop, space = ("。", "") if language == "zh" else (".", " ")
    return space.join(text if text.endswith(_ENDS) else text + stop for text in texts)


def _say(frame: Any, lines: list[str], lang: str) -> None:
    """Put lines into a text frame, each run marked with its language."""
    frame.text = "\n".join(lines)
    for paragraph in frame.paragraphs:
        for run in paragraph.runs:
            run._r.get_or_add_rPr().set("lang", lang)


def _room(show: Any, title: Any) -> tuple[int, int, int, int]:
    """(left, top, width, height) of the clip, 16 : 9: the slide, less a title that is on it."""
    width, height = show.slide_width, show.slide_height
    top = 0
    if title is not None and title.top is not None and 0 <= title.top < height // 3:
        top = min(title.top + title.height, height // 2)
    wide = min(width, math.floor((height - top) * 16 / 9))
    tall = math.floor(wide * 9 / 16)
    return (width - wide) // 2, top + (height - top - tall) // 2, wide, tall


def _add_number(slide: Any, layout: Any, lang: str) -> None:
    """The slide's number where its layout has one; python-pptx leaves it out."""
    import copy

    for shape in layout.placeholders:
        if shape.placeholder_format.type == 13:  # the slide's number
            number = copy.deepcopy(shape._element)
            number.nvSpPr.cNvPr.set("id", str(max(s.shape_id for s in slide.shapes) + 1))
            for run in number.iter("{*}rPr"):
                run.set("lang", lang)
            slide.shapes._spTree.append(number)


def _add_captions(slide: Any, movie: Any, act: Rendered, beat: dict[str, Any]) -> None:
    """Closed captions in both languages inside the clip's p14:media, as PowerPoint keeps them."""
    from lxml import etree
    from pptx.opc.package import Part
    from pptx.opc.packuri import PackURI

    media = next(movie._element.iter(f"{{{_P14}}}media"))
    extensions = etree.SubElement(media, f"{{{_P14}}}extLst")
    extension = etree.SubElement(
        extensions, "{http://schemas.openxmlformats.org/presentationml/2006/main}ext",
        uri=_TRACKS_URI)
    info = etree.SubElement(extension, f"{{{_P173}}}tracksInfo", nsmap={"p173": _P173},
                            displayLoc="media")
    tracks = etree.SubElement(info, f"{{{_P173}}}trackLst")
    for language in LANGUAGES:
        text = subtitles.vtt(act.beat_cues(beat, language))
        stem = f"{act.variant}-{beat['name']}.{captions.tag(language)}"
        uri = PackURI(f"/ppt/media/{slide.slide_id}-{stem}.vtt")
        part = Part(uri, "text/vtt", slide.part.package, text.encode())
        key = slide.part.relate_to(part, _TRACK)
        etree.SubElement(tracks, f"{{{_P173}}}track", {
            "id": f"{{{str(uuid.uuid5(uuid.NAMESPACE_URL, stem)).upper()}}}",
            "label": _LABELS.get(language, language), "lang": LANG[language],
            "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}embed": key})


def _add_sections(show: Any, sections: dict[str, list[int]]) -> None:
    """A section an act, so that one deck of the course can be folded."""
    from pptx.oxml import parse_xml

    root = show.part._element
    listed = parse_xml(
        f'<p:ext xmlns:p="{root.nsmap["p"]}" xmlns:p14="{_P14}" uri="{_SECTIONS_URI}">'
        "<p14:sectionLst/></p:ext>")
    for title, ids in sections.items():
        section = listed[0].makeelement(f"{{{_P14}}}section", {
            "name": title, "id": f"{{{str(uuid.uuid5(uuid.NAMESPACE_URL, title)).upper()}}}"})
        members = section.makeelement(f"{{{_P14}}}sldIdLst", {})
        members.extend([members.makeelement(f"{{{_P14}}}sldId", {"id": str(n)}) for n in ids])
        section.append(members)
        listed[0].append(section)
    found = root.find("{*}extLst")
    if found is None:
        found = root.makeelement(f"{{{root.nsmap['p']}}}extLst", {})
        root.append(found)
    found.append(listed)
