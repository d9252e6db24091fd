"""Shapes for the painter: paths with what is laid on them, drawn by cairo.

Paths are built in NumPy and given to cairo in one call. A colour that is not opaque cairo lays on
through a mask, the path's coverage: while something fades, that mask is kept instead of being
computed for every picture, which gives the same pixels.
"""

import ctypes
from dataclasses import dataclass, field

import cairo
import numpy as np

__all__ = ["Box", "Outline", "Paint", "Shape", "handle"]

Box = tuple[int, int, int, int]  # pixels x0, y0, x1, y1: the last two are outside
# A mask pays where computing the coverage takes longer than laying it on: pixels of its box for
# each row of the path, and rows of a path that is filled.
MASKED, CURVED = 1000, 60


class _Path(ctypes.Structure):
    """cairo_path_t."""

    _fields_ = [("status", ctypes.c_int), ("data", ctypes.c_void_p), ("count", ctypes.c_int)]


# of the very library that pycairo is linked with
_append_path = ctypes.CDLL(cairo._cairo.__file__).cairo_append_path
_append_path.argtypes, _append_path.restype = (ctypes.c_void_p, ctypes.c_void_p), None


def handle(context: cairo.Context) -> int:
    """The cairo_t* of a pycairo context: the first field after the object's head."""
    return ctypes.c_void_p.from_address(id(context) + object.__basicsize__).value


@dataclass(slots=True)
class Paint:
    """Colours of a fill or stroke, RGBA in 0..1, spread from `start` to `end` if many."""

    colors: list[list[float]]
    width: float = 0.0  # of a stroke, in user units
    start: tuple[float, float] = (0.0, 0.0)
    end: tuple[float, float] = (0.0, 0.0)

    @property
    def veils(self) -> bool:
        """Whether it is one colour that cairo takes for not opaque."""
        return len(self.colors) == 1 and self.colors[0][3] < 0.996

    def use(self, context: cairo.Context) -> None:
        # red and blue change places: cairo's ARGB32 lies in memory as blue, green, red, alpha
        if len(self.colors) == 1:
            red, green, blue, alpha = self.colors[0]
            context.set_source_rgba(blue, green, red, alpha)
            return
        pattern = cairo.LinearGradient(*self.start, *self.end)
        for (red, green, blue, alpha), offset in zip(self.colors,
                                                     np.linspace(0, 1, len(self.colors))):
            pattern.add_color_stop_rgba(offset, blue, green, red, alpha)
        context.set_source(pattern)


@dataclass(slots=True)
class Outline:
    """A path, and what is kept of it from picture to picture."""

    rows: np.ndarray  # of paths.flat_path
    extent: tuple[float, ...]  # least and greatest x, least and greatest y, in user units
    masks: dict = field(default_factory=dict)  # fill or stroke -> (surface, x, y); None: met once
    _path: _Path | None = None

    def trace(self, context: cairo.Context, address: int) -> None:
        """Make it the path of a context, whose handle is given too."""
        if self._path is None:
            self._path = _Path(0, self.rows.ctypes.data, len(self.rows))
        context.new_path()
        _append_path(address, ctypes.addressof(self._path))


@dataclass(slots=True)
class Shape:
    """An outline with what is laid on it, in order: a stroke behind, a fill, a stroke before."""

    outline: Outline
    back: Paint | None
    fill: Paint | None
    front: Paint | None
    join: int
    cap: int

    def draw(self, context: cairo.Context, address: int, box: Box) -> None:
        """Draw it on a context, whose handle and the shape's box are given too."""
        if not len(self.outline.rows):
            return
        traced = False
        for paint, stroke in ((self.back, True), (self.fill, False), (self.front, True)):
            if not paint:
                continue
            if mask := paint.veils and self._mask(context, paint, stroke, box):
                context.save()
                context.identity_matrix()
                paint.use(context)
                context.mask_surface(*mask)
                context.restore()
                continue
            if not traced:
                self.outline.trace(context, address)
                traced = True
            paint.use(context)
            self._lay(context, paint, stroke)

    def _lay(self, context, paint, stroke):
        if not stroke:
            context.fill_preserve()
            return
        context.set_line_width(paint.width)
        context.set_line_join(self.join)
        context.set_line_cap(self.cap)
        context.stroke_preserve()

    def _mask(self, context, paint, stroke, box):
        """The coverage of a fill or stroke as (surface, x, y), from the second time on."""
        x0, y0, x1, y1 = box
        rows, masks = len(self.outline.rows), self.outline.masks
        if not 0 < (x1 - x0) * (y1 - y0) < MASKED * rows or (rows < CURVED and not stroke):
            return None
        key = (paint.width, self.join, self.cap) if stroke else "fill"
        if key not in masks:
            masks[key] = None
        elif masks[key] is None:
            surface = cairo.ImageSurface(cairo.FORMAT_A8, x1 - x0, y1 - y0)
            cover, place = cairo.Context(surface), context.get_matrix()
            cover.set_matrix(cairo.Matrix(place.xx, place.yx, place.xy, place.yy,
                                          place.x0 - x0, place.y0 - y0))
            self.outline.trace(cover, handle(cover))
            self._lay(cover, paint, stroke)
            surface.flush()
            masks[key] = surface, x0, y0
        return masks[key]

    def box(self, scale: float, width: int, height: int) -> Box:
        """Pixels x0, y0, x1, y1 outside of which nothing is drawn, even numbers."""
        if not len(self.outline.rows) or not (self.back or self.fill or self.front):
            return 0, 0, 0, 0
        stroke = max(self.back.width if self.back else 0, self.front.width if self.front else 0)
        reach = 10 if self.join == cairo.LINE_JOIN_MITER else 1.5  # cairo's default miter limit
        pad = stroke / 2 * reach * scale + 2
        left, right, low, high = self.outline.extent
        x0, x1 = width / 2 + left * scale - pad, width / 2 + right * scale + pad
        y0, y1 = height / 2 - high * scale - pad, height / 2 - low * scale + pad
        return (int(min(max(x0, 0), width)) & ~1, int(min(max(y0, 0), height)) & ~1,
                int(min(max(x1 + 2, 0), width)) & ~1, int(min(max(y1 + 2, 0), height)) & ~1)
