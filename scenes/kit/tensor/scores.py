"""Scores and weights of attention: a row a query, a column a key."""

from collections.abc import Sequence

import numpy as np
from manim import LEFT, UP, VGroup

from scenes.kit.base.hatch import Hatch
from scenes.kit.base.text import number
from scenes.kit.tensor.grid import Grid

__all__ = ["MaskedScores", "hidden_score", "query_key_axes", "weight_grid"]

_LIGHTEST, _RANGE = 0.04, 0.6  # fill of a cell that weighs 0, and how much 1 adds


def query_key_axes(rows: Grid, columns: Grid, size: float = 28) -> VGroup:
    """q0, q1, ... beside the rows of one grid, k0, k1, ... above the columns of another.

    Both may be the same matrix of scores; `size` is the em height in px.
    """
    sides = ((rows, rows.shape[0], LEFT, "q"), (columns, columns.shape[1], UP, "k"))
    return VGroup(*(name for grid, count, side, letter in sides for name in
                    grid.axis([f"{letter}{n}" for n in range(count)], side, letter, size)))


def hidden_score(cell: VGroup, size: float = 42) -> VGroup:
    """What hides a grid's cell, to be laid over it: a hatched plate, and its score, minus infinity.

    Parts: plate, label. `size` is the em height in px.
    """
    box = cell[0]
    plate = Hatch(box.width, box.height, pitch=24).move_to(box)
    return VGroup(plate, number("−∞", size, "ink", "semibold").move_to(box).set_z_index(1))


class MaskedScores(VGroup):
    """Scores, hidden where `mask` [queries, keys] is False. Parts: `grid`, then a plate a cell."""

    def __init__(self, values: Sequence[Sequence[object]], mask: np.ndarray,
                 cell: tuple[float, float] = (120, 72), size: float = 30,
                 hidden_size: float = 34) -> None:
        self.grid = Grid([[value if seen else "" for value, seen in zip(*rows)]
                          for rows in zip(values, mask)], "ink", cell, size)
        super().__init__(self.grid, *(hidden_score(self.grid.cell(*where), hidden_size)
                                      for where in np.argwhere(~mask)))


def weight_grid(texts: Sequence[Sequence[object]], weights: np.ndarray,
                cell: tuple[float, float] = (120, 72), size: float = 30) -> Grid:
    """Weights [queries, keys] of 0..1, written as `texts`: the more a cell weighs, the stronger."""
    return Grid(texts, "d", cell, size, weights * _RANGE + _LIGHTEST)
