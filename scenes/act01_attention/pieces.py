"""What this act draws again and again: its tokens, and its one table."""

from collections.abc import Sequence
from typing import Any

from manim import LEFT, UP, VGroup

from scenes.act01_attention.story import WORDS
from scenes.kit import FRAME, Grid, mix, px, token
from scenes.stage import Act

__all__ = ["CELL", "LIFT", "NEAR", "PLACES", "SIZE", "TABLE", "WIDE", "box_of",
           "heads", "large", "settle", "tokens_in", "words_of"]

CELL = (210, 172)  # px of a cell of the table of scores
TABLE = (-345, -106)  # px: the middle of the table from the middle of the picture
SIZE = 56  # px of its figures
WIDE = (200, 460, 720)  # px: where the tokens stand at its right,
PLACES = (150, 375, 600)  # or stand where a fourth has room,
LIFT = -30  # and how high
_TOKEN, NEAR = 130, 116  # px: a token, and where a fourth has room


def words_of(act: Act) -> list[str]:
    """The three tokens as words of the language that is spoken."""
    return [WORDS[act.language][index] for index in act.params.ids]


def tokens_in(act: Act, places: Sequence[tuple[float, float]], size: float = _TOKEN) -> VGroup:
    """The three tokens at places given in px from the middle of the picture."""
    return VGroup(*(token(word, size).move_to(FRAME.at(*place))
                    for word, place in zip(words_of(act), places)))


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
    rows = [token(word, 92, "q").next_to(table.cell(n, 0), LEFT, buff=px(30))
            for n, word in enumerate(words_of(act))]
    columns = [token(word, 92, "k").next_to(table.cell(0, n), UP, buff=px(22))
               for n, word in enumerate(words_of(act))]
    return VGroup(*rows, *columns)


def box_of(cell: VGroup, weight: float) -> Any:
    """Animation: the cell is filled as strongly as it weighs, 0..1."""
    return cell[0].animate.set_fill(mix("d", 0.04 + 0.6 * weight))
