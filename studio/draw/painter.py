"""Draws shapes with cairo, only where the picture changed, to the pixel as drawing it whole.

A changed shape damages its old and its new box. All shapes that touch the damage are drawn whole on
a scratch picture, and only the damaged boxes are copied from it: clipping would cut edges and move
their antialiasing.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import cairo
import numpy as np

from studio.draw.shapes import Box, Shape, context_pointer

__all__ = ["Painter"]

TILE = 16  # pixels: what the encoder calls a macroblock
BOX_COST = 40_000  # pixels that are redrawn and converted in the time that one more box costs
Appearance = tuple[Any, ...]


class _Painted(NamedTuple):
    """An item as it was painted last; kept with it, so that its id stays its own."""

    item: Any
    appearance: Appearance
    shape: Shape
    box: Box


class Painter:
    """A picture that is kept up to date.

    `appearance(item)` gives a comparable value of how an item looks, its points first;
    `make_shape(item, appearance, previous)` its Shape and its box, where `previous` is None or
    (appearance, Shape) of before. An item is any object that lives as long as it is shown.
    """

    def __init__(self, width: int, height: int, units: tuple[float, float],
                 background: Sequence[int] | np.ndarray,
                 appearance: Callable[[Any], Appearance],
                 make_shape: Callable[[Any, Appearance, Any], tuple[Shape, Box]]) -> None:
        """`units`: width and height of the picture in user units; `background`: RGBA bytes."""
        self.pixels = np.empty((height, width, 4), np.uint8)
        self._scratch = np.empty_like(self.pixels)
        self._background = np.frombuffer(bytes(background), np.uint32)[0]
        self._appearance, self._make_shape = appearance, make_shape
        self.scale = width / units[0], height / units[1]
        self._contexts = [self._context(pixels) for pixels in (self.pixels, self._scratch)]
        self._order: list[int] | None = None
        self._painted: dict[int, _Painted] = {}

    def _context(self, pixels: np.ndarray) -> tuple[cairo.Context, int]:
        height, width = pixels.shape[:2]
        surface = cairo.ImageSurface.create_for_data(
            pixels.data, cairo.FORMAT_ARGB32, width, height)
        context = cairo.Context(surface)
        context.set_matrix(cairo.Matrix(self.scale[0], 0, 0, -self.scale[1], width / 2, height / 2))
        return context, context_pointer(context)

    def invalidate(self) -> None:
        """The picture was drawn over by others: draw it whole next time."""
        self._order, self._painted = None, {}

    def paint(self, items: Sequence[Any], candidates: Sequence[Any] | None = None) -> list[Box]:
        """Bring `pixels` up to date with `items`, lowest first; the boxes in which they changed.

        `candidates`: those of them that may look other than when painted last; None: all.
        """
        damage, painted = [], self._painted
        for item in items if candidates is None or self._order is None else candidates:
            looks, old = self._appearance(item), painted.get(id(item))
            if old is None:
                shape, box = self._make_shape(item, looks, None)
                damage.append(box)
            elif old.appearance == looks:
                continue
            else:
                shape, box = self._make_shape(item, looks, (old.appearance, old.shape))
                damage += old.box, box
            painted[id(item)] = _Painted(item, looks, shape, box)
        whole = self._order is None
        order = [id(item) for item in items]
        if order != self._order:
            whole = whole or self._is_reordered(order)
            present = set(order)
            damage += [painted.pop(key).box for key in list(painted) if key not in present]
            self._order = order
        height, width = self.pixels.shape[:2]
        boxes = [(0, 0, width, height)] if whole else _regions(damage, width, height)
        return self._redraw(boxes) if boxes else []

    def _is_reordered(self, order: list[int]) -> bool:
        positions = {key: k for k, key in enumerate(order)}
        kept = [positions[key] for key in self._order or () if key in positions]
        return any(a > b for a, b in zip(kept, kept[1:]))

    def _redraw(self, boxes: list[Box]) -> list[Box]:
        height, width = self.pixels.shape[:2]
        whole = boxes[0] == (0, 0, width, height)
        pixels = self.pixels if whole else self._scratch
        context, pointer = self._contexts[0 if whole else 1]
        colors = pixels.view(np.uint32)[..., 0]
        for x0, y0, x1, y1 in boxes:
            colors[y0:y1, x0:x1] = self._background
        entries = [self._painted[key] for key in self._order or ()]
        item_boxes = np.array([entry.box for entry in entries], np.int32).reshape(-1, 4)
        left, top, right, bottom = item_boxes.T
        hit = np.zeros(len(entries), bool)
        for x0, y0, x1, y1 in boxes:
            hit |= (left < x1) & (right > x0) & (top < y1) & (bottom > y0)
        for k in np.flatnonzero(hit).tolist():
            entries[k].shape.draw(context, pointer, entries[k].box)
        return boxes if whole else [box for box in boxes if self._copy_if_changed(colors, box)]

    def _copy_if_changed(self, colors: np.ndarray, box: Box) -> bool:
        """Copy a box from the scratch picture, unless it is the same, as at a fade's slow ends."""
        x0, y0, x1, y1 = box
        old, new = self.pixels.view(np.uint32)[y0:y1, x0:x1, 0], colors[y0:y1, x0:x1]
        if np.array_equal(old, new):
            return False
        old[:] = new
        return True


def _regions(damage: list[Box], width: int, height: int) -> list[Box]:
    """The damaged tiles as boxes: few, for each costs time, but not much too large."""
    tiles = np.zeros((-(-height // TILE), -(-width // TILE)), bool)
    for x0, y0, x1, y1 in set(damage):
        tiles[y0 // TILE:-(-y1 // TILE), x0 // TILE:-(-x1 // TILE)] = True
    regions: list[Box] = []
    for top, bottom in _runs(np.any(tiles, axis=1)):
        for left, right in _runs(np.any(tiles[top:bottom], axis=0)):
            rows = np.flatnonzero(tiles[top:bottom, left:right].any(axis=1))
            box = (left * TILE, (top + int(rows[0])) * TILE, min(right * TILE, width),
                   min((top + int(rows[-1]) + 1) * TILE, height))
            _add(regions, box)
    return regions


def _runs(line: np.ndarray) -> Iterator[tuple[int, int]]:
    """Where a row of booleans is true: first and end of each run."""
    edges = np.flatnonzero(np.diff(line, prepend=False, append=False)).tolist()
    return zip(edges[::2], edges[1::2])


def _add(regions: list[Box], box: Box) -> None:
    """Append a box, joined with another where the two together are hardly larger."""
    for k, other in enumerate(regions):
        union = (min(box[0], other[0]), min(box[1], other[1]),
                 max(box[2], other[2]), max(box[3], other[3]))
        if _area(union) <= _area(box) + _area(other) + BOX_COST:
            del regions[k]
            _add(regions, union)
            return
    regions.append(box)


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
