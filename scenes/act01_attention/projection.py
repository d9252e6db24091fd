"""One matrix product gives queries, keys and values."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act01_attention.matrices import integers, work_out
from scenes.act01_attention.story import CELL, PARTS, ROLES
from scenes.kit import (FRAME, SHAPE, Callout, Contraction, Corner, Grid, ProductLine, caption,
                        carry, in_turn, px, ring, transposed)
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["all_cells", "one_cell"]


@beat("layers/linear.py:73", least={2: 60}, carries="x leavers")
def one_cell(act: Act) -> None:
    # X moves to the left of Y, W comes above it; a copy of X holds its place in the corner.
    x, lesson = act.kept.x, act.story.lesson.projection
    w, y = (integers(values, ROLES) for values in (lesson.w, lesson.y))
    corner = Corner(x.copy(), w, FRAME.place(y, x=-70, y=-132), gap=(60, 46))
    headers = VGroup(*(w.header(columns[0], columns[-1], f"{role.upper()} {len(columns)}", role)
                       for role, columns in PARTS.items()))
    names = VGroup(caption(corner.left_, "X [3, 4]", SHAPE), caption(y, "Y = X · W [3, 8]", SHAPE),
                   caption(w, "W [4, 8]", SHAPE, RIGHT, 30))
    act.move(FadeOut(act.kept.leavers), x.animate.move_to(corner.left_), pace=SLOW)
    act.move(w, headers, y.boxes, names, pace=EASY)
    # One cell of Y needs one row and one column.
    rings = corner.rings(*CELL)
    for needed in rings[:2]:
        act.move(needed, pace=BRISK)
    act.next_line()
    line = ProductLine(*act.story.product[:2], 38, ("ink", ROLES[CELL[1]]))
    line.next_to(y, RIGHT, buff=px(50)).set_y(y.cell(0, 0).get_y())
    work_out(act, corner, CELL, line, 66, rings[2], SLOW)
    act.next_line()
    # The axis that both share is summed away.
    shapes = Contraction(3, 4, 8, 34).align_to(line, LEFT).match_y(y.row(2))
    act.move(shapes.factors, pace=BRISK)
    act.move(shapes.vanish(), pace=SLOW)
    act.keep(x=x, w=w, y=y, headers=headers, names=names, row=rings[0],
             leavers=VGroup(line, shapes, rings[1:]))


@beat("layers/linear.py:73", least={1: 46, 3: 42}, carries="x w y headers names row leavers")
def all_cells(act: Act) -> None:
    # The other cells, row by row.
    kept, w, y = act.kept, act.kept.w, act.kept.y
    act.move(FadeOut(kept.leavers), pace=BRISK)
    for r in range(3):
        if r:
            act.move(kept.row.animate.move_to(kept.x.row(r)), pace=QUICK)
        act.move(in_turn(y.label(r, c) for c in range(8) if (r, c) != CELL), pace=EASY)
    # Y comes apart into Q, K and V.
    blocks = [VGroup(*map(y.column, columns)) for columns in PARTS.values()]
    act.move(FadeOut(kept.row), FadeOut(kept.names[1]), pace=QUICK)
    act.move((block.animate.shift(RIGHT * px(44 * k)) for k, block in enumerate(blocks)), pace=EASY)
    for block, (role, columns) in zip(blocks, PARTS.items()):
        name = caption(block, f"{role.upper()} [3, {len(columns)}]", 32, role=role, mono=True)
        act.move(FadeIn(name, shift=UP * px(8)), pace=QUICK)
    act.next_line()
    meanings = _meanings(act, blocks)
    act.next_line()
    # An aside: `Linear.weight` [8, 4] holds every column of W as a row.
    act.move(FadeOut(meanings), pace=BRISK)
    stored = Grid(act.story.lesson.projection.linear_weight, np.array(ROLES)[:, None], (88, 60), 32)
    shape = caption(FRAME.place(stored, x=700, y=50), "Linear.weight [8, 4]", SHAPE)
    act.move(shape, transposed("y = x · weight").next_to(shape, DOWN, buff=px(30)), pace=QUICK)
    act.move(in_turn(carry(w.column(c), stored.row(c)) for c in range(8)), pace=45)
    q = VGroup(*(y.cell(r, c) for r in range(3) for c in PARTS["q"]))
    act.keep(q=q, leavers=all_but(act, q))


def _meanings(act: Act, blocks: list[VGroup]) -> VGroup:
    """What query, key and value are for, one callout each, while its columns are framed."""
    keys = ("asks", "offers", "delivers")
    callouts = VGroup(*(Callout(act.label(key), act.label(f"{key}_what"), role)
                        for key, role in zip(keys, PARTS)))
    callouts.arrange(DOWN, buff=px(60), aligned_edge=LEFT).align_to(FRAME.at(545), LEFT)
    gone = None
    for callout, block, role in zip(callouts, blocks, PARTS):
        frame = ring(block, role, buff=6)
        act.move(FadeIn(callout, shift=RIGHT * px(16)), frame, gone, pace=EASY)
        act.rest(24)
        gone = FadeOut(frame)
    act.move(gone, pace=QUICK)
    return callouts
