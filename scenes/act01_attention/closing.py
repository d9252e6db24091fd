"""The replays above the lines to remember."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import DOWN, RIGHT, AnimationGroup, Transform, VGroup

from scenes.act01_attention.pieces import CELL, SIZE, heads, words_of
from scenes.act01_attention.story import QUERY
from scenes.geometry import Region, px
from scenes.kit import Grid, arrow, hide, in_turn, token, weight_arcs, weight_grid
from scenes.kit.base.motion import arrive, leave, swap
from scenes.stage import Act

__all__ = ["REPLAYS"]


def _masked(act: Act, room: Region) -> Iterator[Any]:
    """The later keys are hidden; what is left becomes weights, cell by cell."""
    written, lesson = act.story.heads[0], act.story.lesson.heads[0]
    grid, weights = Grid(written.scaled, "ink", CELL, SIZE), weight_grid(
        written.weights, lesson.weights, CELL, SIZE)
    names = heads(act, grid)
    room.place(VGroup(grid, names), fill=0.95)
    weights.match_width(grid).move_to(grid)
    yield arrive(VGroup(grid, names))
    cells = [grid.cell(*where) for where in np.argwhere(~lesson.mask)]
    covers, numbers = hide(cells, SIZE)
    for cell, cover in zip(cells, covers):
        cell.add(cover)
    if len(covers):
        yield [leave(numbers), covers]
    yield in_turn([AnimationGroup(*swap(VGroup(*old), label), Transform(box, filled))
                   for (box, *old), (filled, label) in zip(grid, weights)], 0.3)


def _mixed(act: Act, room: Region) -> Iterator[Any]:
    """The asking token's row of weights, as arcs, and what comes of it."""
    tokens, arcs, values, output = _mixture(act)
    room.place(VGroup(tokens, arcs, *values, output), fill=0.95)
    yield arrive(tokens)
    yield in_turn(arcs, 0.5)
    yield values
    yield in_turn(output, 0.5)


def _next(act: Act, room: Region) -> Iterator[Any]:
    """The three tokens, a place for a fourth, and the mix that must become it."""
    tokens, _, _, output = _mixture(act)
    empty = token("?", 130, "focus").next_to(tokens, RIGHT, buff=px(90))
    empty[0].set_fill(opacity=0)
    output.next_to(tokens[QUERY], DOWN, buff=px(60))
    room.place(VGroup(tokens, empty, output), fill=0.85)
    yield [arrive(tokens), arrive(output)]
    yield empty
    yield arrow(output.get_right(), empty.get_bottom(), "focus", 6)


def _mixture(act: Act) -> tuple[VGroup, VGroup, list[Grid], Grid]:
    """The tokens, the arcs into the last as thick as they weigh, the values, and their mix."""
    lesson, written = act.story.lesson.heads[0], act.story.heads[0]
    tokens = VGroup(*(token(word, 130) for word in words_of(act))).arrange(RIGHT, buff=px(90))
    values = [Grid([row], "v", (88, 88), 52).next_to(one, DOWN, buff=px(24))
              for row, one in zip(lesson.v, tokens)]
    output = Grid([written.output[QUERY]], "v", (150, 88), 52, 0.5)
    output.next_to(values[-1], buff=px(110))
    return tokens, weight_arcs(tokens, lesson.weights[QUERY]), values, output


REPLAYS = (_masked, _mixed, _next)
