"""Scores and weights of attention: a row a query, a column a key."""

from collections.abc import Iterable, Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.flow import arc
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.text import number
from scenes.kit.tensor.grid import Grid

__all__ = ["hide", "reading_arc", "weight_arcs", "weight_grid"]

_LIGHTEST, _RANGE = 0.04, 0.6  # fill of a cell that weighs 0, and how much 1 adds


def hide(cells: Iterable[VGroup], size: float = 42) -> tuple[VGroup, VGroup]:
    """Lay over cells of a grid what hides them: a hatched plate and a score of minus infinity.

    Returns the covers, one (plate, label) a cell, to fade in; and the cells' numbers, to fade
    out: they leave their cells, since a grid that moves would bring them back. `size` is the em
    height in px.
    """
    covers, numbers = VGroup(), VGroup()
    for cell in cells:
        box, written = cell
        plate = Hatch(box.width, box.height, pitch=24).move_to(box)
        covers.add(VGroup(plate, number("−∞", size, "ink", "semibold").move_to(box).set_z_index(1)))
        cell.remove(written)
        numbers.add(written)
    return covers, numbers


def weight_grid(texts: Sequence[Sequence[object]], weights: np.ndarray,
                cell: tuple[float, float] = (120, 72), size: float = 30) -> Grid:
    """Weights [queries, keys] of 0..1, written as `texts`: the more a cell weighs, the stronger."""
    return Grid(texts, "d", cell, size, weights * _RANGE + _LIGHTEST)


def reading_arc(cells: Sequence[VMobject], source: int, query: int, weight: float,
                role: str = "d") -> VGroup:
    """An arc from one cell of a row into another, or around its own corner, as thick as `weight`.

    The weight is 0..1. Arcs from further away are higher and end nearer to the middle.
    """
    cell, width, apart = cells[query], 3 + 12 * weight, query - source
    if not apart:
        corner = cell.get_corner(UP + RIGHT)
        return arc(corner + LEFT * px(30) + UP * px(10), corner + DOWN * px(34) + RIGHT * px(10),
                   -4.1, role, width)
    side = LEFT if apart > 0 else RIGHT
    end = cell.get_top() + UP * px(10) + side * px(44 - 36 * (abs(apart) - 1))
    return arc(cells[source].get_top() + UP * px(10), end, -1.9 if apart > 0 else 1.9, role, width)


def weight_arcs(cells: Sequence[VMobject], weights: Sequence[float], role: str = "d") -> VGroup:
    """Arcs from all cells into the last one, as thick as `weights` (0..1) say."""
    return VGroup(*(reading_arc(cells, k, len(cells) - 1, weight, role)
                    for k, weight in enumerate(weights)))
