"""Why scores are divided by the root of d, and the division."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, GrowFromEdge, ReplacementTransform

from scenes.act01_attention.matrices import GROWN, large
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, LEAD, NOTE, Grid, Histogram, Label, arrow, caption, in_turn, number,
                        px, query_key_axes, ring)
from scenes.kit.base.motion import leave, replace
from scenes.lessons.rounding import shown, text
from scenes.lessons.softmax_limits import REACH, Spread
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["root_d", "wide_heads"]

WIDE = (176, 104)  # px of a cell of the three scores
HILLS = (60, -250)  # px: heights of the two histograms' axes


@beat("models/qwen3.py:39", carries="result trail")
def wide_heads(act: Act) -> None:
    # Our scores wait in the trail; random ones show how far scores of a narrow head spread.
    kept, (narrow, wide) = act.kept, act.story.spreads
    charts = [Histogram(one.density, REACH * one.width**0.5, 25, 350, range(-20, 21, 10)).shift(
        FRAME.at(-330, y)) for one, y in zip((narrow, wide), HILLS)]
    hills = [chart.hill for chart in charts]
    names = [FRAME.place(Label(act.label(key), LEAD), x=-760, y=y + 130)
             for key, y in zip(("narrow", "wide"), HILLS)]
    notes = [_spread(act, name, one.deviation) for name, one in zip(names, (narrow, wide))]
    act.move(leave(kept.result), [chart.axis for chart in charts], FRAME.place(
        Label(act.label("drawn"), NOTE), x=-330, y=325), pace=VERY_SLOW)
    act.cue("narrow")
    act.move(GrowFromEdge(hills[0], DOWN), names[0], pace=VERY_SLOW)
    act.move(notes[0], pace=EASY)
    act.cue("wide")
    act.move(names[1], ReplacementTransform(hills[0].copy(), hills[1]), pace=VERY_SLOW)
    act.cue("far")
    act.move(notes[1], pace=EASY)
    rows, three, one_key = _one_key(act, wide)
    # Divided by the root of its width, each spreads alike.
    evened = [_spread(act, name, one.deviation / one.width**0.5)
              for name, one in zip(names, (narrow, wide))]
    act.cue("divide")
    act.move([chart.divide(one.width**0.5) for chart, one in zip(charts, (narrow, wide))],
             [replace(*pair) for pair in zip(notes, evened)],
             [replace(name, Label(f"{name.text} ÷ √{one.width}", LEAD).move_to(name, LEFT))
              for name, one in zip(names, (narrow, wide))], pace=VERY_SLOW)
    act.cue("again")
    divided = Label(act.label("three_divided"), NOTE).move_to(three)
    act.move([replace(*pair) for pair in ((three, divided), *zip(*rows))], leave(one_key),
             pace=SLOW)
    act.keep(trail=kept.trail)


def _one_key(act: Act, wide: Spread) -> tuple[list[list[Grid]], Label, Label]:
    """Rows of scores and weights, as they are and divided; the names of the first two."""
    # Three of the wide head's scores, and what softmax makes of them.
    rows = [_three(*texts) for texts in ((wide.three, wide.weights), (wide.divided, wide.soft))]
    way = arrow(*rows[0], "muted", 14)
    act.cue("three")
    three = caption(rows[0][0], act.label("three"), side=UP)
    act.move(rows[0][0], three, pace=EASY)
    act.cue("soft")
    act.move(way, caption(way, "softmax", 30, RIGHT, 22, role="muted", mono=True),
             in_turn(rows[0][1]), pace=SLOW)
    act.cue("one")
    one_key = caption(rows[0][1], act.label("one_key"), role="ink")
    act.move(one_key, pace=EASY)
    return rows, three, one_key


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
    else:
        act.move(ring(raw), leave(mark), pace=EASY)
    act.remove(*raw.get_family())
    act.add(scaled)
    act.keep(scaled=scaled, axes=axes, trail=kept.trail)
