"""The question answered by a picture, and the replays beside the lines to remember."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, VGroup

from scenes.act01_attention.story import PARTS, QUERY, ROLES
from scenes.geometry import Region, px
from scenes.kit import (FRAME, LEAD, Corner, Grid, caption, hide, in_turn, number, ring,
                        weight_arcs, weight_grid)
from scenes.kit.base.motion import Flight, leave, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["REPLAYS", "the_answer"]


@beat(carries="trail")
def the_answer(act: Act) -> None:
    # The three tokens of the opening question, each over the value that it hands over.
    written, lesson = act.story.heads[0], act.story.lesson.heads[0]
    tokens = Grid([act.params.ids], "ink", (150, 110), 52).arrange(RIGHT, buff=px(290))
    FRAME.place(tokens, x=-150, y=70)
    values = [Grid([row], "v", (110, 84), 40).next_to(cell, DOWN, buff=px(70))
              for row, cell in zip(lesson.v, tokens)]
    name = caption(tokens, act.label("head", n=0), LEAD, LEFT, 60, role="muted")
    act.move(tokens, pace=BRISK)
    act.cue("asks")
    act.move(ring(tokens[QUERY], buff=6), pace=QUICK)
    # How strongly it weighs each: arcs as thick as the weights.
    arcs = weight_arcs(tokens, lesson.weights[QUERY])
    shares = [number(text, 40, "d", "semibold").next_to(cell, UP, buff=px(26))
              for text, cell in zip(written.weights[QUERY], tokens)]
    for k, cue in enumerate(("one", "two", "itself")):
        act.cue(cue)
        act.move(*arcs[k:k + 1], [] if k else name, shares[k].shift(_beside(k)), pace=EASY)
    # The values, weighed, flow together.
    act.cue("values")
    act.move(act.kept.trail.give("V", VGroup(*(cell[0] for row in values for cell in row))),
             pace=SLOW)
    act.move([row.labels for row in values], pace=BRISK)
    output = Grid([written.output[QUERY]], "v", (140, 96), 44).next_to(
        values[-1], RIGHT, buff=px(110))
    act.cue("output")
    act.move([Flight(row, output, None, "d", k) for k, row in enumerate(values)], pace=SLOW)
    act.move(ring(output, buff=6), caption(output, act.label("output"), side=UP), pace=BRISK)
    act.keep(trail=act.kept.trail)


def _beside(k: int) -> Any:
    """Out of the way of the arc that starts or ends over token k."""
    return px(150) * RIGHT + px(30) * UP if k == QUERY else px(60) * LEFT


def _projected(act: Act, room: Region) -> Iterator[Any]:
    """X becomes Q, K and V in one multiplication"""
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
    tokens = Grid([act.params.ids], "ink", (96, 72), 40).arrange(RIGHT, buff=px(62))
    arcs = weight_arcs(tokens, lesson.weights[QUERY])
    values = [Grid([row], "v", (60, 56), 36).next_to(cell, DOWN, buff=px(16))
              for row, cell in zip(lesson.v, tokens)]
    output = Grid([written.output[QUERY]], "v", (100, 56), 34).next_to(values[-1], buff=px(40))
    room.place(VGroup(tokens, arcs, *values, output), fill=0.85)
    yield tokens
    yield in_turn(arcs, 0.5)
    yield values
    yield [Flight(row, output, None, "d", k) for k, row in enumerate(values)]


REPLAYS = (_projected, _masked, _mixed)
