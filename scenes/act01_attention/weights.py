"""Softmax turns scores into weights, and weights mix the values."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeOut, Group, VGroup

from scenes.act01_attention.matrices import LARGE, large, work_out
from scenes.act01_attention.scores import GROWN
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, SHAPE, Contraction, Corner, Formula, Grid, Label, ProductLine, arrow,
                        caption, gather, in_turn, number, px, ring,
                        weight_grid)
from scenes.stage import BRISK, QUICK, SLOW, Act, all_but, beat

__all__ = ["mix", "softmax"]


@beat("layers/attention.py:67", least={1: 50, 2: 50, 3: 52}, carries="masked leavers",
      variant="masking")
def softmax(act: Act) -> None:
    # From left to right: the scores, their exponentials with the sums, the weights.
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    masked, column = act.kept.masked, written.worked_column(QUERY)
    scaled, middle = masked[0], masked[0].get_center()
    exps = FRAME.place(large(written.exps), x=-150, y=90)
    sums = large([[total] for total in written.sums]).next_to(exps, RIGHT, buff=px(24))
    weights = FRAME.place(weight_grid(written.weights, head.weights, LARGE, 36), x=530, y=90)
    act.move(FadeOut(act.kept.leavers), masked.animate.scale(
        1 / GROWN, about_point=middle).shift(FRAME.at(-634, 90) - middle), pace=SLOW)
    rings = [ring(grid.cell(QUERY, column)) for grid in (scaled, exps, weights)]
    lines = [FRAME.place(number(act.story.facts[key], 44), x=x, y=-190)
             for key, x in (("exp", -230), ("share", 530))]
    # One row: each score becomes a power of e.
    act.move(arrow(scaled, exps, "muted", 16), caption(scaled, act.label("scores")),
             caption(exps, act.label("exps")), exps.boxes, rings[0], pace=BRISK)
    act.move(lines[0], rings[1])
    act.move(in_turn((exps.label(QUERY, c) for c in range(3)), 0.5), pace=SLOW)
    act.next_line()
    # The same row: each power divided by their sum.
    act.move(sums.row(QUERY), caption(sums, act.label("sums")))
    act.move(arrow(sums, weights, "muted", 16), caption(weights, act.label("weights")), pace=BRISK)
    act.move(lines[1], rings[2])
    act.move(in_turn(weights.row(QUERY), 0.5), pace=SLOW)
    act.next_line()
    # What is hidden weighs nothing; the other rows likewise; every row sums to 1.
    act.move(map(FadeOut, rings), pace=QUICK)
    if act.params.causal:
        _vanish(act, masked[1], exps, lines)
    for r in (r for r in range(3) if r != QUERY):
        seen = [exps.label(r, c) for c in np.flatnonzero(head.mask[r])]
        act.move(in_turn([*seen, sums.cell(r, 0), *weights.row(r)]), pace=SLOW)
    act.move(weights.axis([act.label("one")] * 3, RIGHT, "focus", 30), pace=BRISK)
    act.keep(weights=weights, leavers=Group(sums, all_but(act, weights, sums)))


def _vanish(act: Act, hidden: VGroup, exps: Grid, above: list[Label]) -> None:
    """Every minus infinity travels to the 0 that e makes of it; both equations, in words."""
    gone, nothing = (caption(line, act.story.facts[key], 44, gap=50, role="stop", mono=True)
                     for key, line in zip(("gone", "nothing"), above))
    cells = np.argwhere(~act.story.lesson.heads[0].mask)
    act.move(gone, pace=QUICK)
    act.move([gather([infinity], exps.label(*cell)) for (_, infinity), cell in zip(hidden, cells)],
             pace=SLOW)
    act.move(nothing, pace=QUICK)


@beat("layers/attention.py:67", least={1: 62}, carries="weights leavers", variant="masking")
def mix(act: Act) -> None:
    # The weights move to the left of the output, V comes above it.
    weights, written, v = act.kept.weights, act.story.heads[0], act.story.lesson.heads[0].v
    result = FRAME.place(large(written.output, "v", 36), x=-262, y=-160)
    corner = Corner(weights.copy(), large(v, "v", 36), result, gap=(60, 46))
    place, top, _ = corner
    act.move(FadeOut(act.kept.leavers), weights.animate.move_to(place), pace=SLOW)
    act.move(top, result.boxes, caption(place, act.label("weights") + " [3, 3]"),
             caption(result, act.label("output") + " [3, 2]"),
             caption(top, "V [3, 2]", SHAPE, RIGHT, 30))
    # One cell of the output is worked out.
    terms, total, equals = act.story.mix
    line = ProductLine(terms, total, 46, ("d", "v"), equals).next_to(result, buff=px(80))
    line.set_y(result.cell(QUERY, 0).get_y())
    rings = corner.rings(QUERY, 0)
    act.move(rings, pace=BRISK)
    work_out(act, corner, (QUERY, 0), line, 48)
    act.next_line()
    # The axis of the keys is summed away; the other cells likewise.
    shapes = Contraction(3, 3, 2, 46).next_to(line, UP, buff=px(80)).align_to(line, LEFT)
    act.move(shapes.factors, FadeOut(rings), pace=BRISK)
    act.move(shapes.vanish(), pace=SLOW)
    act.move(in_turn(result.others(QUERY, 0), 0.4), pace=30)
    act.move(FRAME.place(_formula(act), x=450, y=185))
    act.next_line()
    # Query 0 reads only itself; without the mask all mix.
    act.move([ring(grid.row(0) if act.params.causal else grid) for grid in corner])


def _formula(act: Act) -> VGroup:
    """The beats so far as one formula, and what its letters stand for."""
    causal, scale = act.params.causal, act.params.scale
    inner = "frac(Q K^T, sqrt(d))" if scale else "Q K^T"
    formula = Formula(f'"softmax"({inner}{" + M" * causal}) V', 68)
    notes = [Label(act.label(key), role="muted")
             for key, said in (("mask_is", causal), ("width", scale)) if said]
    lines = [formula, VGroup(*notes).arrange(RIGHT, buff=px(60))] if notes else [formula]
    return VGroup(*lines).arrange(DOWN, buff=px(36))
