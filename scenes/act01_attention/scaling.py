"""Why scores are divided by the root of d, and the division."""

from typing import Any

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, AnimationGroup, Circle, GrowFromEdge, Line, Transform,
                   VGroup)

from scenes.act01_attention.pieces import put
from scenes.kit import FRAME, Bars, Histogram, Label, Pan, caption, in_turn, number, paint, px
from scenes.kit.base.motion import replace
from scenes.lessons.softmax_limits import REACH, Spread
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, Source, all_but, beat

__all__ = ["too_large"]

PAN = 1920  # px: how far the camera looks aside
UNIT, TALL = 24, 1080  # px of a score of 1, and of a density of 1
AXIS, FLOOR = -345, -270  # px: where zero stands, and how high


@beat("scaled_at", source=Source("SIMULATED"), carries="table heads tokens", variant="scaling")
def too_large(act: Act) -> None:
    # The camera looks to the right of the table: how far random scores spread.
    narrow, wide = act.story.spreads
    world = VGroup(act.kept.table, act.kept.heads, act.kept.tokens)
    chart = Histogram(narrow.density, REACH * narrow.width**0.5, UNIT, TALL, range(-20, 21, 10),
                      size=34).shift(FRAME.at(AXIS, FLOOR))
    bars = Bars("abc", [0, 0, 0], roles="d", direction=UP, length=430, thickness=150,
                pitch=190, full=1, size=48).stand(FRAME.at(360, FLOOR))
    name = Label(act.label("width_is", d=narrow.width), 72, weight="bold", mono=True).move_to(
        FRAME.at(-860, 270), LEFT)
    drawn = caption(chart, act.label("drawn"), 34, role="muted").move_to(FRAME.at(AXIS, FLOOR - 80))
    weights = caption(bars, act.label("weights"), 44, role="d").move_to(FRAME.at(550, 290))
    act.cue("pan")
    act.move(Pan(world, VGroup(chart.axis, drawn, bars.axis), LEFT * px(PAN)), pace=VERY_SLOW)
    act.move(GrowFromEdge(chart.hill, DOWN), name, pace=SLOW)
    # Three of them, and what softmax makes of these.
    pins = VGroup(*(_pin(name, score, k) for k, (name, score) in
                    enumerate(zip("abc", _numbers(narrow.three)))))
    act.cue("three")
    act.move(in_turn(pins, 0.4), pace=SLOW)
    act.cue("soft")
    act.move(weights, bars.names, bars.to(_numbers(narrow.weights), narrow.weights), pace=45)
    # Wider heads: the hill spreads, one key takes nearly all; divided, it draws together again.
    hill = Histogram(wide.density, REACH * wide.width**0.5, UNIT, TALL, [0]).shift(
        chart.axis[0].get_center()).hill
    act.cue("what")
    act.move(replace(name, wider := _named(act, name, wide)), pace=EASY)
    act.cue("wide")
    act.move(Transform(chart.hill, hill), _spread(pins, wide.three), pace=60)
    act.cue("one")
    act.move(bars.to(_numbers(wide.weights), wide.weights), pace=VERY_SLOW)
    act.cue("divide")
    act.move(chart.divide(wide.width**0.5), _spread(pins, wide.divided), caption(
        wider, act.label("divided", d=wide.width), 48, DOWN, 40, role="focus").align_to(
            wider, LEFT), pace=45)
    act.cue("again")
    act.move(bars.to(_numbers(wide.soft), wide.soft), pace=VERY_SLOW)
    _divide(act, world)


def _named(act: Act, place: Label, spread: Spread) -> Label:
    return Label(act.label("width_is", d=spread.width), 72, weight="bold", mono=True).move_to(
        place, LEFT)


def _numbers(texts: tuple[str, ...]) -> list[float]:
    return [float(text.replace("−", "-")) for text in texts]


def _pin(name: str, score: float, k: int) -> VGroup:
    """A score on the axis, with its letter on top; the three stand at different heights."""
    foot, top = (np.array(FRAME.at(AXIS + UNIT * score, FLOOR + y)) for y in (0, 76 + 64 * k))
    head = Circle(px(26), stroke_width=3, color=paint("ink"), fill_opacity=1,
                  fill_color=paint("ground")).move_to(top).set_z_index(2)
    return VGroup(Line(foot, top, stroke_width=3, color=paint("ink")).set_z_index(1), head,
                  number(name, 34).move_to(top).set_z_index(3))


def _spread(pins: VGroup, scores: tuple[str, ...]) -> list[Any]:
    """Animations: the pins go to other scores."""
    return [pin.animate.set_x(FRAME.at(AXIS + UNIT * score)[0])
            for pin, score in zip(pins, _numbers(scores))]


def _divide(act: Act, world: VGroup) -> None:
    """Back at our own table: each score is divided where it stands."""
    table, scaled = act.kept.table, act.story.heads[0].scaled
    rule = number(act.label("rule"), 72, "focus", "bold").move_to(FRAME.at(460, -225))
    act.cue("back")
    act.move(Pan(all_but(act, world), world, RIGHT * px(PAN)), pace=VERY_SLOW)
    act.cue("root")
    if act.params.scale:
        act.move(rule, in_turn([AnimationGroup(*put(table.cell(r, c), scaled[r][c]))
                                for r in range(3) for c in range(3)], 0.3), pace=50)
    else:
        act.move(rule, pace=EASY)
