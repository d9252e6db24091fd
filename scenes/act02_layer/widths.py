"""How wide q, k and v are, and what each of them passes on its way to attention."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, GrowFromEdge, Line, Polygon
from manim import ReplacementTransform, Rotate, RoundedRectangle, TransformFromCopy
from manim import VGroup

from scenes.act02_layer.thread import ROOM, axis, closing_scene, travel
from scenes.kit import Label, Part, Plane, ScaleBar, mix, number, paint, px
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["the_widths"]

UNIT = 0.4375  # px that one number is wide: q, k and v together fill the stage
ROAD, HEADS, TALL = 60, 430, 150  # px below the room's top: the road, q's middle; q's height
LANES = {"q": 110, "k": 320, "v": 530}  # px below the room's top
GATES = {"norm": 640, "rope": 990}  # px from the left
DOOR = 1330  # px from the left to attention


@beat(anchors=("models/qwen3.py:36", "models/qwen3.py:83"), carries="scene map road")
def the_widths(act: Act) -> None:
    # The row lies on the road, to scale; below it what its matrix makes of it.
    w, top = act.story.widths, ROOM.at(0, -ROAD, UP)[1]
    row = _bar(w.hidden, "ra", 96)
    row.move_to((ROOM.left, top, 0), LEFT)
    travel(act, "qkv", row.boxes)
    act.move(act.kept.road.animate.become(axis(top)).set_z_index(-3), pace=BRISK)
    size = number(f"{w.hidden:,}", 60, weight="semibold").move_to(row)
    act.cue("bar")
    act.move(size, pace=BRISK)
    q = _heads(act, row, w.hidden)
    made = _keys_and_values(act, row, q)
    _lanes(act, made, VGroup(row, size))
    _narrow(act)
    closing_scene(act)


def _bar(amount: float, role: str, high: float = TALL, heads: int = 1) -> ScaleBar:
    return ScaleBar([Part(amount, role, "", heads)], UNIT, high)


def _at(x: float, y: float) -> tuple[float, float, float]:
    """px from the room's upper left corner, y downwards."""
    return ROOM.at(x, -y, UP + LEFT)


def _funnel(above: ScaleBar, below: VGroup) -> Polygon:
    """The matrix between what goes in and what comes out, as wide as both."""
    corners = [above.get_corner(DOWN + side) for side in (LEFT, RIGHT)]
    corners += [below.get_corner(UP + side) for side in (RIGHT, LEFT)]
    return Polygon(*corners, stroke_width=0, fill_color=mix("muted", 0.22),
                   fill_opacity=1).set_z_index(-1)


def _heads(act: Act, row: ScaleBar, even: int) -> VGroup:
    """The heads of q as wide as an even share would make them; then as wide as they are."""
    w = act.story.widths
    q = _bar(even, "q", TALL, w.query_heads).move_to(_at(0, HEADS), LEFT)
    funnel = _funnel(row, q)
    name = number("qkv_proj", 48, weight="semibold").move_to(_at(224, (ROAD + HEADS) / 2 - 8))
    act.cue("heads")
    act.move(GrowFromEdge(funnel, UP), FadeIn(name), pace=EASY)
    act.move(GrowFromEdge(q.boxes, UP), FadeIn(q.cuts), pace=BRISK)
    wide = _bar(w.q, "q", TALL, w.query_heads).move_to(_at(0, HEADS), LEFT)
    heads = [_bar(each, "focus").move_to(_at(0, HEADS), LEFT).boxes
             for each in (even / w.query_heads, w.head_dim)]
    notes = [Label(act.label(key), 56, "focus", "semibold").next_to(
        heads[0], DOWN, buff=px(40)).align_to(q, LEFT) for key in ("even", "chosen")]
    act.cue("even")
    act.move(heads[0], notes[0], pace=EASY)
    act.cue("chose")
    act.move(ReplacementTransform(heads[0], heads[1]), FadeOut(notes[0]), pace=BRISK)
    act.move(notes[1], pace=QUICK)
    act.cue("twice")
    wider = _funnel(row, wide)
    act.move(ReplacementTransform(q.boxes, wide.boxes), ReplacementTransform(q.cuts, wide.cuts),
             funnel.animate.become(wider), pace=36)
    act.keep(funnel=funnel, notes=[heads[1], notes[1], name])
    return VGroup(wide.boxes, wide.cuts, number(f"q {w.q:,}", 56, weight="semibold").move_to(
        wide).set_z_index(2))


def _keys_and_values(act: Act, row: ScaleBar, q: VGroup) -> dict[str, VGroup]:
    """k and v stand beside q: fewer heads, as wide as the row."""
    w, made = act.story.widths, {"q": q}
    head, note, _ = act.kept.notes
    for k, role in enumerate("kv"):
        bar = _bar(w.kv, role, TALL, w.kv_heads).move_to(_at(UNIT * (w.q + k * w.kv), HEADS), LEFT)
        made[role] = VGroup(bar.boxes, bar.cuts, number(f"{role} {w.kv:,}", 56, weight="semibold")
                            .move_to(bar).set_z_index(2))
    counts = [Label(act.label("heads_of", n=n), 44, role).next_to(made[role], DOWN, buff=px(36))
              for role, n in zip("qkv", (w.query_heads, w.kv_heads, w.kv_heads))]
    act.cue("kv")
    act.move(act.kept.funnel.animate.become(_funnel(row, VGroup(*made.values()))),
             (GrowFromEdge(made[role][0], UP) for role in "kv"), FadeOut(head), FadeOut(note),
             q[2], pace=EASY)
    act.move((made[role][1:] for role in "kv"), counts, pace=BRISK)
    act.keep(notes=[act.kept.notes[2], *counts])
    return made


