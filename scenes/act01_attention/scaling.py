"""Why scores are divided by the root of d, and the division."""

from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, GrowFromEdge, Transform, VGroup

from scenes.act01_attention.pieces import SIZE
from scenes.kit import (FRAME, Bars, Histogram, Label, Pan, caption, cross, in_turn, number, put,
                        paint, px, ring)
from scenes.kit.base.motion import leave, replace
from scenes.lessons.softmax_limits import REACH, Spread
from scenes.stage import EASY, SLOW, VERY_SLOW, Act, Source, all_but, beat

__all__ = ["root_d", "too_large"]

PAN = 1920  # px: how far the camera looks aside
UNIT, TALL = 24, 760  # px of a score of 1, and of a density of 1
AXIS, FLOOR = -345, -270  # px: where zero stands, and how high


@beat("models/qwen3.py:39", source=Source("SIMULATED"), carries="table heads")
def too_large(act: Act) -> None:
    # The camera looks to the right of the table: how far random scores spread.
    narrow = act.story.spreads[0]
    world = VGroup(act.kept.table, act.kept.heads)
    chart, bars = _chart(narrow), Bars("abc", [0, 0, 0], roles="d", direction=UP, length=430,
                                       thickness=150, pitch=190, full=1, size=48)
    bars.stand(FRAME.at(360, FLOOR))
    drawn = Label(act.label("drawn"), 34, "muted").move_to(FRAME.at(AXIS, FLOOR - 80))
    act.cue("pan")
    act.move(Pan(world, VGroup(chart.axis, drawn, bars.axis), LEFT * px(PAN)), pace=VERY_SLOW)
    act.move(GrowFromEdge(chart.hill, DOWN), name := _named(act, narrow), pace=SLOW)
    # Three of them, and what softmax makes of these.
    pins = VGroup(*(chart.pin(letter, score, 76 + 84 * k) for k, (letter, score) in
                    enumerate(zip("abc", _numbers(narrow.three)))))
    act.cue("three")
    act.move(in_turn(pins, 0.4), pace=SLOW)
    act.cue("soft")
    act.move(Label(act.label("weights"), 44, "d").move_to(FRAME.at(550, 290)), bars.names,
             bars.to(_numbers(narrow.weights), narrow.weights), pace=54)
    _widen(act, chart, bars, pins, name)
    act.keep(world=world, chart=all_but(act))


def _widen(act: Act, chart: Histogram, bars: Bars, pins: VGroup, name: Label) -> None:
    """The hill spreads, and one key takes nearly all."""
    wide = act.story.spreads[1]
    wider = _named(act, wide)
    ghost = chart.hill.curve.copy().set_stroke(paint("muted"), 3).set_z_index(-1)
    act.add(ghost)
    act.cue("wide")
    act.move(Transform(chart.hill, _chart(wide).hill), replace(name, wider),
             [*map(chart.pin_to, pins, _numbers(wide.three))],
             bars.to(_numbers(wide.weights), wide.weights), pace=75)
    winner = ring(bars.row(2), buff=12)
    act.cue("one")
    act.move(winner, pace=SLOW)
    root = caption(wider, act.label("root"), 48, DOWN, 40, mono=True).align_to(wider, LEFT)
    act.cue("why")
    act.move(root, pace=SLOW)
    _divide(act, chart, bars, pins, ghost, (wider, root, winner))


def _divide(act: Act, chart: Histogram, bars: Bars, pins: VGroup, ghost: Any,
            shown: tuple[Label, Label, Any]) -> None:
    """Both widths are divided by their roots: hills of one width, weights of one kind."""
    (narrow, wide), (wider, root, winner) = act.story.spreads, shown
    note = caption(wider, act.label("divided", d=wide.width), 48, DOWN, 40, role="focus")
    act.cue("divide")
    zero, by = chart.axis[0].get_center(), narrow.width**0.5
    act.move(chart.divide(wide.width**0.5), ghost.animate.stretch(
        1 / by, 0, about_point=zero).stretch(by, 1, about_point=zero),
             replace(root, note.align_to(wider, LEFT)),
             [*map(chart.pin_to, pins, _numbers(wide.divided))],
             leave(winner), bars.to(_numbers(wide.soft), wide.soft), pace=60)
    act.cue("again")
    before = [bar.copy().stretch(share / now, 1, about_edge=DOWN).set_fill(opacity=0).set_stroke(
        paint("ink"), 4).set_z_index(1) for bar, share, now in zip(
        bars.bars, _numbers(narrow.soft), _numbers(wide.soft))]
    said = Label(act.label("before", d=narrow.width), 44).next_to(note, DOWN, px(24))
    act.move(before, bars.figures.animate.shift(UP * px(28)), said.align_to(note, LEFT), pace=EASY)


def _chart(spread: Spread) -> Histogram:
    return Histogram(spread.density, REACH * spread.width**0.5, UNIT, TALL, range(-20, 21, 10),
                     size=34).shift(FRAME.at(AXIS, FLOOR))


def _named(act: Act, spread: Spread) -> Label:
    return number(act.label("width_is", d=spread.width), 72, weight="bold").move_to(
        FRAME.at(-860, 270), LEFT)


def _numbers(texts: tuple[str, ...]) -> list[float]:
    return [float(text.replace("−", "-")) for text in texts]


@beat("scaled_at", carries="world chart table heads", variant="scaling")
def root_d(act: Act) -> None:
    # Back at our own table: each score is divided where it stands.
    table, world, scaled = act.kept.table, act.kept.world, act.story.heads[0].scaled
    rule = number(act.label("rule"), 72, "focus", "bold").move_to(FRAME.at(460, -225))
    act.cue("back")
    act.move(Pan(act.kept.chart, world, RIGHT * px(PAN)), pace=VERY_SLOW)
    act.cue("root")
    if act.params.scale:
        act.move(rule, in_turn([AnimationGroup(*put(table.cell(r, c), scaled[r][c], SIZE))
                                for r in range(3) for c in range(3)], 0.3), pace=50)
    else:
        act.move(rule, cross(rule), pace=EASY)
