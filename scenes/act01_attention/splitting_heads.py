"""A view cuts Q into two heads; what a matrix a head needs a transpose for."""

import numpy as np
from manim import LEFT, RIGHT, UP, ReplacementTransform, VGroup

from scenes.act01_attention.matrices import numbered
from scenes.kit import (FRAME, LEAD, NOTE, SHAPE, Grid, Label, caption, carry, in_turn, px,
                        ring)
from scenes.kit.base.motion import leave, replace
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["two_heads"]

CUT = 24  # px that a view moves the heads to either side
GROWN = 1.45  # Q while it is alone on the stage
HEADS = ("q", "e")  # a hue a head


@beat("models/qwen3.py:79", carries="q trail")
def two_heads(act: Act) -> None:
    # Q grows out of Y, with its numbers: two heads in every row.
    elements = act.story.lesson.elements
    values, flat = (FRAME.place(numbered(elements.flat[0], "q", texts), x=-510, y=30) for texts in (
        act.story.lesson.projection.q.tolist(), None))
    small = flat.get_center()
    halves = [VGroup(values.column(c), values.column(c + 1)) for c in (0, 2)]
    heads = [caption(half, act.label("head", n=n), LEAD, UP, role=role)
             for n, (half, role) in enumerate(zip(halves, HEADS))]
    tokens = VGroup(*(caption(row, act.label("token", n=n), side=LEFT)
                      for n, row in enumerate(values.rows)))
    shape = caption(values, "Q [3, 4]", SHAPE, gap=30)
    whole = VGroup(*halves, *heads, tokens, shape).scale(GROWN, about_point=small).shift(-small)
    act.move([ReplacementTransform(*pair) for pair in zip(act.kept.q, values)], tokens, shape,
             pace=SLOW)
    act.cue("two")
    act.move(in_turn(heads, 0.6), pace=EASY)
    rings = [ring(half, role, buff=4) for half, role in zip(halves, HEADS)]
    act.cue("why")
    act.move(in_turn(rings, 0.8), pace=VERY_SLOW)
    # A view only cuts, and the engine's kernel reads it as it lies.
    viewed = Label("Q [3, 2, 2]", SHAPE).scale(GROWN).move_to(shape)
    act.cue("view")
    act.move(leave(VGroup(*rings)), [VGroup(half, head).animate.shift(side * px(CUT * GROWN))
             for half, head, side in zip(halves, heads, (LEFT, RIGHT))],
             tokens.animate.shift(LEFT * px(CUT * GROWN)), replace(shape, viewed), pace=VERY_SLOW)
    frame = ring(VGroup(*halves), "focus", 5, 10)
    act.cue("engine")
    act.move(frame, pace=EASY)
    stops = Label(act.label("stops"), LEAD).move_to(viewed)
    act.cue("kernel")
    act.move(replace(viewed, stops), pace=EASY)
    # A textbook's matrix a head: the numbers give way to their places in memory.
    whole = VGroup(*halves, *heads, tokens)
    act.cue("textbook")
    act.move(leave(frame), leave(stops),
             whole.animate.shift(small).scale(1 / GROWN, about_point=small), pace=SLOW)
    _transposed(act, values, flat)


def _transposed(act: Act, values: Grid, flat: Grid) -> None:
    """The numbers give way to their places in memory; a matrix a head, with and without."""
    elements = act.story.lesson.elements
    halves = [VGroup(flat.column(c), flat.column(c + 1)).shift(side * px(CUT))
              for c, side in ((0, LEFT), (2, RIGHT))]
    act.cue("number")
    act.move([replace(values.labels, flat.labels)], caption(
        flat, act.label("places"), NOTE, gap=30, role="ink"), pace=SLOW)
    right, names = _two(act, elements.transposed[0], 40)
    for n, cue in enumerate(("transpose", "own")):
        act.cue(cue)
        act.move(carry(halves[n], VGroup(*map(right[n].column, (0, 1)))), names[n], pace=VERY_SLOW)
    _untransposed(act, _two(act, elements.flat.reshape(2, 3, 2), 520)[0])
    act.keep(head=right[0], trail=act.kept.trail)


def _untransposed(act: Act, wrong: list[Grid]) -> None:
    """Memory cut in half as it lies: a row of each half belongs to the other head."""
    title = caption(wrong[0], act.label("untransposed"), LEAD, UP, 30, role="stop")
    act.cue("skip")
    act.move(title, in_turn((row for grid in wrong for row in grid.rows), 0.5), pace=VERY_SLOW)
    act.cue("wrong")
    act.move([ring(grid.row(1), "stop", buff=3) for grid in wrong], [caption(
        grid.row(1), act.label("belongs", n=1 - n), NOTE, RIGHT, role="stop")
        for n, grid in enumerate(wrong)], pace=EASY)


def _two(act: Act, numbers: np.ndarray, x: float) -> tuple[list[Grid], list[Label]]:
    """Two matrices [2, 3, 2] of elements at x px, one below the other, and whose they are."""
    grids = [FRAME.place(numbered(block), x=x, y=y) for block, y in zip(numbers, (172, -152))]
    return grids, [caption(grid, act.label("head", n=n), LEAD, RIGHT, role=HEADS[n])
                   for n, grid in enumerate(grids)]
