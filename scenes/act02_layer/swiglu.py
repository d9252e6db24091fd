"""The MLP: a gate from a curve, and what it does to its partner."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Line, Rectangle
from manim import ReplacementTransform, TransformFromCopy, VGroup

from scenes.act02_layer.thread import chip, look
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Curve, Grid, Label, fly, in_turn, mix, number, paint, px
from scenes.lessons.layer import Swiglu, shown_swiglu, silu
from scenes.lessons.rounding import text
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["the_gate", "the_gated"]

EFFECTS = {"stretch": lambda gate: gate > 1, "shrink": lambda gate: 0 <= gate <= 1,
           "flip": lambda gate: gate < 0}
TALL = 52  # px of a bar's one
HALVES = ("gate", "d"), ("up", "e")


@beat(anchors="models/qwen3.py:114", carries="stream")
def the_gate(act: Act) -> None:
    # A row of four stands before the matrix; each half of the matrix makes one half of twelve.
    one = act.story.mlp[0]
    left, right = look(act, "gate_up").room.inset(top=30).columns(11, 9, gap=90)
    matrix = Grid(_texts(one.gate_up_weight), ["d"] * 6 + ["e"] * 6, (66, 76), 32, 0.18)
    left.place(matrix, UP + RIGHT, 0, -75)
    x = Grid(_texts(one.x[:, None]), "ra", (84, 76), 36).next_to(matrix, LEFT, buff=px(24))
    name = number("y", 40, "ra", "semibold").next_to(x, UP, buff=px(20))
    made = Grid(_texts([one.gate_up]), ["d"] * 6 + ["e"] * 6, (66, 80), 36)
    made.next_to(matrix, DOWN, buff=px(36))
    heads = [matrix.header(6 * k, 6 * k + 5, *half) for k, half in enumerate(HALVES)]
    act.move(x, name, matrix.boxes, pace=BRISK)
    act.cue("widen")
    act.move(in_turn(matrix.labels, 0.05), pace=EASY)
    for k, (key, _) in enumerate(HALVES):
        act.cue(key)
        cells = VGroup(*made[6 * k:6 * k + 6])
        act.move(heads[k], (TransformFromCopy(matrix.column(6 * k + c)[-1][0], cell[0])
                            for c, cell in enumerate(cells)), pace=BRISK)
        act.move((cell[1] for cell in cells), pace=BLINK)
    _curve(act, one, made, right)


def _texts(rows: object) -> list[list[str]]:
    """A matrix of numbers as it is written."""
    return [list(map(text, row)) for row in rows]


def _curve(act: Act, one: Swiglu, made: Grid, room: Region) -> None:
    # SiLU: a curve that lets large numbers pass, and hardly any below zero.
    curve = Curve(silu, -4, 3, room.inset(bottom=70, right=16))
    act.cue("curve")
    act.move(act.kept.stream.look("swiglu"), curve.axes, pace=QUICK)
    act.move(Create(curve.graph), Label("SiLU", LEAD, "d").next_to(
        curve.at(2, 2.4), LEFT, buff=px(40)), pace=VERY_SLOW)
    low = curve.graph.copy().pointwise_become_partial(curve.graph, 0, 4 / 7)
    act.cue("shut")
    act.move(Create(low.set_stroke(paint("focus"), 9)), pace=EASY)
    # Each gate goes to its place on the axis as a dot, and finds its height there.
    act.cue("drop")
    feet, gates = curve.feet(one.gate), made.labels[:6]
    act.move(FadeOut(low), pace=QUICK)
    act.move(in_turn(feet, 0.4), (gate.animate.set_color(paint("focus")) for gate in gates),
             pace=30)
    act.cue("height")
    act.move((Create(stem) for stem in curve.stems(one.gate)),
             (dot.animate.move_to(curve.at(float(g))) for dot, g in zip(feet, one.gate)),
             pace=EASY)
    heights = _heights(act, one, curve)
    act.move({id(height): height for height in heights}.values(), pace=QUICK)
    act.keep(heights=heights, feet=feet, up=VGroup(*made[6:]))


def _heights(act: Act, one: Swiglu, curve: Curve) -> list[Label]:
    """What each gate's dot shows on the curve; equal gates share one label."""
    written = [text(value) for value in shown_swiglu(one).silu]
    labels = {n: Label(act.label("twice", n=n), 30, "focus") if written.count(n) > 1
              else number(n, 30, "focus", "semibold") for n in written}
    for n, gate in zip(written, map(float, one.gate)):
        labels[n].next_to(curve.at(gate), UP + LEFT if gate > 0 else DOWN, buff=px(18))
        if gate < -1.5:  # clear of its neighbour
            labels[n].shift(LEFT * px(14))
    labels[written[0]].shift(RIGHT * px(50))
    return [labels[n] for n in written]


