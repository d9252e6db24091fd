"""Rows of numbers, each with its name before it; a row is computed from those above."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from manim import DOWN, LEFT, Animation, FadeIn, VGroup

from scenes.geometry import px
from scenes.kit.base.gather import gather
from scenes.kit.base.text import Label
from scenes.kit.tensor.grid import Grid, ring

__all__ = ["NamedRows", "Row"]


class Row(NamedTuple):
    """`numbers` as written; a row without colour ("ink") has a muted name."""

    name: str
    numbers: Sequence[str]
    role: str = "ink"


class NamedRows(VGroup):
    """Rows one below the other, column under column. Parts, a list each: `grids`, `names`.

    `cell` (width, height), `gap` from row to row, `size` of the numbers, `name_size` and
    `name_gap` in px at 1080p.
    """

    def __init__(self, rows: Sequence[Row], cell: tuple[float, float], size: float,
                 gap: float = 58, name_size: float = 34, name_gap: float = 30) -> None:
        self.grids = [Grid([row.numbers], row.role, cell, size) for row in rows]
        VGroup(*self.grids).arrange(DOWN, buff=px(gap))
        self.names = [Label(row.name, name_size, "muted" if row.role == "ink" else row.role)
                      .next_to(grid, LEFT, buff=px(name_gap))
                      for row, grid in zip(rows, self.grids)]
        super().__init__(*self.grids, *self.names)

    def put(self, k: int, point: Sequence[float]) -> "NamedRows":
        """Shift the whole so that the numbers of row k begin at `point`; itself."""
        self.shift(point - self.grids[k].get_left())
        return self

    def given(self, k: int) -> list[Any]:
        """Row k comes as a whole."""
        return [self.grids[k], self.names[k]]

    def computed(self, k: int, *sources: int) -> list[Any]:
        """Row k comes as its numbers are computed, place by place, from those of other rows."""
        return [*_elementwise([self.grids[source] for source in sources], self.grids[k]),
                self.names[k]]

    def effect(self, column: int, rows: Sequence[int], word: str, size: float = 26) -> VGroup:
        """A frame around `rows` of a column, and a word between the last two of them."""
        cells = [self.grids[row].cell(0, column) for row in rows]
        label = Label(word, size, "focus", "semibold")
        label.move_to((cells[-2].get_bottom() + cells[-1].get_top()) / 2)
        return VGroup(ring(VGroup(*cells), "focus", 4), label)


def _elementwise(sources: Sequence[Grid], target: Grid) -> list[Animation]:
    """Animations: the number in place k of every source travels to place k of the target.

    The target's boxes appear on the way. All grids have as many cells.
    """
    columns = zip(*(source.labels for source in sources))
    return [FadeIn(target.boxes), *(gather(column, label)
                                    for column, label in zip(columns, target.labels))]
