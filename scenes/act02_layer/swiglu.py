"""The MLP: a gate from a curve, and what it does to its partner."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Line, Rectangle
from manim import ReplacementTransform, TransformFromCopy, VGroup

from scenes.act02_layer.thread import look
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Curve, Grid, Label, arrow, fly, in_turn, mix, number, paint, px
from scenes.lessons.layer import shown_swiglu, silu
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["the_gate", "the_gated"]

EFFECTS = {"stretch": lambda gate: gate > 1, "shrink": lambda gate: 0 <= gate <= 1,
           "flip": lambda gate: gate < 0}
TALL = 58  # px of a bar's one


@beat(anchors="models/qwen3.py:114", carries="stream")
def the_gate(act: Act) -> None:
    # Four numbers become twelve: two halves.
    one = act.story.mlp[0]
    left, right = look(act, "gate_up").room.inset(top=10).columns(1, 1, gap=90)
    x, gate, up = (Grid([list(map(text, row))], role, (116, 88), 42).move_to(
        left.at(130, y, UP + LEFT), LEFT)
        for row, role, y in ((one.x, "ra", -70), (one.gate, "d", -290), (one.up, "e", -450)))
    names = [Label(name, LEAD, role).next_to(grid, LEFT, buff=px(24))
             for name, role, grid in (("x", "ink", x), ("gate", "d", gate), ("up", "e", up))]
    act.move(x, names[0], pace=BRISK)
    way = arrow(x.get_bottom(), [x.get_x(), gate.get_top()[1], 0], "muted", 14)
    act.cue("widen")
    act.move(way, number("gate_up_proj", BODY).next_to(way, RIGHT, buff=px(20)), pace=BRISK)
    for cue, grid, name in zip(("gate", "up"), (gate, up), names[1:]):
        act.cue(cue)
        act.move(TransformFromCopy(x.boxes, grid.boxes), grid.labels, name, pace=EASY)
    # SiLU: a curve that lets large numbers pass, and hardly any below zero.
    curve = Curve(silu, -4, 3, right.inset(bottom=44, right=16))
    act.cue("curve")
    act.move(act.kept.stream.look("swiglu"), curve.axes, pace=QUICK)
    act.move(Create(curve.graph), Label("SiLU", LEAD, "d").next_to(
        curve.at(2, 2.4), LEFT, buff=px(40)), pace=VERY_SLOW)
    low = curve.graph.copy().pointwise_become_partial(curve.graph, 0, 4 / 7)
    act.cue("shut")
    act.move(Create(low.set_stroke(paint("focus"), 9)), pace=EASY)
    # Each gate value flies to its place on the axis and finds its height there.
    act.cue("drop")
    feet = curve.feet(one.gate)
    act.move(fly(gate.labels, feet), pace=36)
    act.cue("height")
    act.move((Create(stem) for stem in curve.stems(one.gate)),
             (dot.animate.move_to(curve.at(float(g))) for dot, g in zip(feet, one.gate)),
             FadeOut(low), pace=VERY_SLOW)
    act.keep(feet=feet, up=up)


@beat(anchors="layers/activation.py:11", carries="stream feet up")
def the_gated(act: Act) -> None:
    # Each dot of the curve becomes a gate over its partner's bar.
    one = act.story.mlp[0]
    written = shown_swiglu(one)
    bars, out = look(act, "swiglu").room.inset(top=20).columns(3, 1, gap=60)
    places = bars.inset(left=200).columns(*[1] * len(one.gate), gap=30)
    gates, ups, results = (
        VGroup(*(number(text(v), 42, role, "semibold").move_to(place.at(0, y, UP))
                 for v, place in zip(row, places)))
        for row, role, y in ((written.silu, "d", -30), (one.up, "e", -95),
                             (written.mix.weights, "ink", -520)))
    names = [Label(name, LEAD, role).move_to(bars.at(0, y, UP + LEFT), LEFT) for name, role, y in (
        ("gate", "d", -30), ("up", "e", -95), (act.label("gated"), "ink", -520))]
    act.move((ReplacementTransform(dot, gate) for dot, gate in zip(act.kept.feet, gates)),
             names[0], pace=EASY)
    act.cue("partner")
    floor = bars.at(0, -370, UP)[1]
    columns = VGroup(*(_bar(float(u), place, floor) for u, place in zip(one.up, places)))
    axis = Line([bars.left, floor, 0], [bars.right, floor, 0], stroke_width=2,
                color=paint("muted"))
    act.move(FadeOut(act.kept.up.boxes), names[1], (ReplacementTransform(label, up) for label, up
             in zip(act.kept.up.labels, ups)), axis, pace=BRISK)
    act.move(in_turn(columns, 0.3), pace=27)
    # Each product is a bar of another length.
    for key, does in EFFECTS.items():
        act.cue(key)
        _effect(act, [k for k, gate in enumerate(one.silu) if does(gate)], columns,
              [_bar(float(a), place, floor) for a, place in zip(one.activations, places)],
              [results, *names[2:]])
    _narrow(act, results, out, written.mix.totals)


def _effect(act: Act, chosen: list[int], bars: VGroup, goals: list, shown: list) -> None:
    """The chosen gates make of their bars what they become; pale outlines stay."""
    results, *name = shown
    act.add(*(bars[k].copy().set_fill(opacity=0).set_stroke(paint("muted"), 2) for k in chosen))
    act.move((ReplacementTransform(bars[k], goals[k]) for k in chosen),
             (FadeIn(results[k]) for k in chosen), name, pace=SLOW)


def _bar(value: float, place: Region, floor: float) -> Rectangle:
    """A signed bar on the line at height `floor`."""
    bar = Rectangle(width=px(96), height=max(abs(value) * px(TALL), px(3)), stroke_width=2,
                    stroke_color=paint("e"), fill_color=mix("e", 0.5), fill_opacity=1)
    return bar.move_to([place.center[0], floor, 0], DOWN if value >= 0 else UP)


def _narrow(act: Act, results: VGroup, out: Region, totals: tuple) -> None:
    # Six results become four numbers, which go up to the stream.
    stream = act.kept.stream
    act.cue("down")
    y = Grid([[text(total)] for total in totals], "ra", (200, 92), 42).move_to(out.at(30, 10))
    act.move(stream.look("down"), fly(results, [y.boxes] * len(results), lag=0.05), pace=SLOW)
    act.move(y.labels, pace=QUICK)
    act.cue("add")
    ready = y.boxes.copy()
    act.move(ready.animate.scale(0.12).move_to(stream.sums[1]), pace=SLOW)
    act.move(FadeOut(ready), stream.sums[1][0].animate.set_stroke(paint("focus"), 5), pace=QUICK)
