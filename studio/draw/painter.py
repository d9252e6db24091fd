"""Draws shapes with cairo, again only where the picture changed, to the pixel as drawing it whole.

A changed shape damages its old and new box. All shapes that touch the damage are drawn whole on a
scratch picture, and only the damaged boxes are copied from it: clipping would cut edges and move
their antialiasing.
"""

import cairo
import numpy as np

from studio.draw.shapes import Box, handle

__all__ = ["Painter"]

TILE = 16  # pixels: what the encoder calls a macroblock
WASTE = 40_000  # pixels that are redrawn and converted in the time that one more box costs


class Painter:
    """A picture that is kept up to date.

    `look(thing)` gives a comparable key of how a thing looks, its points first;
    `shape(thing, look, old)` its Shape and its box, where `old` is None or (look, Shape) of
    before. A thing is anything that lives as long as it is shown.
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
        return context, handle(context)

    def forget(self) -> None:
        """The picture was drawn over by others: draw it whole next time."""
        self._order, self._shown = None, {}

    def paint(self, things, touched=None) -> list[Box]:
        """Bring `pixels` up to date with `things`, lowest first; the boxes in which they changed.

        `touched`: those of them that may look other than when they were painted last; None: all.
        """
        damage, shown = [], self._shown
        for thing in things if touched is None or self._order is None else touched:
            look, known = self._look(thing), shown.get(id(thing))
            if known is None:
                shape, box = self._shape(thing, look, None)
                damage.append(box)
            elif known[1] == look:
                continue
            else:
                shape, box = self._shape(thing, look, known[1:3])
                damage += known[3], box
            shown[id(thing)] = (thing, look, shape, box)
        whole = self._order is None
        order = [id(thing) for thing in things]
        if order != self._order:
            whole = whole or self._reordered(order)
            wanted = set(order)
            damage += [shown.pop(key)[3] for key in list(shown) if key not in wanted]
            self._order = order
        height, width = self.pixels.shape[:2]
        boxes = [(0, 0, width, height)] if whole else _regions(damage, width, height)
        return self._redraw(boxes) if boxes else []

    def _reordered(self, order) -> bool:
        place = {key: k for k, key in enumerate(order)}
        kept = [place[key] for key in self._order if key in place]
        return any(a > b for a, b in zip(kept, kept[1:]))

    def _redraw(self, boxes) -> list[Box]:
        height, width = self.pixels.shape[:2]
        whole = boxes[0] == (0, 0, width, height)
        pixels = self.pixels if whole else self._scratch
        context, address = self._contexts[0 if whole else 1]
        colors = pixels.view(np.uint32)[..., 0]
        for x0, y0, x1, y1 in boxes:
            colors[y0:y1, x0:x1] = self._ground
        entries = [self._shown[key] for key in self._order]
        places = np.array([entry[3] for entry in entries], np.int32).reshape(-1, 4)
        left, top, right, bottom = places.T
        hit = np.zeros(len(entries), bool)
        for x0, y0, x1, y1 in boxes:
            hit |= (left < x1) & (right > x0) & (top < y1) & (bottom > y0)
        for k in np.flatnonzero(hit).tolist():
            entries[k][2].draw(context, address, entries[k][3])
        if whole:
            return boxes
        shown, changed = self.pixels.view(np.uint32)[..., 0], []
        for box in boxes:
            x0, y0, x1, y1 = box
            old, new = shown[y0:y1, x0:x1], colors[y0:y1, x0:x1]
            if not np.array_equal(old, new):  # as at the slow ends of a fade
                old[:] = new
                changed.append(box)
        return changed


def _regions(damage, width: int, height: int) -> list[Box]:
    """The damaged tiles as boxes: few, for each costs time, but not much too large."""
    tiles = np.zeros((-(-height // TILE), -(-width // TILE)), bool)
    for x0, y0, x1, y1 in set(damage):
        tiles[y0 // TILE:-(-y1 // TILE), x0 // TILE:-(-x1 // TILE)] = True
    found = []
    for top, bottom in _runs(tiles.any(axis=1)):
        for left, right in _runs(tiles[top:bottom].any(axis=0)):
            rows = np.flatnonzero(tiles[top:bottom, left:right].any(axis=1))
            box = (left * TILE, (top + int(rows[0])) * TILE, min(right * TILE, width),
                   min((top + int(rows[-1]) + 1) * TILE, height))
            _add(found, box)
    return found


def _runs(line) -> list[tuple[int, int]]:
    """Where a row of booleans is true: first and end of each run."""
    edges = np.flatnonzero(np.diff(line, prepend=False, append=False)).tolist()
    return list(zip(edges[::2], edges[1::2]))


def _add(found, box) -> None:
    """Append a box, joined with another where the two together are hardly larger."""
    for k, other in enumerate(found):
        union = (min(box[0], other[0]), min(box[1], other[1]),
                 max(box[2], other[2]), max(box[3], other[3]))
        if _area(union) <= _area(box) + _area(other) + WASTE:
            del found[k]
            return _add(found, union)
    found.append(box)


def _area(box):
    return (box[2] - box[0]) * (box[3] - box[1])
