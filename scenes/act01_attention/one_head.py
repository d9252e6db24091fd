"""One head: scores, mask, softmax, and the mix of the values."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Group, VGroup

from scenes.act01_attention.matrices import LARGE, large, work_out
from scenes.act01_attention.story import QUERY, SCORE
from scenes.kit import (FRAME, NOTE, SHAPE, Contraction, Corner, Formula, Grid, Label, ProductLine,
                        ReadingStrip, arrow, caption, carry, gather, hide, in_turn, number, px,
                        query_key_axes, ring, transposed, weight_grid)
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, all_but, beat

__all__ = ["mask", "mix", "scores", "softmax"]

GROWN = 1.2  # the scores while they are masked


@beat("layers/attention.py:67", least={1: 44, 2: 54}, variant="scaling")
def scores(act: Act) -> None:
    # Q beside the scores to be; K turns on its side above them.
    head, written = act.story.lesson.heads[0], act.story.heads[0]
    q, k, k_t, result = (large(values, role, 38) for values, role in (
        (head.q, "q"), (head.k, "k"), (head.k.T, "k"), (written.scores, "ink")))
    corner = Corner(q, k_t, FRAME.place(result, x=-270, y=-150), gap=(60, 56))
    k.align_to(q, LEFT).align_to(k_t, DOWN)
    k_name = caption(k, "K [3, 2]", SHAPE, UP, 20)
    act.move(q, caption(q, "Q [3, 2]", SHAPE), k, k_name)
    act.move(transposed("K", "[2, 3]").next_to(k_t, RIGHT, buff=px(30)),
             in_turn(carry(row, k_t.column(j)) for j, row in enumerate(k.rows)), pace=30)
    act.move(FadeOut(k), FadeOut(k_name), query_key_axes(q, k_t), result.boxes,
             caption(result, "S [3, 3]", SHAPE), pace=BRISK)
    act.next_line()
    # One score worked out, and the other eight likewise.
    line = FRAME.place(ProductLine(*act.story.score[:2], 56, ("q", "k")), x=510, y=180)
    rings = corner.rings(*SCORE)
    act.move(rings, pace=BRISK)
    work_out(act, corner, SCORE, line, VERY_SLOW,
             caption(line, act.label("first_sum"), 32, gap=36, role="muted"))
    act.move(FadeOut(rings), in_turn(result.others(*SCORE)), pace=30)
    act.next_line()
    # All of them divided by the root of d.
    scaled = FRAME.place(large(written.scaled), x=600, y=-150)
    way = arrow(result, scaled, "ink", 24)
    divided = caption(way, act.label("divide" if act.params.scale else "undivided"), 32, UP, 20)
    act.move(way, divided, caption(scaled, act.label("scores")), pace=BRISK)
    for row in scaled.rows:
        act.move(FadeIn(row, shift=RIGHT * px(20)), pace=EASY)
        act.rest(12)
    act.keep(scaled=scaled, leavers=Group(corner, all_but(act, scaled, corner)))


@beat("layers/attention.py:70", least={1: 52, 2: 44}, carries="scaled leavers", variant="masking")
def mask(act: Act) -> None:
    # The scores come forward; beside each query, the tokens that it may read.
    scaled, ids = act.kept.scaled, [*map(str, act.params.ids), "?"]
    act.move(FadeOut(act.kept.leavers),
             scaled.animate.scale(GROWN).move_to(FRAME.at(-475, -10)), pace=SLOW)
    axes = query_key_axes(scaled, scaled, 36)  # softmax draws them smaller
    strips = VGroup(*(
        ReadingStrip(ids, i, act.params.causal, GROWN * LARGE[0]).next_to(row, buff=px(190))
        for i, row in enumerate(scaled.rows)))  # below each key the token that it belongs to
    looks = ("reads", "hidden", "predicts") if act.params.causal else ("reads",)
    legend = ReadingStrip.legend(*map(act.label, looks)).next_to(strips, DOWN, buff=px(70))
    keys = caption(scaled, act.label("keys"), side=UP, gap=70, role="k")
    inside = Label(act.label("ids_inside"), NOTE).align_to(strips, LEFT).match_y(keys)
    above = [number(axis.text, 36, "k").move_to(cell).match_y(axis)
             for cell, axis in zip(strips[0].tokens, axes[3:])]
    act.move(axes, caption(scaled, act.label("queries"), side=LEFT, gap=84, role="q"), keys, above,
             inside, pace=BRISK)
    for strip in strips:
        act.move(FadeIn(strip, shift=RIGHT * px(16)), pace=EASY)
    act.move(legend, pace=QUICK)
    act.next_line()
    # The later keys are hidden, query by query.
    hidden = VGroup()
    for i, seen in enumerate(act.story.lesson.heads[0].mask):
        covers, numbers = hide(scaled.cell(i, j) for j in np.flatnonzero(~seen))
        if len(covers):
            act.move(FadeOut(numbers), covers)
            hidden.add(*covers)
    act.next_line()
    # What stays visible: the diagonal, or all of it.
    rings = ([(ring(scaled.cell(i, i)), ring(strips[i].tokens[i])) for i in range(3)]
             if act.params.causal else [ring(scaled)])
    for pair in rings:
        act.move(pair)
        act.rest(15)
    masked = VGroup(scaled, hidden, axes)
    act.keep(masked=masked, leavers=all_but(act, masked))


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
    for r in range(QUERY):
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
    line = ProductLine(*act.story.mix[:2], 46, ("d", "v"), act.story.mix.equals)
    line.next_to(result, RIGHT, buff=px(80)).set_y(result.cell(QUERY, 0).get_y())
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
    # Query 0 reads only itself; without the mask, each reads all.
    act.move([ring(grid.row(0) if act.params.causal else grid) for grid in corner])


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
