"""The MLP: a gate from a curve, and what it does to its partner."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Line, Rectangle
from manim import ReplacementTransform, TransformFromCopy, VGroup

from scenes.act02_layer.thread import look
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Curve, Grid, Label, arrow, in_turn, mix, number, paint, px
from scenes.kit import ring
from scenes.lessons.layer import shown_swiglu, silu
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["the_gate", "the_gated"]

EFFECTS = {"stretch": lambda gate: gate > 1, "shrink": lambda gate: 0 <= gate <= 1,
           "flip": lambda gate: gate < 0}


@beat(anchors="models/qwen3.py:114", carries="stream")
def the_gate(act: Act) -> None:
    # Four numbers become twelve: two halves.
    one = act.story.mlp[0]
    left, right = look(act, "gate_up").room.inset(top=20).columns(1, 1, gap=90)
    x = Grid([list(map(text, one.x))], "ra", (116, 84), 40)
    gate, up = (Grid([list(map(text, half))], role, (116, 84), 40)
                for half, role in ((one.gate, "d"), (one.up, "e")))
    for grid, y in ((x, -60), (gate, -255), (up, -440)):
        grid.move_to(left.at(150, y, UP + LEFT), LEFT)
    names = [Label(name, LEAD, role).next_to(grid, LEFT, buff=px(24))
             for name, role, grid in (("x", "ink", x), ("gate", "d", gate), ("up", "e", up))]
    act.move(x, names[0], pace=BRISK)
    way = arrow(x.get_bottom(), [x.get_x(), gate.get_top()[1], 0], "muted", 14)
    act.cue("widen")
    act.move(way, number("gate_up_proj", BODY).next_to(way, RIGHT, buff=px(20)), pace=BRISK)
    act.cue("gate")
    act.move(TransformFromCopy(x.boxes, gate.boxes), gate.labels, names[1], pace=EASY)
    act.cue("up")
    act.move(TransformFromCopy(x.boxes, up.boxes), up.labels, names[2], pace=EASY)
    # SiLU: a curve that lets large numbers pass.
    curve = Curve(silu, -4, 3, right.inset(bottom=30, right=16))
    act.cue("curve")
    act.move(act.kept.stream.look("swiglu"), curve.axes, pace=QUICK)
    act.move(Create(curve.graph), Label("SiLU", LEAD, "d").next_to(
        curve.at(2, 2.4), LEFT, buff=px(40)), pace=VERY_SLOW)
    act.cue("shut")
    act.move(_shut(act, curve), pace=EASY)
    # Each gate value finds its height there.
    act.cue("drop")
    feet = curve.feet(one.gate)
    act.move(in_turn([TransformFromCopy(cell[0], dot) for cell, dot in zip(gate, feet)], 0.35),
             pace=36)
    act.cue("height")
    act.move((Create(stem) for stem in curve.stems(one.gate)),
             (dot.animate.move_to(curve.at(float(g))) for dot, g in zip(feet, one.gate)),
             pace=VERY_SLOW)
    act.keep(feet=feet)


def _shut(act: Act, curve: Curve) -> VGroup:
    """Where the curve lets hardly anything pass."""
    ends = curve.at(-4.4, -0.5), curve.at(0, 0.5)
    shade = Rectangle(width=ends[1][0] - ends[0][0], height=ends[1][1] - ends[0][1],
                      stroke_width=3, stroke_color=paint("focus"), fill_opacity=0)
    return VGroup(shade.move_to((ends[0] + ends[1]) / 2))


@beat(anchors="layers/activation.py:11", carries="stream feet")
def the_gated(act: Act) -> None:
    # Each dot of the curve becomes a gate over its partner's bar.
    one = act.story.mlp[0]
    written = shown_swiglu(one)
    bars, out = look(act, "swiglu").room.inset(top=20).columns(3, 1, gap=60)
    places = bars.inset(left=190).columns(*[1] * len(one.gate), gap=30)
    names = [Label(name, LEAD, role).move_to(bars.at(0, y, UP + LEFT), LEFT)
             for name, role, y in (("gate", "d", -40), (act.label("gated"), "e", -510))]
    gates = VGroup(*(number(text(g), 38, "d", "semibold").move_to(place.at(0, -40, UP))
                     for g, place in zip(written.silu, places)))
    act.move((ReplacementTransform(dot, gate) for dot, gate in zip(act.kept.feet, gates)),
             names[0], pace=EASY)
    act.cue("partner")
    floor = bars.at(0, -330, UP)[1]
    ups = VGroup(*(_bar(float(u), place, floor) for u, place in zip(one.up, places)))
    axis = Line([bars.left, floor, 0], [bars.right, floor, 0], stroke_width=2,
                color=paint("muted"))
    act.move(axis, in_turn(ups, 0.3), pace=30)
    # Each product is a bar of another length.
    results = VGroup(*(number(text(a), 36, "ink", "semibold").move_to(place.at(0, -510, UP))
                       for a, place in zip(written.mix.weights, places)))
    act.move(names[1], pace=QUICK)
    for key, does in EFFECTS.items():
        act.cue(key)
        chosen = [k for k, gate in enumerate(one.silu) if does(gate)]
        goals = [_bar(float(one.activations[k]), places[k], floor) for k in chosen]
        old = [ups[k].copy().set_fill(opacity=0).set_stroke(paint("muted"), 2) for k in chosen]
        act.add(*old)
        act.move((ReplacementTransform(ups[k], goal) for k, goal in zip(chosen, goals)),
                 (FadeIn(results[k]) for k in chosen),
                 (Label(act.label(key), BODY, "focus", "semibold").move_to(
                     places[k].at(0, -92, UP)) for k in chosen), pace=SLOW)
    _narrow(act, results, out, written.mix.totals)


def _bar(value: float, place: Region, floor: float) -> Rectangle:
    """A signed bar on the line at height `floor`."""
    bar = Rectangle(width=px(84), height=max(abs(value) * px(45), px(3)), stroke_width=2,
                    stroke_color=paint("e"), fill_color=mix("e", 0.5), fill_opacity=1)
    return bar.move_to([place.center[0], floor, 0], DOWN if value >= 0 else UP)


def _narrow(act: Act, results: VGroup, out: Region, totals: tuple) -> None:
    # Six results become four numbers, which go up to the stream.
    act.cue("down")
    y = Grid([[text(total)] for total in totals], "ra", (200, 92), 40)
    y.move_to(out.at(0, 0))
    way = arrow([results.get_right()[0], y.get_y(), 0], y.get_left(), "muted", 14)
    act.move(act.kept.stream.look("down"), way, pace=BRISK)
    act.move(FadeIn(y, target_position=way), pace=EASY)
    act.cue("add")
    stream = act.kept.stream
    ready = y.boxes.copy()
    act.move(ready.animate.scale(0.12).move_to(stream.sums[1]), pace=SLOW)
    act.move(FadeOut(ready), ring(stream.sums[1], "focus", 5, 8),
             Label(act.label("alone"), BODY, "muted").next_to(y, DOWN, buff=px(20)), pace=QUICK)
