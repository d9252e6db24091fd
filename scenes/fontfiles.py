"""The pinned fonts' files: the kit draws with them, the studio embeds parts of them."""

from functools import cache
from importlib.resources import files

import uharfbuzz as hb

__all__ = ["FAMILIES", "FontError", "face"]

FAMILIES = {"sans": "Inter", "mono": "JetBrains Mono", "cjk": "Noto Sans CJK SC"}
_FILES = {
    "sans": ("fontpkg_inter", "files/Inter[opsz,wght].ttf"),
    "mono": ("fontpkg_jetbrains_mono", "files/JetBrainsMono[wght].ttf"),
    "cjk": ("manimgx_fonts_cjk", "NotoSansCJK-VF.otf.ttc"),
}


class FontError(ValueError):
    """A pinned font is missing, or no pinned font has a glyph."""


@cache
def face(font: str) -> hb.Face:
    """The face of "sans", "mono" or "cjk"; raises FontError when its package is missing."""
    package, path = _FILES[font]
    try:
        blob = hb.Blob.from_file_path(str(files(package) / path))
    except (ModuleNotFoundError, hb.HarfBuzzError, OSError) as error:
        if _is_there(package, path):
            raise MemoryError(f"font {path} cannot be read into memory") from error
        raise FontError(f"font {path} of {package} is missing: run ./setup.sh") from error
    faces = [hb.Face(blob, index) for index in range(_face_count(blob))]
    for found in faces:
        if len(faces) == 1 or found.get_name(hb.OTNameIdPredefined.FONT_FAMILY) == FAMILIES[font]:
            return found
    raise FontError(f"{path} of {package} holds no face {FAMILIES[font]!r}")


def _is_there(package: str, path: str) -> bool:
    try:
        return (files(package) / path).is_file()
    except ModuleNotFoundError:
        return False


def _face_count(blob: hb.Blob) -> int:
    """Faces in a font file: a collection starts with b"ttcf" and their number."""
    head = bytes(blob.data[:12])
    return int.from_bytes(head[8:12], "big") if head[:4] == b"ttcf" else 1
