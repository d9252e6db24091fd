"""The MLP: the height that a gate finds on one curve stretches, shrinks or flips its partner."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeOut, ReplacementTransform
from manim import TransformFromCopy

from scenes.act02_layer.thread import ROOM, closing_scene, row_of, travel
from scenes.geometry import Region
from scenes.kit import Curve, Grid, Label, SignedBars, fly, in_turn, number, paint, px
from scenes.kit.base.motion import Flight, vanish
from scenes.lessons.layer import Swiglu, shown_swiglu, silu
from scenes.lessons.rounding import shown, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["EFFECTS", "the_gate"]

EFFECTS = {"stretch": lambda gate: gate > 1, "shrink": lambda gate: 0 <= gate <= 1,
           "flip": lambda gate: gate < 0}
UNIT, FLOOR = 95, 140  # px: a value of 1; the road above the room's bottom
SPLIT, PITCH = 800, 158  # px: where the bars begin; bar to bar
TOP = 44  # px of the cells' middle below the room's top


@beat(anchors=("models/qwen3.py:114", "layers/activation.py:11"), carries="scene map road bars",
      least={2: 50, 3: 48, 4: 43})
def the_gate(act: Act) -> None:
    # A row of four numbers on the road; one matrix makes six gates and six partners of it.
    one, floor = act.story.mlp, ROOM.at(0, FLOOR, DOWN)[1]
    y = row_of(one.x, size=1.5).move_to((ROOM.center[0], floor, 0))
    travel(act, "mlp", floor, 1)
    gates, ups = _widen(act, one, y)
    bars, curve = _curve(act, one, y, gates, ups, floor)
    heights = _heights(act, one, curve, gates, bars)
    written = shown_swiglu(one).mix.weights
    for cue, does in EFFECTS.items():
        act.cue(cue)
        chosen = [k for k, gate in enumerate(one.silu) if does(gate)]
        act.move((height.animate.set_color(paint("focus" if k in chosen else "d"))
                  for k, height in enumerate(heights)), pace=QUICK)
        act.move((bars.to(k, one.activations[k], text(written[k])) for k in chosen), pace=EASY)
    _narrow(act, one, bars, heights, floor)
    closing_scene(act)


def _places(count: int) -> list[float]:
    return [ROOM.left + px(SPLIT + 100 + PITCH * k) for k in range(count)]


def _widen(act: Act, one: Swiglu, y: Grid) -> tuple[Grid, Grid]:
    """Gates above where the curve will be, their partners above where the bars will be."""
    values = [[text(shown(v, 0)) for v in half] for half in (one.gate, one.up)]
    gates, ups = (Grid([row], role, (104, 84), 52, 0.35) for row, role in zip(values, "de"))
    gates.move_to(ROOM.at(0, -TOP, UP + LEFT), LEFT).shift(RIGHT * px(110))
    for cell, x in zip(ups, _places(len(one.up))):
        cell.set_x(x)
    ups.set_y(gates.get_y())
    names = [Label("gate", 44, "d", "semibold").next_to(gates, LEFT, buff=px(20)),
             Label("up", 44, "e", "semibold").next_to(ups, LEFT, buff=px(24))]
    act.cue("widen")
    y.shift(UP * px(160))
    act.move(map(ReplacementTransform, act.kept.bars.bars, y.boxes),
             map(ReplacementTransform, act.kept.bars.figures, y.labels), pace=SLOW)
    act.remove(*y.get_family())
    act.add(y)
    for cue, half, name in zip(("gate", "up"), (gates, ups), names):
        act.cue(cue)
        act.move((TransformFromCopy(y.boxes[k % 4], cell[0]) for k, cell in enumerate(half)),
                 name, pace=EASY)
        act.move(half.labels, pace=QUICK)
    act.keep(names=names)
    return gates, ups


def _curve(act: Act, one: Swiglu, y: Grid, gates: Grid, ups: Grid,
           floor: float) -> tuple[SignedBars, Curve]:
    # The road is the axis of the curve and of the bars, at one scale.
    top = silu(3)
    low = min(silu(-1.3), -0.5)
    room = Region(ROOM.left + px(36), ROOM.left + px(SPLIT - 60), floor + px(UNIT * top),
                  floor + px(UNIT * low))
    curve = Curve(silu, -4, 3, room)
    act.cue("curve")
    curve.axes[0].set_opacity(0)
    act.move(FadeOut(y), Create(curve.graph), curve.axes, pace=SLOW)
    name = Label("SiLU", 60, "d", "semibold").move_to(curve.at(-2.2, 1.5))
    bars = SignedBars(one.up, [text(shown(v, 0)) for v in one.up], _places(len(one.up)), floor,
                      UNIT, "e", 104, 46)
    act.move(name, (ReplacementTransform(cell[0], bar) for cell, bar in zip(ups, bars.bars)),
             (ReplacementTransform(cell[1], figure[0]) for cell, figure in zip(
                 ups, bars.figures)), FadeOut(act.kept.names[1]), pace=SLOW)
    feet = curve.feet(one.gate)
    act.cue("drop")
    act.move(in_turn([Flight(label, foot, gates.get_bottom()[1] - px(60), layer=k)
                      for k, (label, foot) in enumerate(zip(gates.labels, feet))], 0.2),
             in_turn([vanish(label) for label in gates.labels], 0.2), pace=28)
    act.keep(feet=feet)
    return bars, curve


def _heights(act: Act, one: Swiglu, curve: Curve, gates: Grid,
             bars: SignedBars) -> list[Label]:
    """Each dot climbs to the curve; its height goes over to the partner's bar as a factor."""
    feet, level = act.kept.feet, ROOM.at(0, -TOP, UP)[1]
    factors = [number(text(value), 46, "d", "semibold").move_to((place, level, 0))
               for value, place in zip(shown_swiglu(one).silu, bars.places)]
    times = number("×", 52, "d").move_to((bars.places[0] - px(110), level, 0))
    stems = curve.stems(one.gate)
    act.cue("height")
    act.move(map(Create, stems), (foot.animate.move_to(curve.at(float(gate)))
                                  for foot, gate in zip(feet, one.gate)),
             FadeOut(gates.boxes), FadeOut(act.kept.names[0]), pace=EASY)
    act.cue("times")
    act.move(fly(feet, factors, lag=0.2), times, pace=27)
    act.keep(times=times)
    return factors


def _narrow(act: Act, one: Swiglu, bars: SignedBars, factors: list[Label],
            floor: float) -> None:
    # Six numbers become four, which are for the sum on the road.
    m = Grid([[text(total) for total in shown_swiglu(one).mix.totals]], "d", (150, 100), 42, 0.35)
    name = number("down_proj", 52, weight="semibold").move_to(ROOM.at(330, -TOP, UP + LEFT))
    m.move_to(ROOM.at(0, -TOP, UP + RIGHT), RIGHT)
    act.cue("down")
    act.move(map(FadeOut, factors), FadeOut(act.kept.times), pace=QUICK)
    act.move(name.next_to(m, LEFT, buff=px(60)), m.boxes, pace=BRISK)
    act.cue("four")
    act.move((Flight(figure, m.labels[k % 4], layer=k)
              for k, figure in enumerate(bars.figures)), map(vanish, bars.figures), pace=30)
    act.cue("add")
    stale = all_but(act, act.kept.map, act.kept.road, m)
    place = (ROOM.center[0], floor + px(100), 0)
    act.move(FadeOut(stale), m.animate.scale(1.6).move_to(place), pace=SLOW)
    