"""A PowerPoint deck: one clip a slide, playing as soon as the slide is entered."""

from pathlib import Path
from typing import Any

from studio.deliver.rendered import Rendered
from studio.errors import RenderError
from studio.pins import pinned

__all__ = ["name", "require", "write"]

WIDTH, HEIGHT = 12_192_000, 6_858_000  # EMU: 13 1/3 x 7 1/2 inches
_P = "http://schemas.openxmlformats.org/presentationml/2006/main"

# What PowerPoint itself writes for "Start: Automatically": a media call in the main sequence that
# begins with the slide, beside the media node; python-pptx writes a node that waits for a click.
_TIMING = """<p:timing xmlns:p="{ns}"><p:tnLst><p:par>
<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>
<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq">
<p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst><p:cond delay="indefinite"/>
<p:cond evt="onBegin" delay="0"><p:tn val="2"/></p:cond></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="4" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:par><p:cTn id="5" presetID="1" presetClass="mediacall" presetSubtype="0"
 fill="hold" nodeType="afterEffect"><p:stCondLst><p:cond delay="0"/></p:stCondLst>
<p:childTnLst><p:cmd type="call" cmd="playFrom(0.0)"><p:cBhvr>
<p:cTn id="6" dur="{milliseconds}" fill="hold"/><p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl>
</p:cBhvr></p:cmd></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst>
</p:cTn></p:par></p:childTnLst></p:cTn>
<p:prevCondLst><p:cond evt="onPrev" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl></p:cond>
</p:prevCondLst><p:nextCondLst><p:cond evt="onNext" delay="0"><p:tgtEl><p:sldTgt/></p:tgtEl>
</p:cond></p:nextCondLst></p:seq>
<p:video><p:cMediaNode vol="80000"><p:cTn id="7" fill="hold" display="0"><p:stCondLst>
<p:cond delay="indefinite"/></p:stCondLst></p:cTn><p:tgtEl><p:spTgt spid="{shape}"/></p:tgtEl>
</p:cMediaNode></p:video></p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""


def require() -> None:
    """Raise RenderError when python-pptx is missing."""
    try:
        import pptx  # noqa: F401
    except ModuleNotFoundError:
        wanted = pinned("python-pptx", extra="deck")
        raise RenderError(f"python-pptx is missing: pip install '{wanted}'") from None


def name(rendered: Rendered) -> str:
    """Name of the file."""
    return f"{rendered.variant}.pptx"


def write(rendered: Rendered, language: str, path: Path) -> None:
    """Write the deck, notes and alternative texts in `language`."""
    from pptx import Presentation

    show: Any = Presentation()
    show.slide_width, show.slide_height = WIDTH, HEIGHT
    title = rendered.sheet["title"][language]
    show.core_properties.title, show.core_properties.author = title, ""
    show.core_properties.subject = f"{rendered.sheet['act']}; engine {rendered.manifest['engine']}"
    show.core_properties.language = language
    layout = _title_layout(show)
    for beat in rendered.beats:
        _add(show, layout, rendered, beat, language)
    with path.open("wb") as file:
        show.save(file)


def _title_layout(show: Any) -> Any:
    """The "Title Only" layout of python-pptx's template, widened from 4 : 3."""
    layout = show.slide_layouts[5]
    for place in [*layout.placeholders, *show.slide_master.placeholders]:
        if place.element.spPr.xfrm is not None:
            place.left, place.width = (round(x * WIDTH / 9_144_000)
                                       for x in (place.left, place.width))
    return layout


def _add(show: Any, layout: Any, rendered: Rendered, beat: dict[str, Any],
         language: str) -> None:
    from pptx.dml.color import RGBColor
    from pptx.oxml import parse_xml

    slide = show.slides.add_slide(layout)
    slide.background.fill.solid()
    background = RGBColor.from_string(rendered.manifest["ground"].lstrip("#"))
    slide.background.fill.fore_color.rgb = background
    title = slide.shapes.title  # above the slide: for outline and screen readers, never seen
    title.text = beat["title"][language]
    title.left, title.top, title.width, title.height = 0, -HEIGHT // 6, WIDTH, HEIGHT // 7
    movie = slide.shapes.add_movie(
        str(rendered.folder / beat["clip"]), 0, 0, WIDTH, HEIGHT,
        poster_frame_image=str(rendered.folder / beat["first"]), mime_type="video/mp4")
    about = movie._element.nvPicPr.cNvPr
    about.set("name", f"{beat['name']}.mp4")
    about.set("descr", " ".join([beat["title"][language] + ".", *beat["narration"][language]]))
    for old in slide._element.findall(f"{{{_P}}}timing"):
        slide._element.remove(old)
    slide._element.append(parse_xml(_TIMING.format(
        ns=_P, shape=movie.shape_id, milliseconds=round(beat["seconds"] * 1000))))
    slide.notes_slide.notes_text_frame.text = rendered.speaker_notes(beat, language)
