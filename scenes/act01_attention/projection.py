"""One matrix product gives queries, keys and values."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act01_attention.matrices import integers
from scenes.act01_attention.story import CELL, PARTS, ROLES
from scenes.kit import FRAME, SHAPE, Callout, Corner, ProductLine, caption, in_turn, px, ring
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["all_cells", "one_cell"]


@beat("layers/linear.py:73", carries="x trail")
def one_cell(act: Act) -> None:
    # X moves to the left of Y, W comes above it; a copy of X holds its place in the corner.
    x, lesson = act.kept.x, act.story.lesson.projection
    w, y = (integers(values, ROLES) for values in (lesson.w, lesson.y))
    corner = Corner(x.copy(), w, FRAME.place(y, x=-70, y=-150), gap=(60, 40))
    headers = VGroup(*(w.header(columns[0], columns[-1], f"{role.upper()} {len(columns)}", role)
                       for role, columns in PARTS.items()))
    names = VGroup(caption(corner.left_, "X [3, 4]", SHAPE), caption(y, "Y = X · W [3, 8]", SHAPE),
                   caption(w, "W [4, 8]", SHAPE, RIGHT, 30))
    act.move(x.animate.move_to(corner.left_), pace=EASY)
    act.cue("w")
    act.move(w, headers, names[2], names[0], pace=EASY)
    act.move(y.boxes, names[1])
    # One cell of Y needs one row and one column.
    rings = corner.rings(*CELL)
    for needed, cue in zip((rings[2], rings[0], rings[1]), ("cell", "row", "column")):
        act.cue(cue)
        act.move(needed, pace=BRISK)
    # Its factors fly into a line, add up, and the sum takes its place.
    line = ProductLine(*act.story.product[:2], 38, ("ink", ROLES[CELL[1]]))
    line.next_to(y, RIGHT, buff=px(50)).set_y(y.cell(0, 0).get_y())
    act.cue("fly")
    act.move(line.fly(*corner.factors(*CELL), lag=0.6), pace=48)
    act.cue("add")
    act.move(line.add_up())
    act.cue("put")
    act.move(line.deliver(y.label(*CELL)), pace=SLOW)
    act.keep(x=x, w=w, y=y, headers=headers, names=names, row=rings[0], trail=act.kept.trail)


@beat("layers/linear.py:73", carries="x w y headers names row trail")
def all_cells(act: Act) -> None:
    # The other cells, row by row.
    kept, y = act.kept, act.kept.y
    for r in range(3):
        if r:
            act.move(kept.row.animate.move_to(kept.x.row(r)), pace=QUICK)
        act.move(in_turn(y.label(r, c) for c in range(8) if (r, c) != CELL), pace=EASY)
    # Y comes apart into Q, K and V.
    blocks = [VGroup(*map(y.column, columns)) for columns in PARTS.values()]
    act.cue("split")
    act.move(leave(kept.row), leave(kept.names[1]),
             (block.animate.shift(RIGHT * px(44 * k)) for k, block in enumerate(blocks)), pace=EASY)
    for block, (role, columns) in zip(blocks, PARTS.items()):
        name = caption(block, f"{role.upper()} [3, {len(columns)}]", 32, role=role, mono=True)
        act.cue(role)
        act.move(FadeIn(name, shift=UP * px(8)), kept.trail.take(role.upper(), block_boxes(block)),
                 pace=EASY)
    # What each is for, beside it.
    _meanings(act, blocks)
    q = VGroup(*(y.cell(r, c) for r in range(3) for c in PARTS["q"]))
    act.keep(q=q, trail=kept.trail)


def block_boxes(block: VGroup) -> VGroup:
    """Boxes of columns of a grid, row by row."""
    return VGroup(*(column[r][0] for r in range(3) for column in block))


def _meanings(act: Act, blocks: list[VGroup]) -> None:
    """What query, key and value are for, one callout each, while its columns are framed."""
    keys = ("asks", "offers", "delivers")
    callouts = VGroup(*(Callout(act.label(key), act.label(f"{key}_what"), role)
                        for key, role in zip(keys, PARTS)))
    callouts.arrange(DOWN, buff=px(60), aligned_edge=LEFT).align_to(FRAME.at(545), LEFT)
    gone = None
    for key, callout, block, role in zip(keys, callouts, blocks, PARTS):
        frame = ring(block, role, buff=6)
        act.cue(key)
        act.move(FadeIn(callout, shift=RIGHT * px(16)), frame, gone, pace=EASY)
        gone = FadeOut(frame)
