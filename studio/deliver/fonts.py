"""Cut-down copies of the pinned fonts: for burned-in subtitles and for the site's pages."""

import uharfbuzz as hb

from scenes.fontfiles import FontError, face
from studio.errors import RenderError

__all__ = ["subset"]


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
