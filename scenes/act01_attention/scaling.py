"""Why scores are divided by the root of d, and the division."""

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, GrowFromEdge, Transform, VGroup

from scenes.act01_attention.pieces import SIZE, TABLE
from scenes.kit import (FRAME, Bars, Histogram, Label, Pan, caption, cross, in_turn, number, put,
                        paint, px, ring)
from scenes.kit.base.motion import leave, replace
from scenes.lessons.softmax_limits import REACH, Spread
from scenes.stage import BLINK, BRISK, EASY, SLOW, VERY_SLOW, Act, Source, all_but, beat

__all__ = ["root_d", "too_large"]

PAN = 1920  # px: how far the camera looks aside
UNIT, TALL = 24, 760  # px of a score of 1, and of a density of 1
ALONE = 1.5  # how much larger the hill is while it stands alone
HANGING = (76, 160, 76)  # px: heights of three pins that would touch at one height
AXIS, FLOOR = -345, -270  # px: where zero stands, and how high


@beat("models/qwen3.py:39", source=Source("SIMULATED"), carries="table heads")
def too_large(act: Act) -> None:
    # The camera looks to the right of the table: how far random scores spread.
    narrow = act.story.spreads[0]
    world = VGroup(act.kept.table, act.kept.heads)
    chart, bars = _chart(narrow), Bars("abc", [0, 0, 0], roles="d", direction=UP, length=430,
                                       thickness=150, pitch=190, full=1, size=48)
    bars.stand(FRAME.at(360, FLOOR))
    drawn = Label(act.label("drawn"), 38, "muted").move_to(FRAME.at(AXIS, FLOOR - 84))
    whole = VGroup(chart.axis, chart.hill, drawn)
    home = whole.get_center()
    whole.scale(ALONE).move_to(FRAME.at(0, FLOOR - 100), DOWN)
    act.cue("pan")
    act.move(Pan(world, VGroup(chart.axis, drawn), LEFT * px(PAN)), pace=VERY_SLOW)
    act.cue("hill")
    act.move(GrowFromEdge(chart.hill, DOWN), pace=SLOW)
    act.cue("narrow")
    name = _named(act, narrow).move_to(FRAME.at(420, 150))
    act.move(name, pace=EASY)
    # Three of them, and what softmax makes of these.
    act.cue("three")
    act.move(whole.animate.scale(1 / ALONE).move_to(home),
             name.animate.move_to(_named(act, narrow)), pace=EASY)
    pins = VGroup(*(chart.pin(letter, score, height) for letter, score, height in
                    zip("abc", _numbers(narrow.three), HANGING)))
    act.move(in_turn(pins, 0.4), pace=BRISK)
    act.cue("soft")
    act.move(Label(act.label("weights"), 44, "d").move_to(FRAME.at(550, 290)), bars.axis,
             bars.names, bars.to(_numbers(narrow.weights)), pace=54)
    act.cue("heard")
    act.move(bars.to(_numbers(narrow.weights), narrow.weights), pace=EASY)
    _widen(act, chart, bars, pins, name)
    act.keep(world=world, chart=all_but(act))


def _widen(act: Act, chart: Histogram, bars: Bars, pins: VGroup, name: Label) -> None:
    """The hill spreads, and one key takes nearly all."""
    wide = act.story.spreads[1]
    before = chart.hill.curve.copy().set_stroke(paint("muted"), 3).set_z_index(-1)
    act.add(before)
    act.cue("wide")
    act.move(bars.bare(), pace=BLINK)
    act.move(Transform(chart.hill, _chart(wide).hill), replace(name, wider := _named(act, wide)),
             [*map(chart.pin_to, pins, _numbers(wide.three))], bars.to(_numbers(wide.weights)),
             pace=54)
    winner = ring(bars.bars[2].copy().stretch_to_fit_height(px(520)).move_to(
        bars.at(2), DOWN), buff=12)
    act.cue("one")
    act.move(winner, pace=EASY)
    act.cue("all")
    act.move(bars.to(_numbers(wide.weights), wide.weights), pace=EASY)
    times, root = sums = VGroup(*(number(act.label(key), 48) for key in ("times", "root")))
    sums.arrange(RIGHT, px(70)).next_to(wider, DOWN, px(30))
    act.cue("why")
    act.move(before.animate.set_stroke(paint("ink"), 5), times, pace=EASY)
    act.cue("grows")
    act.move(root, pace=EASY)
    # Every score is divided: the hill is narrow again, and so the weights are like before.
    act.cue("divide")
    act.move(chart.divide(wide.width**0.5), leave(before), leave(winner), replace(sums, caption(
        wider, act.label("divided", d=wide.width), 56, DOWN, 30, role="focus")),
             [*map(chart.pin_to, pins, _numbers(wide.divided))], pace=45)
    act.cue("again")
    act.move(bars.bare(), pace=BLINK)
    act.move(bars.to(_numbers(wide.soft)), pace=SLOW)
    act.move(bars.to(_numbers(wide.soft), wide.soft), pace=BRISK)


def _chart(spread: Spread) -> Histogram:
    return Histogram(spread.density, REACH * spread.width**0.5, UNIT, TALL, range(-20, 21, 10),
                     size=34).shift(FRAME.at(AXIS, FLOOR))


def _named(act: Act, spread: Spread) -> Label:
    return number(act.label("width_is", d=spread.width), 72, weight="bold").move_to(
        FRAME.at(AXIS, 290))


def _numbers(texts: tuple[str, ...]) -> list[float]:
    return [float(text.replace("−", "-")) for text in texts]


@beat("scaled_at", carries="world chart table heads", variant="scaling")
def root_d(act: Act) -> None:
    # Back at our own table: each score is divided where it stands.
    table, world, scaled = act.kept.table, act.kept.world, act.story.heads[0].scaled
    rule = number(act.label("rule"), 88, "focus", "bold").move_to(
        FRAME.at(580, TABLE[1]))
    act.cue("back")
    act.move(Pan(act.kept.chart, world, RIGHT * px(PAN)), pace=VERY_SLOW)
    act.cue("root")
    if act.params.scale:
        act.move(rule, in_turn([AnimationGroup(*put(table.cell(r, c), scaled[r][c], SIZE))
                                for r in range(3) for c in range(3)], 0.3), pace=50)
    else:
        act.move(rule, cross(rule), pace=EASY)
