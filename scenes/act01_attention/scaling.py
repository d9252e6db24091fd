"""Why scores are divided by the root of d, and the division."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, AnimationGroup, GrowFromEdge, ReplacementTransform

from scenes.act01_attention.matrices import GROWN, large
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, LEAD, NOTE, Grid, Histogram, Label, arrow, caption, in_turn, number,
                        px, query_key_axes, ring, weight_grid)
from scenes.kit.base.motion import leave, replace
from scenes.lessons.rounding import shown, text
from scenes.lessons.softmax_limits import REACH
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, Source, beat

__all__ = ["root_d", "wide_heads"]

THREE = (150, 76)  # px of a cell of the three scores
HILLS = (60, -250)  # px: heights of the two histograms' axes


@beat("models/qwen3.py:39", source=Source("SIMULATED"), carries="result trail")
def wide_heads(act: Act) -> None:
    # Our scores wait in the trail; random ones show how far scores of a narrow head spread.
    kept, spreads = act.kept, act.story.spreads
    charts = [Histogram(one.density, REACH * one.width**0.5, 22, 390, range(-20, 21, 10)).shift(
        FRAME.at(-330, y)) for one, y in zip(spreads, HILLS)]
    hills = [chart.hill for chart in charts]
    names = [Label(act.label(key), LEAD).move_to(FRAME.at(-820, y + 130), LEFT)
             for key, y in zip(("narrow", "wide"), HILLS)]
    notes = [_spread(act, name, one.deviation) for name, one in zip(names, spreads)]
    threes = [_three(one.three, one.weights, y) for one, y in zip(spreads, HILLS)]
    drawn = FRAME.place(Label(act.label("drawn"), NOTE), x=-330, y=325)
    act.move(leave(kept.result), charts[0].axis, drawn, pace=VERY_SLOW)
    act.cue("narrow")
    act.move(GrowFromEdge(hills[0], DOWN), names[0], notes[0], pace=VERY_SLOW)
    # What the step to come makes of three such scores.
    act.cue("three")
    act.move(threes[0][0], FRAME.place(Label(act.label("three"), NOTE), x=590, y=325), pace=EASY)
    act.cue("soft")
    act.move(*_softmax(threes[0]), pace=SLOW)
    # A wider head: scores further apart, and one key that takes nearly all.
    act.cue("wide")
    act.move(charts[1].axis, names[1], ReplacementTransform(hills[0].copy(), hills[1]),
             pace=VERY_SLOW)
    act.cue("far")
    act.move(notes[1], threes[1][0], pace=EASY)
    act.cue("one")
    act.move(*_softmax(threes[1]), pace=SLOW)
    taker = ring(threes[1][1].cell(0, int(np.argmax([float(w) for w in spreads[1].weights]))))
    act.move(taker, pace=EASY)
    # Divided by the root of its width, each spreads alike.
    act.cue("divide")
    act.move(leave(taker), [chart.divide(one.width**0.5) for chart, one in zip(charts, spreads)],
             [replace(note, _spread(act, name, one.deviation / one.width**0.5))
              for note, name, one in zip(notes, names, spreads)],
             [replace(name, Label(act.label("divided_by", width=one.width), LEAD).move_to(
                 name, LEFT)) for name, one in zip(names, spreads)], pace=VERY_SLOW)
    act.cue("again")
    act.move([replace(*pair) for three, one, y in zip(threes, spreads, HILLS)
              for pair in zip(three, _three(one.divided, one.soft, y))], pace=SLOW)
    act.keep(trail=kept.trail)


def _softmax(three: list[Grid]) -> list:
    """Three scores become three weights."""
    way = arrow(*three, "muted", 6)
    return [way, caption(way, "softmax", 30, RIGHT, 22, role="muted", mono=True),
            in_turn(three[1])]


def _spread(act: Act, name: Label, deviation: float) -> Label:
    return Label(act.label("spread", spread=text(shown(deviation, 1))), NOTE).next_to(
        name, DOWN, buff=px(20)).align_to(name, LEFT)


def _three(scores: Sequence[str], weights: Sequence[str], y: float) -> list[Grid]:
    """Scores over the weights that softmax makes of them, beside the hill at y px."""
    return [FRAME.place(grid, x=590, y=y + up) for grid, up in (
        (Grid([scores], "ink", THREE, 38), 195),
        (weight_grid([weights], np.array([[*map(float, weights)]]), THREE, 38), 40))]


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
