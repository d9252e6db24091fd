"""Shapes for the painter: paths with the paints laid on them, drawn by cairo.

Paths are built in NumPy and given to cairo in one call. A translucent colour cairo lays on through
a mask, the path's coverage: while something fades, that mask is kept instead of being computed for
every picture, which gives the same pixels.
"""

import ctypes
from dataclasses import dataclass, field

import cairo
import numpy as np

__all__ = ["Box", "Outline", "Paint", "Shape", "context_pointer"]

Box = tuple[int, int, int, int]  # pixels x0, y0, x1, y1: the last two are outside
Mask = tuple[cairo.ImageSurface, int, int]  # coverage, and where its corner is in the picture
# A mask pays where computing the coverage takes longer than laying it on: pixels of its box for
# each row of the path's data, and rows of a path that is filled.
MASK_PIXELS_PER_ROW, MASK_LEAST_FILL_ROWS = 1000, 60
_OPAQUE = 0.996  # alpha from which on cairo takes a colour for opaque
_MITER_LIMIT = 10  # cairo's default


class _Path(ctypes.Structure):
    """cairo_path_t."""

    _fields_ = [("status", ctypes.c_int), ("data", ctypes.c_void_p), ("count", ctypes.c_int)]


# of the very library that pycairo is linked with
_append_path = ctypes.CDLL(cairo._cairo.__file__).cairo_append_path  # type: ignore[attr-defined]
_append_path.argtypes, _append_path.restype = (ctypes.c_void_p, ctypes.c_void_p), None


def context_pointer(context: cairo.Context) -> int:
    """The cairo_t* of a pycairo context: the first field after the object's head."""
    pointer = ctypes.c_void_p.from_address(id(context) + object.__basicsize__).value
    assert pointer is not None
    return pointer


@dataclass(slots=True)
class Paint:
    """Colours of a fill or stroke, RGBA in 0..1, a gradient from `start` to `end` if many."""

    colors: list[list[float]]
    width: float = 0.0  # of a stroke, in user units
    start: tuple[float, ...] = (0.0, 0.0)
    end: tuple[float, ...] = (0.0, 0.0)

    @property
    def is_translucent(self) -> bool:
        """Whether it is one colour that cairo does not take for opaque."""
        return len(self.colors) == 1 and self.colors[0][3] < _OPAQUE

    def set_source(self, context: cairo.Context) -> None:
        """Draw with these colours from now on."""
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
    """A path, and the masks that are kept of it from picture to picture."""

    data: np.ndarray  # of paths.cairo_path_data
    extent: tuple[float, ...]  # least and greatest x, least and greatest y, in user units
    # "fill" or a stroke's style -> its mask; None: needed once so far
    masks: dict[object, Mask | None] = field(default_factory=dict)
    _path: _Path | None = None

    def set_path(self, context: cairo.Context, pointer: int) -> None:
        """Make it the path of a context, whose pointer is given too."""
        if self._path is None:
            self._path = _Path(0, self.data.ctypes.data, len(self.data))
        context.new_path()
        _append_path(pointer, ctypes.addressof(self._path))


@dataclass(slots=True)
class Shape:
    """An outline with what is laid on it, in this order: background stroke, fill, stroke."""

    outline: Outline
    background: Paint | None
    fill: Paint | None
    stroke: Paint | None
    join: cairo.LineJoin
    cap: cairo.LineCap

    def draw(self, context: cairo.Context, pointer: int, box: Box) -> None:
        """Draw it on a context, whose pointer and the shape's box are given too."""
        if not len(self.outline.data):
            return
        has_path = False
        for paint, is_stroke in ((self.background, True), (self.fill, False),
                                 (self.stroke, True)):
            if not paint:
                continue
            mask = self._mask(context, paint, is_stroke, box) if paint.is_translucent else None
            if mask:
                context.save()
                context.identity_matrix()
                paint.set_source(context)
                context.mask_surface(*mask)
                context.restore()
                continue
            if not has_path:
                self.outline.set_path(context, pointer)
                has_path = True
            paint.set_source(context)
            self._fill_or_stroke(context, paint, is_stroke)

    def _fill_or_stroke(self, context: cairo.Context, paint: Paint, is_stroke: bool) -> None:
        if not is_stroke:
            context.fill_preserve()
            return
        context.set_line_width(paint.width)
        context.set_line_join(self.join)
        context.set_line_cap(self.cap)
        context.stroke_preserve()

    def _mask(self, context: cairo.Context, paint: Paint, is_stroke: bool,
              box: Box) -> Mask | None:
        """The coverage of a fill or stroke, from the second time on."""
        x0, y0, x1, y1 = box
        rows, masks = len(self.outline.data), self.outline.masks
        if not 0 < (x1 - x0) * (y1 - y0) < MASK_PIXELS_PER_ROW * rows or (
                rows < MASK_LEAST_FILL_ROWS and not is_stroke):
            return None
        style = (paint.width, self.join, self.cap) if is_stroke else "fill"
        if style not in masks:
            masks[style] = None
        elif masks[style] is None:
            surface = cairo.ImageSurface(cairo.FORMAT_A8, x1 - x0, y1 - y0)
            coverage, matrix = cairo.Context(surface), context.get_matrix()
            coverage.set_matrix(cairo.Matrix(matrix.xx, matrix.yx, matrix.xy, matrix.yy,
                                             matrix.x0 - x0, matrix.y0 - y0))
            self.outline.set_path(coverage, context_pointer(coverage))
            self._fill_or_stroke(coverage, paint, is_stroke)
            surface.flush()
            masks[style] = surface, x0, y0
        return masks[style]

    def box(self, scale: float, width: int, height: int) -> Box:
        """Pixels x0, y0, x1, y1 outside of which nothing is drawn, even numbers."""
        if not len(self.outline.data) or not (self.background or self.fill or self.stroke):
            return 0, 0, 0, 0
        widest = max(self.background.width if self.background else 0,
                     self.stroke.width if self.stroke else 0)
        reach = _MITER_LIMIT if self.join == cairo.LINE_JOIN_MITER else 1.5
        pad = widest / 2 * reach * scale + 2
        left, right, low, high = self.outline.extent
        x0, x1 = width / 2 + left * scale - pad, width / 2 + right * scale + pad
        y0, y1 = height / 2 - high * scale - pad, height / 2 - low * scale + pad
        return (int(min(max(x0, 0), width)) & ~1, int(min(max(y0, 0), height)) & ~1,
                int(min(max(x1 + 2, 0), width)) & ~1, int(min(max(y1 + 2, 0), height)) & ~1)
