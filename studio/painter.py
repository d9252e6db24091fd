"""Draws shapes with cairo, again only where the picture changed, to the pixel as drawing it whole.

A changed shape damages its old and new box. All shapes that touch the damage are drawn whole on a
scratch picture, and only the damaged boxes are copied from it: clipping would cut edges and move
their antialiasing. Paths are built in NumPy and given to cairo in one call.
"""

import ctypes
from dataclasses import dataclass

import cairo
import numpy as np

__all__ = ["Paint", "Painter", "Shape"]

class _Path(ctypes.Structure):
    """cairo_path_t."""

    _fields_ = [("status", ctypes.c_int), ("data", ctypes.c_void_p), ("count", ctypes.c_int)]


# of the very library that pycairo is linked with
_append_path = ctypes.CDLL(cairo._cairo.__file__).cairo_append_path
_append_path.argtypes, _append_path.restype = (ctypes.c_void_p, ctypes.c_void_p), None


def _handle(context: cairo.Context) -> int:
    """The cairo_t* of a pycairo context: the first field after the object's head."""
    return ctypes.c_void_p.from_address(id(context) + object.__basicsize__).value


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a fill or stroke, RGBA in 0..1, spread from `start` to `end` if many."""

    colors: list[list[float]]
    width: float = 0.0  # of a stroke, in user units
    start: tuple[float, float] = (0.0, 0.0)
    end: tuple[float, float] = (0.0, 0.0)

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
class Shape:
    """A path with what is laid on it in this order: a stroke behind, a fill, a stroke before."""

    rows: np.ndarray  # of paths.flat_path
    back: Paint | None
    fill: Paint | None
    front: Paint | None
    join: int
    cap: int
    _path: _Path | None = None

    def draw(self, context: cairo.Context, handle: int) -> None:
        if not len(self.rows):
            return
        if self._path is None:
            self._path = _Path(0, self.rows.ctypes.data, len(self.rows))
        context.new_path()
        _append_path(handle, ctypes.addressof(self._path))
        if self.back:
            self._stroke(context, self.back)
        if self.fill:
            self.fill.use(context)
            context.fill_preserve()
        if self.front:
            self._stroke(context, self.front)

    def _stroke(self, context, paint):
        paint.use(context)
        context.set_line_width(paint.width)
        context.set_line_join(self.join)
        context.set_line_cap(self.cap)
        context.stroke_preserve()

    def box(self, points, scale: float, width: int, height: int) -> tuple[int, int, int, int]:
        """Pixels x0, y0, x1, y1 outside of which nothing is drawn, even numbers."""
        strokes = [p.width for p in (self.back, self.front) if p]
        if not len(self.rows) or not (strokes or self.fill):
            return 0, 0, 0, 0
        across, up = points[:, 0], points[:, 1]
        reach = 10 if self.join == cairo.LINE_JOIN_MITER else 1.5  # cairo's default miter limit
        pad = max(strokes, default=0) / 2 * reach * scale + 2
        x0, x1 = width / 2 + across.min() * scale - pad, width / 2 + across.max() * scale + pad
        y0, y1 = height / 2 - up.max() * scale - pad, height / 2 - up.min() * scale + pad
        x0, x1 = (min(max(int(x), 0), width) for x in (x0, x1 + 1))
        y0, y1 = (min(max(int(y), 0), height) for y in (y0, y1 + 1))
        return x0 & ~1, y0 & ~1, (x1 + 1) & ~1, (y1 + 1) & ~1


class Painter:
    """A picture that is kept up to date.

    `look(thing)` gives a comparable key of how a thing looks, its points first;
    `shape(thing, old)` its Shape and its box, where `old` is a Shape with the same points or
    None. A thing is anything that lives as long as it is shown.
    """

    def __init__(self, width, height, units, ground, look, shape):
        """`units`: width and height of the picture in user units; `ground`: RGBA bytes."""
        self.pixels = np.empty((height, width, 4), np.uint8)
        self._scratch = np.empty_like(self.pixels)
        self._ground = np.frombuffer(bytes(ground), np.uint32)[0]
        self._look, self._shape = look, shape
        self.scale = width / units[0], height / units[1]
        self._contexts = [self._context(p) for p in (self.pixels, self._scratch)]
        self._order, self._shown = None, {}

    def _context(self, pixels):
        height, width = pixels.shape[:2]
        surface = cairo.ImageSurface.create_for_data(pixels, cairo.FORMAT_ARGB32, width, height)
        context = cairo.Context(surface)
        context.set_matrix(cairo.Matrix(self.scale[0], 0, 0, -self.scale[1], width / 2, height / 2))
        return context, _handle(context)

    def forget(self) -> None:
        """The picture was drawn over by others: draw it whole next time."""
        self._order, self._shown = None, {}

    def paint(self, things) -> list[tuple[int, int, int, int]]:
        """Bring `pixels` up to date with `things`, lowest first; the boxes that were redrawn."""
        order, damage, shown = [id(thing) for thing in things], [], self._shown
        for thing, key in zip(things, order):
            look, known = self._look(thing), shown.get(key)
            if known is not None and known[1] == look:
                continue
            old = known[2] if known is not None and known[1][0] == look[0] else None
            shape, box = self._shape(thing, old)
            shown[key] = (thing, look, shape, box)
            damage += [box] if known is None else [known[3], box]
        whole = self._order is None
        if order != self._order:
            whole = whole or self._reordered(order)
            wanted = set(order)
            damage += [shown.pop(key)[3] for key in list(shown) if key not in wanted]
            self._order = order
        height, width = self.pixels.shape[:2]
        boxes = [(0, 0, width, height)] if whole else _merged(damage)
        if boxes:
            self._redraw(boxes)
        return boxes

    def _reordered(self, order) -> bool:
        place = {key: k for k, key in enumerate(order)}
        kept = [place[key] for key in self._order if key in place]
        return any(a > b for a, b in zip(kept, kept[1:]))

    def _redraw(self, boxes):
        height, width = self.pixels.shape[:2]
        whole = boxes[0] == (0, 0, width, height)
        pixels = self.pixels if whole else self._scratch
        context, handle = self._contexts[0 if whole else 1]
        colors = pixels.view(np.uint32)[..., 0]
        for x0, y0, x1, y1 in boxes:
            colors[y0:y1, x0:x1] = self._ground
        for key in self._order:
            shape, (a0, b0, a1, b1) = self._shown[key][2:]
            if any(a0 < x1 and x0 < a1 and b0 < y1 and y0 < b1 for x0, y0, x1, y1 in boxes):
                shape.draw(context, handle)
        if not whole:
            target = self.pixels.view(np.uint32)[..., 0]
            for x0, y0, x1, y1 in boxes:
                target[y0:y1, x0:x1] = colors[y0:y1, x0:x1]


def _merged(boxes, most: int = 8):
    """Non-empty boxes without overlap, few enough to be worth their while."""
    found = []
    for box in boxes:
        if box[0] >= box[2] or box[1] >= box[3]:
            continue
        box, before = tuple(box), -1
        while before != len(found):
            before, apart = len(found), []
            for other in found:
                if (other[0] <= box[2] and box[0] <= other[2]
                        and other[1] <= box[3] and box[1] <= other[3]):
                    box = _union(box, other)
                else:
                    apart.append(other)
            found = apart
        found.append(box)
    while len(found) > most:
        one = found.pop()
        near = min(found, key=lambda other: _area(_union(one, other)) - _area(other))
        found.remove(near)
        found = _merged([*found, _union(one, near)], most)
    return found


def _union(a, b):
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _area(box):
    return (box[2] - box[0]) * (box[3] - box[1])
