"""One head's scores, why they are divided by the root of d, and which of them are hidden."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, AnimationGroup, FadeIn, GrowFromEdge, Line,
                   ReplacementTransform, VGroup)

from scenes.act01_attention.matrices import LARGE, large
from scenes.act01_attention.story import QUERY, SCORE
from scenes.kit import (FRAME, LEAD, NOTE, SHAPE, SMALL, Area, Corner, Grid, Label, ProductLine,
                        ReadingStrip, Turn, arrow, caption, hide, in_turn, number, paint, px,
                        query_key_axes, ring, transposed)
from scenes.kit.base.motion import leave, replace
from scenes.lessons.rounding import shown, text
from scenes.lessons.softmax_limits import REACH, Spread
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["mask", "root_d", "scores", "wide_heads"]

GROWN = 1.2  # the scores while they are divided and masked
WIDE = (176, 104)  # px of a cell of the three scores
HILLS, AXIS = (60, -250), -330  # px: heights of the two histograms' axes, and where 0 lies
SCORE_PX, TALL = 25, 440  # px that a score of 1 is wide, and a density of 1 high


@beat("layers/attention.py:67", carries="head trail")
def scores(act: Act) -> None:
    # The first head's queries come to the left; K turns about its diagonal above the scores to be.
    head, written, kept = act.story.lesson.heads[0], act.story.heads[0], act.kept
    q, k, k_t, result = (large(values, role, 38) for values, role in (
        (head.q, "q"), (head.k, "k"), (head.k.T, "k"), (written.scores, "ink")))
    corner = Corner(q, k_t, FRAME.place(result, x=-270, y=-130), gap=(60, 56))
    k.move_to(k_t, DOWN)
    k_name = caption(k, "K [3, 2]", SHAPE, RIGHT, 40)
    act.move(leave(kept.head.labels), ReplacementTransform(kept.head.boxes, q.boxes),
             kept.trail.give("K", k.boxes), pace=SLOW)
    act.remove(*kept.head.get_family())
    act.move(q.labels, caption(q, "Q [3, 2]", SHAPE), pace=EASY)
    act.move(k.labels, k_name, pace=QUICK)
    act.cue("turn")
    act.remove(*k.get_family(), k.boxes, k.labels)
    act.move(Turn(k, k_t), leave(k_name), pace=57)
    act.move(transposed("K", "[2, 3]").next_to(k_t, RIGHT, buff=px(30)), query_key_axes(q, k_t),
             pace=BRISK)
    act.cue("meets")
    act.move(result.boxes, caption(result, "S [3, 3]", SHAPE), pace=SLOW)
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
    act.move(kept.trail.take(act.label("scores"), result.boxes), pace=EASY)
    act.keep(result=result, trail=kept.trail)


@beat("models/qwen3.py:39", carries="result trail")
def wide_heads(act: Act) -> None:
    # Our scores wait in the trail; random ones show how far scores of a narrow head spread.
    kept, (narrow, wide) = act.kept, act.story.spreads
    hills = [_hill(one, y) for one, y in zip((narrow, wide), HILLS)]
    axes = [_axis(y) for y in HILLS]
    names = [FRAME.place(Label(act.label(key), LEAD), x=-760, y=y + 130)
             for key, y in zip(("narrow", "wide"), HILLS)]
    notes = [_spread(act, name, one.deviation) for name, one in zip(names, (narrow, wide))]
    act.move(leave(kept.result), axes, FRAME.place(Label(act.label("drawn"), NOTE), x=-330, y=325),
             pace=VERY_SLOW)
    act.cue("narrow")
    act.move(GrowFromEdge(hills[0], DOWN), names[0], pace=VERY_SLOW)
    act.move(notes[0], pace=EASY)
    act.cue("wide")
    act.move(names[1], ReplacementTransform(hills[0].copy(), hills[1]), pace=VERY_SLOW)
    act.cue("far")
    act.move(notes[1], pace=EASY)
    # Three of the wide head's scores, and what softmax makes of them.
    rows = [_three(*texts) for texts in ((wide.three, wide.weights), (wide.divided, wide.soft))]
    way = arrow(*rows[0], "muted", 14)
    act.cue("three")
    act.move(rows[0][0], caption(rows[0][0], act.label("three"), side=UP), pace=EASY)
    act.cue("soft")
    act.move(way, caption(way, "softmax", 30, RIGHT, 22, role="muted", mono=True),
             in_turn(rows[0][1]), pace=SLOW)
    act.cue("one")
    act.move(caption(rows[0][1], act.label("one_key"), role="ink"), pace=EASY)
    # Divided by the root of its width, each spreads alike.
    one_key = act.mobjects[-1]
    evened = [_spread(act, name, one.deviation / np.sqrt(one.width))
              for name, one in zip(names, (narrow, wide))]
    act.cue("divide")
    act.move([_squeeze(hill, one.width, y) for hill, one, y in zip(hills, (narrow, wide), HILLS)],
             [replace(*pair) for pair in zip(notes, evened)],
             [replace(name, Label(f"{name.text} ÷ √{one.width}", LEAD).move_to(name, LEFT))
              for name, one in zip(names, (narrow, wide))], pace=VERY_SLOW)
    act.cue("again")
    act.move([replace(*pair) for pair in zip(rows[0], rows[1])], leave(one_key), pace=SLOW)
    act.keep(trail=kept.trail)


def _hill(one: Spread, y: float) -> Area:
    """How often a random score has each size: a histogram over the axis at y px."""
    edges = np.linspace(-REACH, REACH, len(one.density) + 1) * np.sqrt(one.width)
    zero = FRAME.at(AXIS, y)
    return Area(zero[0] + px(SCORE_PX) * np.repeat(edges, 2)[1:-1],
                px(TALL) * np.repeat(one.density, 2), zero[1], "d")


def _squeeze(hill: Area, width: int, y: float) -> Any:
    """Animation: all scores divided by √width; as many of them, so it grows as it narrows."""
    zero, root = FRAME.at(AXIS, y), float(np.sqrt(width))
    return hill.animate.stretch(1 / root, 0, about_point=zero).stretch(root, 1, about_point=zero)


def _axis(y: float) -> VGroup:
    ends = [FRAME.at(AXIS + side * 560, y) for side in (-1, 1)]
    return VGroup(Line(*ends, stroke_width=2, color=paint("muted")), *(
        number(text(score), SMALL).move_to(FRAME.at(AXIS + SCORE_PX * score, y - 26))
        for score in (-20, -10, 0, 10, 20)))


def _spread(act: Act, name: Label, deviation: float) -> Label:
    return Label(act.label("spread", spread=text(shown(deviation, 1))), NOTE).next_to(
        name, DOWN, buff=px(20)).align_to(name, LEFT)


def _three(scores: Sequence[str], weights: Sequence[str]) -> list[Grid]:
    return [FRAME.place(Grid([texts], role, WIDE, 42), x=590, y=y)
            for texts, role, y in ((scores, "ink", 120), (weights, "d", -110))]


@beat("scaled_at", carries="trail", variant="scaling")
def root_d(act: Act) -> None:
    # All scores come back out of the trail; one of them is divided by the root of d.
    written, kept = act.story.heads[0], act.kept
    raw, scaled = (large(values).scale(GROWN).move_to(FRAME.at(-475, 0))
                   for values in (written.scores, written.scaled))
    axes = query_key_axes(scaled, scaled, 36)
    act.move(kept.trail.give(act.label("scores"), raw.boxes), pace=EASY)
    act.move(raw.labels, axes, pace=QUICK)
    lines = [FRAME.place(number(act.label(key), 56), x=390, y=y)
             for key, y in (("root", 90), ("division", -50))]
    act.cue("root")
    act.move(lines[0], pace=EASY)
    mark = ring(raw.cell(*SCORE))
    act.cue("cell")
    act.move(mark, lines[1], pace=EASY)
    act.cue("rest")
    if act.params.scale:
        pairs = [(raw.label(r, c), scaled.label(r, c)) for r in range(3) for c in range(3)]
        act.move(in_turn([AnimationGroup(*replace(*pair)) for pair in pairs], 0.25),
                 leave(mark), pace=50)
        act.remove(*raw.get_family())
        act.add(scaled)
    else:
        act.move(ring(raw), leave(mark), pace=EASY)
        act.remove(*raw.get_family())
        act.add(scaled)
    act.keep(scaled=scaled, axes=axes, trail=kept.trail)


@beat("masked_at", carries="scaled axes trail", variant="masking")
def mask(act: Act) -> None:
    # Beside each query, the tokens that it may read.
    scaled, axes, ids = act.kept.scaled, act.kept.axes, [*map(str, act.params.ids), "?"]
    strips = VGroup(*(
        ReadingStrip(ids, i, act.params.causal, GROWN * LARGE[0]).next_to(row, buff=px(190))
        for i, row in enumerate(scaled.rows)))  # below each key the token that it belongs to
    keys = caption(scaled, act.label("keys"), side=UP, gap=70, role="k")
    above = [number(axis.text, 36, "k").move_to(cell).match_y(axis)
             for cell, axis in zip(strips[0].tokens, axes[3:])]
    act.move(caption(scaled, act.label("queries"), side=LEFT, gap=84, role="q"), keys,
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
    _open_cells(act, scaled, strips)
    masked = VGroup(scaled, hidden, axes)
    act.keep(masked=masked, trail=act.kept.trail)


def _open_cells(act: Act, scaled: Grid, strips: VGroup) -> None:
    """What stays visible: the diagonal, or all of it."""
    rings = ([(ring(scaled.cell(i, i)), ring(strips[i].tokens[i])) for i in range(3)]
             if act.params.causal else [ring(row) for row in scaled.rows])
    act.cue("diagonal")
    act.move(in_turn([VGroup(*pair) for pair in rings], 0.5), pace=VERY_SLOW)
    act.cue("self")
    last = strips[QUERY]
    act.move(ring(VGroup(*last.tokens[:QUERY + 1]), "focus", 6, 12), pace=EASY)
