"""Cut-down copies of the pinned fonts: for burned-in subtitles and for the site's pages."""

from importlib.resources import files

import uharfbuzz as hb

from studio.render.pool import RenderError

__all__ = ["FAMILY", "subset"]

_FONTS = {"sans": ("fontpkg_inter", "files/Inter[opsz,wght].ttf"),
          "mono": ("fontpkg_jetbrains_mono", "files/JetBrainsMono[wght].ttf"),
          "cjk": ("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc")}
FAMILY = {"sans": "Inter", "mono": "JetBrains Mono", "cjk": "Noto Sans CJK SC"}


def _face(font: str) -> hb.Face:
    package, path = _FONTS[font]
    try:
        blob = hb.Blob.from_file_path(str(files(package) / path))
    except (ModuleNotFoundError, hb.HarfBuzzError, OSError):
        raise RenderError(f"font {path} of {package} is missing: run ./setup.sh") from None
    head = bytes(blob.data[:12])
    count = int.from_bytes(head[8:12], "big") if head[:4] == b"ttcf" else 1
    faces = [hb.Face(blob, index) for index in range(count)]
    return next(face for face in faces
                if count == 1 or face.get_name(hb.OTNameIdPredefined.FONT_FAMILY) == FAMILY[font])


def subset(font: str, text: str, **axes: float) -> bytes:
    """The font ("sans", "mono", "cjk") with the glyphs of `text` only, `axes` (wght=500) fixed."""
    face, wanted = _face(font), hb.SubsetInput()
    wanted.unicode_set.update(map(ord, text))
    for axis, value in axes.items():
        wanted.pin_axis_location(face, axis, float(value))
    return bytes(hb.subset(face, wanted).blob.data)
