"""View, then transpose: the queries of two heads become two matrices."""

import numpy as np
from manim import LEFT, RIGHT, UP, VGroup

from scenes.act01_attention.matrices import CELL, numbered
from scenes.kit import (FRAME, LEAD, NOTE, SHAPE, Grid, Label, caption, carry, in_turn, mix,
                        px, ring)
from scenes.kit.base.motion import replace
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["two_heads"]

CUT = 24  # px that a view moves the heads to either side
HEADS = ("q", "e")  # a hue a head


@beat("models/qwen3.py:79", carries="q trail")
def two_heads(act: Act) -> None:
    # Q grows out of Y; its numbers give way to those of its elements, in the order of memory.
    q, elements = act.kept.q, act.story.lesson.elements
    flat = FRAME.place(numbered(elements.flat[0]), x=-510, y=60)
    place = Grid([[""] * 4] * 3, "q", CELL, 38).move_to(flat)
    tokens = [caption(row, act.label("token", n=n), side=LEFT) for n, row in enumerate(flat.rows)]
    act.move([cell.animate.move_to(there).scale(1.2) for cell, there in zip(q, place)], pace=SLOW)
    right, names = _two(act, elements.transposed[0], 40)
    wrong, _ = _two(act, elements.flat.reshape(2, 3, 2), 520)
    places = [grid.boxes.copy().set_fill(opacity=0).set_stroke(mix("muted", 0.3))
              for grid in (*right, *wrong)]  # faint, until they are filled
    act.move(tokens, places, pace=BRISK)
    halves = [VGroup(flat.column(c), flat.column(c + 1)) for c in (0, 2)]
    heads = [caption(half, act.label("head", n=n), LEAD, UP, role=role)
             for n, (half, role) in enumerate(zip(halves, HEADS))]
    shape = caption(flat, "[3, 4]", SHAPE, gap=30)
    act.cue("two")
    act.move([replace(q, flat.boxes)], heads, pace=EASY)
    act.cue("number")
    act.move(flat.labels, shape, pace=SLOW)
    # A view only cuts: nothing changes its order.
    viewed = Label("[3, 2, 2]", SHAPE).move_to(shape)
    act.cue("view")
    act.move([VGroup(half, head).animate.shift(side * px(CUT))
              for half, head, side in zip(halves, heads, (LEFT, RIGHT))],
             [token.animate.shift(LEFT * px(CUT)) for token in tokens], replace(shape, viewed),
             pace=VERY_SLOW)
    # Transposed, each head has a matrix of its own; without that, memory is cut as it lies.
    for n, cue in enumerate(("transpose", "own")):
        act.cue(cue)
        act.move(carry(halves[n], VGroup(*map(right[n].column, (0, 1)))), names[n], pace=VERY_SLOW)
    _untransposed(act, wrong)
    # Why heads; what this engine reads.
    act.cue("why")
    act.move([ring(grid, "ink", 5, 6) for grid in right], pace=EASY)
    act.cue("engine")
    act.move(ring(VGroup(*halves), "focus", 5, 10), pace=EASY)
    act.cue("kernel")
    act.move(replace(viewed, Label(act.label("stops"), NOTE, "ink").move_to(viewed)), pace=EASY)
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