@beat(anchors="layers/activation.py:11", carries="stream heights feet up")
def the_gated(act: Act) -> None:
    # Each height of the curve becomes a gate over its partner's bar.
    one = act.story.mlp[0]
    written = shown_swiglu(one)
    bars, out = look(act, "swiglu").room.inset(top=10).columns(25, 11, gap=50)
    places = bars.inset(left=262).columns(*[1] * len(one.gate), gap=24)
    gates, ups, results = (
        VGroup(*(number(text(v), 42, role, "semibold").move_to(place.at(0, y, UP))
                 for v, place in zip(row, places)))
        for row, role, y in ((written.silu, "d", -50), (one.up, "e", -120),
                             (written.mix.weights, "ink", -515)))
    names = [Label(name, LEAD, role).move_to(bars.at(0, y, UP + LEFT), LEFT) for name, role, y in (
        ("SiLU(gate)", "d", -50), ("up", "e", -120), (act.label("gated"), "ink", -515))]
    heights = act.kept.heights
    flying = [number(gate.text, 30, "focus", "semibold").move_to(height)
              for gate, height in zip(gates, heights)]
    act.move({id(h): FadeOut(h) for h in heights}.values(), map(FadeOut, act.kept.feet),
             fly(flying, gates, lag=0.1), names[0], pace=EASY)
    act.cue("partner")
    floor = bars.at(0, -390, UP)[1]
    columns = VGroup(*(_bar(float(u), place, floor) for u, place in zip(one.up, places)))
    axis = Line([bars.left, floor, 0], [bars.right, floor, 0], stroke_width=2,
                color=paint("muted"))
    act.move((FadeOut(cell[0]) for cell in act.kept.up), names[1],
             (ReplacementTransform(cell[1], up) for cell, up in zip(act.kept.up, ups)), axis,
             pace=BRISK)
    act.move(in_turn(columns, 0.3), pace=27)
    # Each product is a bar of another length.
    for key, does in EFFECTS.items():
        act.cue(key)
        _effect(act, [k for k, gate in enumerate(one.silu) if does(gate)], columns,
                [_bar(float(a), place, floor) for a, place in zip(one.activations, places)],
                [results, *names[2:]])
    _narrow(act, one, results, out)


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


def _narrow(act: Act, one: Swiglu, results: VGroup, out: Region) -> None:
    # The six stand upright before their matrix, which makes four numbers for the stream.
    stream = act.kept.stream
    matrix = Grid(_texts(one.down_weight), "muted", (98, 60), 32)
    out.place(matrix, UP + RIGHT, 0, -60)
    six = Grid([[label.text] for label in results], "ink", (104, 60), 32)
    six.next_to(matrix, LEFT, buff=px(20))
    m = Grid([[text(total) for total in shown_swiglu(one).mix.totals]], "d", (98, 72), 27)
    m.next_to(matrix, DOWN, buff=px(26))
    name = number("m", 40, "d", "semibold").next_to(m, LEFT, buff=px(28))
    title = number("down_proj", BODY).next_to(matrix, UP, buff=px(16))
    act.cue("down")
    under = results.get_bottom()[1] - px(40)
    act.move(stream.look("down"), matrix, title, six.boxes,
             fly(results, six.labels, lag=0.25, via=under), pace=48)
    act.cue("four")
    act.move(FadeIn(m, shift=DOWN * px(20)), name, pace=EASY)
    act.cue("add")
    row = chip("m").scale(0.75).next_to(stream.sums[1], DOWN, buff=px(6))
    act.move(FadeIn(row, shift=UP * px(30)), pace=EASY)
    act.move(FadeOut(row, target_position=stream.sums[1]),
             stream.sums[1][0].animate.set_stroke(paint("focus"), 5), pace=QUICK)
