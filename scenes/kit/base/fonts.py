"""Pinned fonts, shaped by HarfBuzz into outlines: the same curves on every machine.

Pango would fall back silently to a system font; here every code point must be in a pinned font.
"""

# ruff: noqa: N802, N815  (the names of a pen's methods are fontTools')

from collections.abc import Iterator
from functools import cache

import numpy as np
import uharfbuzz as hb

from scenes.fontfiles import FontError, face

__all__ = ["FontError", "advance", "covers", "outline"]

# No ligatures: "->" must stay two glyphs in code, and "fi" would glue letters of a label.
_FEATURES = {"liga": False, "calt": False, "clig": False}
_Point = tuple[float, float]
_QUOTES = frozenset("‘’“”…—·")


@cache
def _font(family: str, weight: int, optical: int) -> hb.Font:
    font = hb.Font(face(family))
    font.set_variations({"wght": weight, "opsz": optical})
    return font


@cache
def _coverage(family: str) -> frozenset[int]:
    return frozenset(face(family).unicodes)


def covers(family: str, char: str) -> bool:
    return ord(char) in _coverage(family)


def _runs(text: str, family: str) -> Iterator[tuple[str, str]]:
    """Split into (family, piece); Chinese text takes its quotes and dashes from the CJK font."""
    chinese = any("\u2e80" <= char <= "\u9fff" for char in text)
    run, current = "", family
    for char in text:
        wants_cjk = chinese and char in _QUOTES
        if covers(family, char) and not wants_cjk:
            needed = family
        elif covers("cjk", char):
            needed = "cjk"
        else:
            raise FontError(f"no pinned font has U+{ord(char):04X} {char!r} (in {text!r})")
        if needed != current and run:
            yield current, run
            run = ""
        current, run = needed, run + char
    if run:
        yield current, run


class _Pen:
    """Collects contours as cubic curves; `curves` is [n, 4, 2] in font units."""

    def __init__(self) -> None:
        self.curves: list[tuple[_Point | np.ndarray, ...]] = []
        self._start = self._at = (0.0, 0.0)

    def moveTo(self, p: _Point) -> None:
        self._start = self._at = p

    def lineTo(self, p: _Point) -> None:
        a, b = np.array(self._at), np.array(p)
        self._add(a + (b - a) / 3, a + (b - a) * 2 / 3, p)

    def qCurveTo(self, c: _Point, p: _Point) -> None:
        a, b, middle = np.array(self._at), np.array(p), np.array(c)
        self._add(a + (middle - a) * 2 / 3, b + (middle - b) * 2 / 3, p)

    def curveTo(self, c1: _Point, c2: _Point, p: _Point) -> None:
        self._add(c1, c2, p)

    def closePath(self) -> None:
        if self._at != self._start:
            self.lineTo(self._start)

    endPath = closePath

    def _add(self, c1: _Point | np.ndarray, c2: _Point | np.ndarray, p: _Point) -> None:
        self.curves.append((self._at, c1, c2, p))
        self._at = p


@cache
def _glyph(family: str, weight: int, optical: int, glyph: int) -> np.ndarray:
    pen = _Pen()
    _font(family, weight, optical).draw_glyph_with_pen(glyph, pen)
    return np.array(pen.curves, dtype=float).reshape(-1, 4, 2)


@cache
def outline(text: str, family: str, weight: int, optical: int) -> tuple[np.ndarray, float]:
    """Curves [n, 4, 2] with the baseline at y = 0, and the advance; unit: one em.

    Raises FontError for a code point that no pinned font has.
    """
    pieces, x = [np.zeros((0, 4, 2))], 0.0
    for font, run in _runs(text, family):
        buffer = hb.Buffer()
        buffer.add_str(run)
        buffer.guess_segment_properties()
        hb.shape(_font(font, weight, optical), buffer, _FEATURES)
        em = face(font).upem
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            offset = np.array([x + position.x_offset / em, position.y_offset / em])
            pieces.append(_glyph(font, weight, optical, info.codepoint) / em + offset)
            x += position.x_advance / em
    return np.concatenate(pieces), x


def advance(text: str, family: str = "sans", weight: int = 400, optical: int = 14) -> float:
    """Width of a line in em."""
    return outline(text, family, weight, optical)[1]
