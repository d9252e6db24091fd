"""Every query meets every key; the mask hides the later keys."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Group, VGroup

from scenes.act01_attention.matrices import LARGE, large, work_out
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, NOTE, SHAPE, Corner, Label, ProductLine, ReadingStrip, arrow,
                        caption, carry, hidden_score, in_turn, number, px, query_key_axes, ring,
                        transposed)
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, all_but, beat

__all__ = ["GROWN", "mask", "scores"]

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
    key = "divide" if act.params.scale else "undivided"
    act.move(way, caption(way, act.label(key), 32, UP, 20), caption(scaled, act.label("scores")),
             pace=BRISK)
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
        later = [scaled.cell(i, j) for j in np.flatnonzero(~seen)]
        if later:
            plates = [hidden_score(cell) for cell in later]
            act.move([FadeOut(cell[1]) for cell in later], plates)
            hidden.add(*plates)
            for cell in later:
                cell.remove(cell[1])  # moving the grid would bring it back
    act.next_line()
    # What stays visible: the diagonal, or all of it.
    rings = ([(ring(scaled.cell(i, i)), ring(strips[i].tokens[i])) for i in range(3)]
             if act.params.causal else [ring(scaled)])
    for pair in rings:
        act.move(pair)
        act.rest(15)
    masked = VGroup(scaled, hidden, axes)
    act.keep(masked=masked, leavers=all_but(act, masked))
