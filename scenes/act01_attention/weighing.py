"""One head: from hidden scores to weights, and the mix of the values."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Arrow, VGroup

from scenes.act01_attention.matrices import LARGE, large
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, LEAD, SHAPE, Contraction, Corner, Formula, Grid, Label, ProductLine,
                        MaskedScores, arrow, caption, gather, in_turn, number, px, ring,
                        weight_grid)
from scenes.kit.base.motion import leave, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["largest", "mix", "softmax"]

GROWN = 1.2  # the scores as the mask leaves them
ROOMY = (226, 112)  # px of a cell of the two compared rows


@beat("layers/attention.py:67", carries="masked trail")
def largest(act: Act) -> None:
    # The scores step aside; the row of the token that asks comes out, once more with 100 added.
    masked, safety = act.kept.masked, act.story.safety
    rows = [FRAME.place(Grid([texts], "ink", ROOMY, 38), x=-500, y=y)
            for texts, y in zip((safety.row, safety.lifted), (200, -120))]
    powers = [FRAME.place(Grid([texts], "ink" if k == 0 else "stop", ROOMY, 38), x=480, y=y)
              for k, (texts, y) in enumerate(zip((safety.powers, safety.overflown), (200, -120)))]
    names = [Label(act.label(key), LEAD).next_to(row, UP, buff=px(26))
             for key, row in zip(("asking", "lifted"), rows)]
    asking = masked[0].row(QUERY)
    others = VGroup(*(cell for row in masked[0].rows[:QUERY] for cell in row), *masked[1:])
    act.move(leave(others), pace=QUICK)
    act.remove(*others.get_family())
    act.move(asking.animate.match_width(rows[0]).move_to(rows[0]), pace=EASY)
    act.cue("power")
    ways = [arrow(a, b, "muted", 30) for a, b in zip(rows, powers)]
    act.move(replace(asking, rows[0]), names[0], pace=QUICK)
    act.remove(*masked[0].get_family())
    act.move(ways[0], Formula("e^x", 46).next_to(ways[0], UP, buff=px(22)), in_turn(
        powers[0]), pace=EASY)
    act.cue("big")
    act.move(rows[1], names[1], pace=EASY)
    act.cue("limit")
    over = caption(powers[1], act.label("overflow"), role="stop")
    act.move(ways[1], in_turn(powers[1]), over)
    # The largest of each row is subtracted: the same differences, the same powers.
    _subtract(act, rows, names, powers, over)
    act.keep(trail=act.kept.trail)


def _subtract(act: Act, rows: list[Grid], names: list[Label], powers: list[Grid],
              over: Label) -> None:
    safety = act.story.safety
    # What is subtracted is named before it goes.
    act.cue("largest")
    tops = [ring(row.cell(0, safety.top)) for row in rows]
    less = [Label(act.label(key), LEAD).move_to(name)
            for key, name in zip(("less", "lifted_less"), names)]
    act.move(tops, [replace(*pair) for pair in zip(names, less)], pace=SLOW)
    act.cue("zero")
    fresh = [Grid([safety.differences], "ink", ROOMY, 38).move_to(row) for row in rows]
    act.move([leave(top) for top in tops],
             [replace(row, new) for row, new in zip(rows, fresh)], pace=SLOW)
    act.cue("safe")
    after = [Grid([safety.small], "ink", ROOMY, 38).move_to(row) for row in powers]
    act.move([replace(row, new) for row, new in zip(powers, after)], leave(over), pace=SLOW)
    act.cue("same")
    act.move([ring(row, buff=6) for row in after], pace=EASY)
    act.cue("cancels")
    act.move(caption(after[1], act.label("cancels"), role="ink"), pace=EASY)


@beat("layers/attention.py:67", carries="trail", variant="masking")
def softmax(act: Act) -> None:
    # From left to right: the masked scores, their exponentials with the sums, the weights.
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    column = written.worked_column(QUERY)
    scaled = FRAME.place(masked_scores(act), x=-634, y=90)
    exps = FRAME.place(large(written.exps), x=-150, y=90)
    sums = large([[total] for total in written.sums]).next_to(exps, RIGHT, buff=px(24))
    weights = FRAME.place(weight_grid(written.weights, head.weights, LARGE, 36), x=560, y=90)
    act.move(scaled, caption(scaled, act.label("scores")), exps.boxes,
             _along_row(scaled.grid, exps), caption(exps, act.label("exps")), pace=EASY)
    rings = [ring(grid.cell(QUERY, column)) for grid in (scaled.grid, exps, weights)]
    lines = [FRAME.place(number(act.story.facts[key], 44), x=x, y=-165)
             for key, x in (("exp", -230), ("share", 560))]
    # One row: each score becomes a power of e.
    act.cue("exp")
    act.move(lines[0], rings[0], rings[1], pace=BRISK)
    act.move(in_turn((exps.label(QUERY, c) for c in range(3)), 0.5), pace=SLOW)
    # The same row: each power divided by their sum.
    act.cue("sum")
    act.move(gather(exps.row(QUERY)[2][1:], sums.label(QUERY, 0)), sums.row(QUERY)[0][0],
             caption(sums, act.label("sums")), pace=EASY)
    act.cue("divide")
    act.move(_along_row(sums, weights), caption(weights, act.label("weights")),
             [box for box, _ in weights.row(QUERY)], pace=BRISK)
    act.move(lines[1], rings[2], in_turn([weights.label(QUERY, c) for c in range(3)], 0.5),
             pace=SLOW)
    # What is hidden weighs nothing; the other rows likewise; every row sums to 1.
    act.cue("gone")
    act.move([leave(mark) for mark in rings], pace=QUICK)
    if act.params.causal:
        _vanish(act, scaled, exps, lines)
    act.cue("others")
    for r in range(QUERY):
        seen = [exps.label(r, c) for c in np.flatnonzero(head.mask[r])]
        act.move(in_turn([*seen, sums.cell(r, 0), *weights.row(r)]),
                 pace=EASY)
    act.cue("one")
    act.move(weights.axis(written.ones, RIGHT, "focus", 30),
             act.kept.trail.take(act.label("weights"), weights.boxes), pace=SLOW)
    act.keep(weights=weights, trail=act.kept.trail)


def _along_row(before: Grid, after: Grid) -> Arrow:
    """An arrow at the height of the row that is worked out."""
    return arrow(before.row(QUERY), after.row(QUERY), "muted", 16)


def masked_scores(act: Act) -> MaskedScores:
    """The scores of head 0 as the mask leaves them."""
    return MaskedScores(act.story.heads[0].scaled, act.story.lesson.heads[0].mask, LARGE, 34, 40)


def _vanish(act: Act, scaled: MaskedScores, exps: Grid, above: list[Label]) -> None:
    """Every minus infinity travels to the 0 that e makes of it."""
    gone = caption(above[0], act.story.facts["gone"], 44, gap=44, role="ink", mono=True)
    cells = np.argwhere(~act.story.lesson.heads[0].mask)
    act.move(gone, [gather([cover[1]], exps.label(*cell))
                    for cover, cell in zip(scaled[1:], cells)], pace=SLOW)


@beat("layers/attention.py:67", carries="weights trail")
def mix(act: Act) -> None:
    # The weights move to the left of the output, V comes above it.
    kept, written, v = act.kept, act.story.heads[0], act.story.lesson.heads[0].v
    weights = kept.weights
    result = FRAME.place(large(written.output, "v", 36), x=-262, y=-135)
    corner = Corner(weights.copy(), large(v, "v", 36), result, gap=(60, 40))
    place, top, _ = corner
    act.move(weights.animate.move_to(place), pace=SLOW)
    act.cue("values")
    act.move(kept.trail.give("V", top.boxes), pace=EASY)
    act.move(top.labels, result.boxes, caption(result, act.label("output") + " [3, 2]"),
             caption(place, act.label("weights") + " [3, 3]"),
             caption(top, "V [3, 2]", SHAPE, RIGHT, 30), pace=BRISK)
    # One cell of the output is worked out.
    line = ProductLine(*act.story.mix[:2], 46, ("d", "v"), act.story.mix.equals)
    line.next_to(result, RIGHT, buff=px(80)).set_y(result.cell(QUERY, 0).get_y())
    rings = corner.rings(QUERY, 0)
    act.cue("meets")
    act.move(rings[0], pace=BRISK)
    act.cue("column")
    act.move(rings[1:], pace=QUICK)
    gutter = (top.get_bottom()[1] + result.get_top()[1]) / 2
    act.move(line.fly(*corner.factors(QUERY, 0), lag=1, via=gutter), pace=38)
    act.cue("add")
    act.move(line.add_up(), pace=BRISK)
    act.move(line.deliver(result.label(QUERY, 0)), pace=SLOW)
    # The axis of the keys is summed away; the other cells likewise.
    shapes = Contraction(3, 3, 2, 46).next_to(line, UP, buff=px(60)).align_to(line, LEFT)
    act.cue("axis")
    act.move(shapes.factors, leave(rings), pace=BRISK)
    act.move(shapes.vanish(), pace=SLOW)
    act.cue("rest")
    act.move(in_turn(result.others(QUERY, 0), 0.4), pace=SLOW)
    # Its small picture comes from just above: the way from the result leads over the trail.
    name = act.label("output")
    near = result.boxes.copy().scale(0.3).next_to(kept.trail.small[name], UP, buff=px(20))
    act.cue("formula")
    act.move(FRAME.place(_formula(act), x=450, y=190), kept.trail.take(name, near), pace=SLOW)
    act.keep(trail=kept.trail)


def _formula(act: Act) -> VGroup:
    """The beats so far as one formula, and what its letters stand for."""
    causal, scale = act.params.causal, act.params.scale
    inner = "frac(Q K^T, sqrt(d))" if scale else "Q K^T"
    lines = VGroup(Formula(f'"softmax"({inner}{" + M" * causal}) V', 68))
    notes = [Label(act.label(key), role="muted")
             for key, said in (("mask_is", causal), ("width", scale)) if said]
    if notes:
        lines.add(VGroup(*notes).arrange(RIGHT, buff=px(60)))
    return lines.arrange(DOWN, buff=px(36))