def _chip(role: str, width: float) -> VGroup:
    box = RoundedRectangle(corner_radius=px(14), width=px(width), height=px(110), stroke_width=3,
                           stroke_color=paint(role), fill_color=mix(role, 0.4), fill_opacity=1)
    return VGroup(box.set_z_index(3), number(role, 64, weight="semibold").set_z_index(4))


def _lanes(act: Act, made: dict[str, VGroup], row: VGroup) -> None:
    # Three lanes to attention: two gates stand on those of q and k.
    lanes = {role: Line(_at(0, y), _at(DOOR, y), stroke_width=9, color=paint(role))
             for role, y in LANES.items()}
    chips = {role: _chip(role, 280 if role == "q" else 140) for role in LANES}
    for role, chip in chips.items():
        chip.move_to(_at(40, LANES[role]), LEFT)
    gates = {key: _gate(act.label(f"stop_{key}"), x) for key, x in GATES.items()}
    dial = Plane(46, 1).move_to(_at(GATES["rope"], 245))
    hand = dial.spoke((0.9, 0), "focus")
    gates["rope"][1].move_to(_at(GATES["rope"], 165))
    door = _gate(act.label("attention"), DOOR + 200, 360, 560, 320).set_z_index(5)
    act.cue("lanes")
    act.move(FadeOut(act.kept.funnel), map(FadeOut, act.kept.notes), FadeOut(row),
             FadeOut(act.kept.road), (ReplacementTransform(made[role][0], chips[role][0])
                                      for role in LANES),
             (FadeOut(part) for bar in made.values() for part in bar[1:]), pace=EASY)
    act.move(lanes.values(), (chip[1] for chip in chips.values()), gates.values(), dial, hand,
             door, pace=BRISK)
    act.cue("norm")
    act.move(*_go(chips, "qk", GATES["norm"]), _lit(gates["norm"]), pace=SLOW)
    act.cue("rope")
    act.move(*_go(chips, "qk", GATES["rope"]), _lit(gates["norm"], False), _lit(gates["rope"]),
             act.kept.map.to("rope"), pace=SLOW)
    act.move(Rotate(hand.stem, 2.2, about_point=dial.centre), pace=EASY)
    act.cue("v")
    act.move(*_go(chips, "v", DOOR - 90), pace=36)
    act.cue("meet")
    act.move(*_go(chips, "qkv", DOOR + 200), _lit(gates["rope"], False), _lit(door),
             act.kept.map.to("attention"), pace=30)
    act.keep(lanes=[*lanes.values(), *chips.values(), *gates.values(), dial, hand], door=door)


def _gate(name: str, x: float, width: float = 240, high: float = 370, y: float = 215) -> VGroup:
    box = RoundedRectangle(corner_radius=px(14), width=px(width), height=px(high), stroke_width=3,
                           stroke_color=paint("muted"), fill_color=mix("muted", 0.12),
                           fill_opacity=1).move_to(_at(x, y))
    return VGroup(box.set_z_index(1), Label(name, 48, weight="semibold").move_to(box)
                  .set_z_index(6))


def _go(chips: dict[str, VGroup], roles: str, x: float) -> list:
    return [chips[role].animate.move_to(_at(x, LANES[role])) for role in roles]


def _lit(box: VGroup, on: bool = True) -> object:
    return box[0].animate.set_stroke(paint("focus" if on else "muted"), 6 if on else 3)


def _narrow(act: Act) -> None:
    # What attention makes is as wide as q; o_proj makes it as wide as the row.
    w, level = act.story.widths, ROOM.at(0, 90, DOWN)[1]
    wide = _bar(w.q, "e", TALL).move_to(_at(0, 130)).set_x(ROOM.center[0])
    row = _bar(w.hidden, "ra", 110).move_to((ROOM.center[0], level, 0))
    funnel = _funnel(wide, row)
    figures = [number(f"{n:,}", 64, weight="semibold").move_to(bar).set_z_index(2)
               for n, bar in ((w.q, wide), (w.hidden, row))]
    act.cue("back")
    act.move(map(FadeOut, act.kept.lanes), FadeOut(act.kept.door[1]),
             ReplacementTransform(act.kept.door[0], wide.boxes[0]), pace=EASY)
    act.kept.road.become(axis(level)).set_z_index(-3)
    act.move(figures[0], GrowFromEdge(funnel, UP), number("o_proj", 52, weight="semibold").move_to(
        funnel).set_z_index(2), FadeIn(act.kept.road), pace=EASY)
    act.move(TransformFromCopy(wide.boxes[0], row.boxes[0]), pace=EASY)
    act.move(figures[1], pace=QUICK)
