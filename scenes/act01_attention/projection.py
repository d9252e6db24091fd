"""One matrix product gives queries, keys and values."""

from manim import DOWN, LEFT, UP, FadeIn, VGroup

from scenes.act01_attention.pieces import large, settle
from scenes.act01_attention.story import CELL, PARTS, ROLES
from scenes.kit import FRAME, Corner, Grid, Label, ProductLine, caption, in_turn, px
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["one_cell"]

GAP = (50, 56)  # px: between three matrices, so that numbers fly between them
SMALL = (104, 80)  # px of a cell while three matrices stand in one corner
GROWN = 166 / SMALL[0]  # Q, K and V once they are alone
PLACES = {"q": -330, "k": 246, "v": 650}  # px: their middles


@beat("layers/linear.py:73", least={2: 92}, carries="tokens x x_name")
def one_cell(act: Act) -> None:
    # X moves to the left of the new table, W comes above it.
    kept, lesson = act.kept, act.story.lesson.projection
    x, (w, y) = kept.x, (large(values, ROLES, SMALL, 44) for values in (lesson.w, lesson.y))
    corner = Corner(large(lesson.x, cell=SMALL, size=44), w, FRAME.place(y, x=450, y=-150),
                    gap=GAP)
    shrink, goal = SMALL[0] / 130, corner.left_
    beside = [(goal.get_left()[0] / px(1) - 60, row.get_y() / px(1)) for row in goal.rows]
    x_name = caption(goal, "X", 56, DOWN, 34, mono=True)
    places = VGroup(w.boxes.copy(), y.boxes.copy()).set_fill(opacity=0)
    act.move(places, x.animate.scale(shrink).move_to(goal), kept.x_name.animate.move_to(x_name),
             settle(act, kept.tokens, beside, 66),
             pace=SLOW)
    names = VGroup(caption(w, "W", 56, LEFT, 30, mono=True), caption(y, "Y", 56, DOWN, 34,
                                                                     mono=True))
    act.cue("w")
    act.move(in_turn(w.rows, 0.3), names[0], pace=SLOW)
    act.cue("y")
    act.move(y.boxes, names[1], pace=EASY)
    # One cell of Y needs one row and one column.
    rings = corner.rings(*CELL)
    for needed, cue in zip((rings[2], *rings[:2]), ("cell", "row", "column")):
        act.cue(cue)
        act.move(needed, pace=BRISK)
    # Its factors fly into a line, add up, and the sum takes its place.
    line = FRAME.place(ProductLine(*act.story.product[:2], 52, ("ink", ROLES[CELL[1]])), x=-480,
                       y=215)
    corner = Corner(x, w, y, gap=GAP)
    act.cue("fly")
    gutter = (w.get_bottom()[1] + y.get_top()[1]) / 2
    act.move(line.fly(*corner.factors(*CELL), lag=0.6, via=gutter), pace=50)
    act.cue("add")
    act.move(line.add_up())
    act.cue("put")
    act.move(line.deliver(y.label(*CELL)), pace=SLOW)
    # All other cells; then Y, alone, comes apart into Q, K and V.
    act.cue("rest")
    act.move(leave(VGroup(line, *rings)), in_turn(y.others(*CELL), 0.2), pace=VERY_SLOW + SLOW)
    _split(act, y, VGroup(places, x, w, kept.x_name, *names))


def _split(act: Act, y: Grid, others: VGroup) -> None:
    """Y grows, parts by its columns, and each part says what it is for."""
    blocks = {role: VGroup(*map(y.column, columns)) for role, columns in PARTS.items()}
    goals = {role: FRAME.at(at, -20) for role, at in PLACES.items()}
    act.cue("split")
    act.move(leave(others), pace=BRISK)
    act.move([block.animate.scale(GROWN).move_to(goals[role]) for role, block in blocks.items()],
             settle(act, act.kept.tokens, [(-750, SMALL[1] * GROWN * (1 - n) - 20)
                                           for n in range(3)], 104), pace=VERY_SLOW)
    for (role, block), key in zip(blocks.items(), ("asks", "offers", "delivers")):
        name = Label(role.upper(), 72, role, "bold", mono=True).next_to(block, UP, buff=px(36))
        said = caption(block, act.label(key), 40, DOWN, 50)
        act.cue(role)
        act.move(FadeIn(name, shift=UP * px(10)), FadeIn(said, shift=DOWN * px(10)),
                 pace=EASY)
    act.keep(q=blocks["q"], y=y, tokens=act.kept.tokens)
