"""One head's scores, why they are divided by the root of d, and which of them are hidden."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, ReplacementTransform, VGroup

from scenes.act01_attention.matrices import LARGE, large
from scenes.act01_attention.story import QUERY, SCORE
from scenes.kit import (FRAME, LEAD, NOTE, SHAPE, Corner, Grid, Label, ProductLine, ReadingStrip,
                        Turn, arrow, caption, hide, in_turn, number, px, query_key_axes, ring,
                        transposed, weight_grid)
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["mask", "root_d", "scores"]

GROWN = 1.2  # the scores while they are masked
WIDE = (176, 104)  # px of a cell of the compared rows


@beat("layers/attention.py:67", carries="head trail")
def scores(act: Act) -> None:
    # The first head's queries come to the left; K turns about its diagonal above the scores to be.
    head, written, kept = act.story.lesson.heads[0], act.story.heads[0], act.kept
    q, k, k_t, result = (large(values, role, 38) for values, role in (
        (head.q, "q"), (head.k, "k"), (head.k.T, "k"), (written.scores, "ink")))
    corner = Corner(q, k_t, FRAME.place(result, x=-270, y=-130), gap=(60, 56))
    k.move_to(k_t, DOWN)
    k_name = caption(k, "K [3, 2]", SHAPE, RIGHT, 40)
    act.move(leave(kept.head.labels), ReplacementTransform(kept.head.boxes, q.boxes), pace=SLOW)
    act.remove(*kept.head.get_family())
    act.move(q.labels, caption(q, "Q [3, 2]", SHAPE), kept.trail.give("K", k.boxes), pace=EASY)
    act.move(k.labels, k_name, pace=QUICK)
    act.cue("turn")
    act.remove(*k.get_family(), k.boxes, k.labels)
    act.move(Turn(k, k_t), leave(k_name), pace=54)
    act.move(transposed("K", "[2, 3]").next_to(k_t, RIGHT, buff=px(30)), query_key_axes(q, k_t),
             pace=BRISK)
    act.cue("meets")
    act.move(result.boxes, caption(result, "S [3, 3]", SHAPE), pace=EASY)
    # One score worked out, and the other eight likewise.
    line = FRAME.place(ProductLine(*act.story.score[:2], 60, ("q", "k")), x=500, y=150)
    rings = corner.rings(*SCORE)
    act.cue("query")
    act.move(rings[0], pace=BRISK)
    act.cue("key")
    act.move(rings[1], rings[2], pace=BRISK)
    act.cue("fly")
    act.move(line.fly(*corner.factors(*SCORE), lag=0.6), pace=36)
    act.cue("add")
    act.move(line.add_up(), caption(line, act.label("first_sum"), 32, gap=36, role="muted"))
    act.move(line.deliver(result.label(*SCORE)), pace=SLOW)
    act.cue("rest")
    act.move(leave(rings), in_turn(result.others(*SCORE)), pace=SLOW)
    # What a score says; the row of the token that asks.
    act.cue("fit")
    act.move(ring(result.row(QUERY), buff=4), Label(act.label("asking"), LEAD).next_to(
        result.row(QUERY), RIGHT, buff=px(60)), pace=EASY)
    act.keep(result=result, trail=kept.trail)


@beat("layers/attention.py:67", carries="result trail", variant="steepness")
def root_d(act: Act) -> None:
    # The scores go down into the trail; the row of the token that asks stays, and grows.
    kept, story = act.kept, act.story
    rows = [(Grid([row.scores], "ink", WIDE, 44), weight_grid([row.weights], row.shares, WIDE, 44))
            for row in story.widths]
    for (left, right), y in zip(rows, (215, 15, -185)):
        FRAME.place(left, x=-230, y=y)
        FRAME.place(right, x=560, y=y)
    names = [Label(act.label(key), LEAD).next_to(left, LEFT, buff=px(70))
             for key, (left, _) in zip(("narrow", "wide", "even"), rows)]
    act.move(kept.trail.take(act.label("scores"), kept.result.boxes), leave(kept.result), pace=EASY)
    act.move(rows[0][0], names[0], pace=BRISK)
    act.cue("soft")
    _soften(act, rows[0])
    # A wider head: the same row, farther apart; one key takes it all.
    act.cue("spread")
    act.move(names[1], pace=BRISK)
    act.cue("wide")
    act.move(ReplacementTransform(rows[0][0].boxes.copy(), rows[1][0].boxes), pace=EASY)
    act.cue("times")
    act.move(rows[1][0].labels, pace=BRISK)
    act.cue("collapse")
    _soften(act, rows[1])
    act.cue("one")
    act.move(ring(rows[1][1], buff=6), pace=BRISK)
    act.cue("others")
    act.move(ring(rows[0][1], "d", 5, 6), pace=EASY)
    # Divided by the root of d, both rows give the same weights.
    act.cue("divide")
    act.move(ReplacementTransform(rows[1][0].boxes.copy(), rows[2][0].boxes), names[2], pace=EASY)
    act.move(rows[2][0].labels, pace=BRISK)
    act.cue("same")
    _soften(act, rows[2])
    act.keep(trail=kept.trail)


def _soften(act: Act, row: tuple[Grid, Grid]) -> None:
    """From a row of scores to its weights."""
    left, right = row
    way = arrow(left, right, "muted", 24)
    act.move(way, caption(way, "softmax", 30, UP, 18, role="muted", mono=True),
             in_turn(right), pace=48)


@beat("layers/attention.py:70", carries="trail", variant="masking")
def mask(act: Act) -> None:
    # The scores grow out of the trail, divided; beside each query, the tokens that it may read.
    written, ids = act.story.heads[0], [*map(str, act.params.ids), "?"]
    scaled = large(written.scaled).scale(GROWN).move_to(FRAME.at(-475, 0))
    act.move(act.kept.trail.give(act.label("scores"), scaled.boxes), pace=SLOW)
    axes = query_key_axes(scaled, scaled, 36)
    strips = VGroup(*(
        ReadingStrip(ids, i, act.params.causal, GROWN * LARGE[0]).next_to(row, buff=px(190))
        for i, row in enumerate(scaled.rows)))  # below each key the token that it belongs to
    keys = caption(scaled, act.label("keys"), side=UP, gap=70, role="k")
    above = [number(axis.text, 36, "k").move_to(cell).match_y(axis)
             for cell, axis in zip(strips[0].tokens, axes[3:])]
    act.move(scaled.labels, axes,
             caption(scaled, act.label("queries"), side=LEFT, gap=84, role="q"), keys,
             pace=QUICK)
    act.cue("beside")
    inside = Label(act.label("ids_inside"), NOTE).align_to(strips, LEFT).match_y(keys)
    act.move(above, inside, in_turn([FadeIn(strip, shift=RIGHT * px(16)) for strip in strips]),
             pace=SLOW)
    looks = ("reads", "hidden", "predicts") if act.params.causal else ("reads",)
    act.cue("next")
    act.move(ReadingStrip.legend(*map(act.label, looks)).next_to(strips, DOWN, buff=px(64)),
             pace=EASY)
    # The later keys are hidden, query by query.
    hidden = VGroup()
    for i, cue in enumerate(("hide", "become")):
        later = np.flatnonzero(~act.story.lesson.heads[0].mask[i])
        covers, numbers = hide(scaled.cell(i, j) for j in later)
        act.cue(cue)
        act.move([leave(numbers), covers] if len(covers) else ring(scaled.row(i), "ink", 4),
                 pace=EASY)
        hidden.add(*covers)
    # What stays visible: the diagonal, or all of it.
    rings = ([(ring(scaled.cell(i, i)), ring(strips[i].tokens[i])) for i in range(3)]
             if act.params.causal else [ring(row) for row in scaled.rows])
    act.cue("diagonal")
    act.move(in_turn([VGroup(*pair) for pair in rings], 0.5), pace=VERY_SLOW)
    act.cue("self")
    last = strips[QUERY]
    act.move(ring(VGroup(*last.tokens[:QUERY + 1]), "focus", 6, 12), pace=EASY)
    masked = VGroup(scaled, hidden, axes)
    act.keep(masked=masked, trail=act.kept.trail)
