"""Cut-down copies of the pinned fonts: for burned-in subtitles, handouts and the site's pages."""

import io
import logging

import uharfbuzz as hb

from scenes.fontfiles import FontError, face
from studio.errors import RenderError

__all__ = ["subset", "truetype", "woff2"]

logging.getLogger("fontTools").setLevel(logging.ERROR)  # it tells every step
_CUBIC_ERROR = 1.0  # font units that an outline may be off, of 1,000 an em


def subset(font: str, text: str, **axes: float) -> bytes:
    """The font ("sans", "mono", "cjk") with the glyphs of `text` only, `axes` (wght=500) fixed."""
    try:
        source = face(font)
    except FontError as error:
        raise RenderError(str(error)) from error
    wanted = hb.SubsetInput()
    wanted.unicode_set.update(map(ord, text))
    for axis, value in axes.items():
        wanted.pin_axis_location(source, axis, float(value))
    return bytes(hb.subset(source, wanted).blob.data)


def woff2(font: bytes) -> bytes:
    """A font's file, packed for browsers."""
    from fontTools.ttLib import TTFont

    packed, out = TTFont(io.BytesIO(font)), io.BytesIO()
    packed.flavor = "woff2"
    packed.save(out)
    return out.getvalue()


def truetype(font: bytes) -> bytes:
    """A font with cubic outlines (CFF, CFF2) as one with quadratic ones, as PDFs embed them."""
    from fontTools.pens.cu2quPen import Cu2QuPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib import TTFont, newTable

    found = TTFont(io.BytesIO(font))
    if "glyf" in found:
        return font
    outlines, order = found.getGlyphSet(), found.getGlyphOrder()
    glyphs = newTable("glyf")
    glyphs.glyphOrder, glyphs.glyphs = order, {}
    for name in order:
        pen = TTGlyphPen(outlines)
        outlines[name].draw(Cu2QuPen(pen, _CUBIC_ERROR, reverse_direction=True))
        glyphs.glyphs[name] = pen.glyph()
    found["glyf"], found["loca"] = glyphs, newTable("loca")
    for cubic in {"CFF ", "CFF2", "VORG"} & set(found.keys()):
        del found[cubic]
    found["maxp"].tableVersion = 0x00010000
    for limit in ("maxZones", "maxTwilightPoints", "maxStorage", "maxFunctionDefs",
                  "maxInstructionDefs", "maxStackElements", "maxSizeOfInstructions",
                  "maxComponentElements"):
        setattr(found["maxp"], limit, int(limit == "maxZones"))
    found["post"].formatType = 3.0
    found.sfntVersion = "\000\001\000\000"
    out = io.BytesIO()
    found.save(out)
    return out.getvalue()
