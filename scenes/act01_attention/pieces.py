"""What this act draws again and again: its tokens, and its one table."""

from collections.abc import Sequence
from typing import Any

from manim import LEFT, UP, VGroup

from scenes.kit import FRAME, Grid, mix, px, token
from scenes.stage import Act

__all__ = ["CELL", "LIFT", "PLACES", "QUERY_CELL", "SIZE", "TABLE", "WIDE", "box_of", "heads",
           "large", "settle", "tokens_in"]

CELL = (210, 172)  # px of a cell of the table of scores
QUERY_CELL = (100, 172)  # of a query beside it; a key above it is as wide as a column
TABLE = (-345, -106)  # px: the middle of the table from the middle of the picture
SIZE = 56  # px of its figures
WIDE = (200, 460, 720)  # px: where the tokens stand at its right,
PLACES = (150, 375, 600)  # or stand where a fourth has room,
LIFT = -30  # and how high
_TOKEN = 130  # px


def tokens_in(act: Act, places: Sequence[tuple[float, float]], size: float = _TOKEN) -> VGroup:
    """The three tokens at places given in px from the middle of the picture."""
    return VGroup(*(token(index, size).move_to(FRAME.at(*place))
                    for index, place in zip(act.params.ids, places)))


def settle(act: Act, tokens: VGroup, places: Sequence[tuple[float, float]],
           size: float = _TOKEN, bend: float = 0) -> list[Any]:
    """Animations: the tokens go to places given in px, and take a size; `bend`: of their ways."""
    return [one.animate(path_arc=bend).become(goal)
            for one, goal in zip(tokens, tokens_in(act, places, size))]


def large(values: Sequence[Sequence], role: Any = "ink", cell: tuple[float, float] = CELL,
          size: float = SIZE) -> Grid:
    """A matrix that the picture is about; sizes in px."""
    return Grid(values, role, cell, size)


def heads(act: Act, table: Grid) -> VGroup:
    """Beside each row of the table the token that asks, above each column the one it meets."""
    rows = [token(index, 96, "q").next_to(table.cell(n, 0), LEFT, buff=px(30))
            for n, index in enumerate(act.params.ids)]
    columns = [token(index, 96, "k").next_to(table.cell(0, n), UP, buff=px(22))
               for n, index in enumerate(act.params.ids)]
    return VGroup(*rows, *columns)


def box_of(cell: VGroup, weight: float) -> Any:
    """Animation: the cell is filled as strongly as it weighs, 0..1."""
    return cell[0].animate.set_fill(mix("d", 0.04 + 0.6 * weight))
