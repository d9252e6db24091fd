"""The replays beside the lines to remember."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import DOWN, RIGHT, VGroup

from scenes.act01_attention.pieces import words_of
from scenes.act01_attention.story import PARTS, QUERY, ROLES
from scenes.geometry import Region, px
from scenes.kit import Corner, Grid, hide, in_turn, ring, token, weight_arcs, weight_grid
from scenes.kit.base.motion import Flight, leave, replace
from scenes.stage import Act

__all__ = ["REPLAYS"]


def _projected(act: Act, room: Region) -> Iterator[Any]:
    """X becomes Q, K and V in one multiplication."""
    x, w, y = (Grid([[""] * columns] * rows, role, (44, 40)) for rows, columns, role in (
        (3, 4, "ink"), (4, 8, ROLES), (3, 8, ROLES)))
    room.place(Corner(x, w, y, (24, 16)), fill=0.85)
    yield VGroup(x, w)
    yield in_turn(y.rows, 0.5)
    yield [VGroup(*map(y.column, columns)).animate.shift(RIGHT * px(8 * k))
           for k, columns in enumerate(PARTS.values())]


def _masked(act: Act, room: Region) -> Iterator[Any]:
    """The later keys are hidden; what is left becomes weights; the diagonal stays."""
    written, lesson = act.story.heads[0], act.story.lesson.heads[0]
    grid, weights = Grid(written.scaled, "ink", (150, 62), 30), weight_grid(
        written.weights, lesson.weights, (150, 62), 30)
    room.place(grid, fill=0.85)
    weights.match_width(grid).move_to(grid)
    yield grid
    covers, numbers = hide((grid.cell(*where) for where in np.argwhere(~lesson.mask)), 30)
    yield [leave(numbers), covers] if len(covers) else ring(grid)
    yield [replace(VGroup(grid, *covers), weights)]
    yield [ring(weights.cell(n, n)) for n in range(3)]


def _mixed(act: Act, room: Region) -> Iterator[Any]:
    """The asking token's row of weights, as arcs, and what comes of it."""
    lesson, written = act.story.lesson.heads[0], act.story.heads[0]
    tokens = VGroup(*(token(word, 104, em=0.58) for word in words_of(act)))
    tokens.arrange(RIGHT, buff=px(40))
    arcs = weight_arcs(tokens, lesson.weights[QUERY])
    values = [Grid([row], "v", (76, 70), 48).next_to(cell, DOWN, buff=px(16))
              for row, cell in zip(lesson.v, tokens)]
    output = Grid([written.output[QUERY]], "v", (140, 70), 48).next_to(values[-1], buff=px(40))
    room.place(VGroup(tokens, arcs, *values, output), fill=0.85)
    yield tokens
    yield in_turn(arcs, 0.5)
    yield values
    yield [Flight(row, output, None, "d", k) for k, row in enumerate(values)]


REPLAYS = (_projected, _masked, _mixed)
