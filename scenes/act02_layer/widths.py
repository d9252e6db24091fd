"""How wide q, k and v are, and what each of them passes on its way to attention."""

from typing import NamedTuple

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, GrowFromEdge, Line, Polygon
from manim import ReplacementTransform, RoundedRectangle, VGroup

from scenes.act02_layer.thread import ROOM, RouteMap, axis, closing_scene, travel
from scenes.kit import Label, Part, ScaleBar, mix, number, paint, px, replace
from scenes.kit.base.motion import arrive, vanish
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["the_order", "the_widths"]

NEAR, UNIT = 1.75, 0.4375  # px that one number is wide: the row, or q, k, v, fill the stage
ROAD, HEADS, TALL = 90, 430, 140  # px below the room's top: the road, q's middle; q's height
LANES = {"q": 110, "k": 320, "v": 530}  # px below the room's top
GATES = {"norm": 600, "rope": 980}  # px from the left
DOOR = 1330  # px from the left to attention


@beat(anchors="models/qwen3.py:36", least={2: 79, 3: 26}, carries="scene road whole")
def the_widths(act: Act) -> None:
    # The row lies on the road, as near as the stage allows; below it what its matrix makes of it.
    w, top = act.story.widths, ROOM.at(0, -ROAD, UP)[1]
    row = _bar(w.hidden, "ra", NEAR, 110, at=ROAD)
    act.keep(map=RouteMap(act, "qkv"))
    whole = act.kept.whole
    travel(act, "qkv", top, 1, FadeOut(whole.labels), ReplacementTransform(whole.boxes, row.boxes))
    act.remove(*whole.get_family())
    size = number(f"{w.hidden:,}", 68, weight="semibold").move_to(row).set_z_index(2)
    place = _bar(w.hidden, "q", NEAR).boxes.set_fill(opacity=0).set_stroke(paint("line"))
    act.cue("bar")
    act.move(size, place, pace=BRISK)
    act.keep(place=place)
    view = _even(act, row, size)
    _keys_and_values(act, _chosen(act, view))


@beat(anchors="models/qwen3.py:83", carries="made rest map road", least={4: 50})
def the_order(act: Act) -> None:
    # Three lanes to attention, and back to the width of the row.
    _lanes(act, act.kept.made, act.kept.rest)
    _narrow(act)
    closing_scene(act)


def _at(x: float, y: float) -> tuple[float, float, float]:
    """px from the room's upper left corner, y downwards."""
    return ROOM.at(x, -y, UP + LEFT)


def _bar(amount: float, role: str, unit: float = UNIT, high: float = TALL, heads: int = 1,
         at: float = HEADS, start: float = 0) -> ScaleBar:
    """`amount` numbers after `start` others, to scale, `at` px below the room's upper edge."""
    bar = ScaleBar([Part(amount, role, "", heads)], unit, high)
    return bar.move_to(_at(start * unit, at), LEFT)


def _funnel(above: VGroup, below: VGroup) -> Polygon:
    """The matrix between what goes in and what comes out, as wide as both."""
    corners = [above.get_corner(DOWN + side) for side in (LEFT, RIGHT)]
    corners += [below.get_corner(UP + side) for side in (RIGHT, LEFT)]
    return Polygon(*corners, stroke_width=0, fill_color=mix("muted", 0.22),
                   fill_opacity=1).set_z_index(-1)


class _View(NamedTuple):
    """What stands on the stage: the row and its size, the matrix and its name, q, a note."""

    row: ScaleBar
    size: Label
    funnel: Polygon
    name: Label
    q: ScaleBar
    notes: list


def _even(act: Act, row: ScaleBar, size: Label) -> _View:
    """The heads of q, as wide as an even share would make them."""
    w = act.story.widths
    q = _bar(w.hidden, "q", NEAR, heads=w.query_heads)
    funnel = _funnel(row, q)
    name = number("qkv_proj", 60, weight="semibold").move_to(funnel)
    act.cue("matrix")
    act.move(GrowFromEdge(funnel, UP), FadeIn(name), pace=EASY)
    act.cue("heads")
    act.move(GrowFromEdge(q.boxes, UP), FadeIn(q.cuts), pace=BRISK)
    head = _bar(w.hidden / w.query_heads, "focus", NEAR).boxes
    note = Label(act.label("even"), 60, "focus", "semibold").next_to(
        head, DOWN, buff=px(36)).align_to(q, LEFT)
    act.cue("even")
    act.remove(*act.kept.place.get_family())
    act.move(head, note, pace=EASY)
    return _View(row, size, funnel, name, q, [head, note])


def _chosen(act: Act, view: _View) -> _View:
    """Every head is wider: the camera steps back until all of them are on the stage."""
    w, (head, note) = act.story.widths, view.notes
    unit = NEAR / w.q * w.hidden
    large, chosen = (_bar(w.head_dim, "focus", each).boxes for each in (NEAR, unit))
    new = Label(act.label("chosen"), 60, "focus", "semibold").move_to(note, LEFT)
    act.cue("chose")
    act.move(ReplacementTransform(head, large), replace(note, new), pace=EASY)
    row, q = _bar(w.hidden, "ra", unit, 110, at=ROAD), _bar(w.q, "q", unit, heads=w.query_heads)
    act.cue("twice")
    act.move(_further(view, row, q), ReplacementTransform(large, chosen),
             view.funnel.animate.become(_funnel(row, q)), pace=36)
    return view._replace(row=row, q=q, notes=[chosen, new])


def _further(view: _View, row: ScaleBar, q: ScaleBar) -> list:
    """Animations: row and q are seen from further away."""
    return [ReplacementTransform(view.row.boxes, row.boxes), view.size.animate.move_to(row),
            view.name.animate.set_x(row.get_x()), ReplacementTransform(view.q.boxes, q.boxes),
            ReplacementTransform(view.q.cuts, q.cuts)]


def _keys_and_values(act: Act, view: _View) -> None:
    """k and v come beside q, with fewer heads."""
    w = act.story.widths
    row, q = _bar(w.hidden, "ra", high=110, at=ROAD), _bar(w.q, "q", heads=w.query_heads)
    k, v = (_bar(w.kv, role, heads=w.kv_heads, start=w.q + n * w.kv)
            for n, role in enumerate("kv"))
    bars = dict(zip("qkv", (q, k, v)))
    factors = [number(f"{n} × {w.head_dim}", 56).move_to(bars[role]).set_z_index(2)
               for role, n in zip("qkv", (w.query_heads, w.kv_heads, w.kv_heads))]
    sizes = [number(f"{role} {n:,}", 60, role, "bold").next_to(bars[role], DOWN, buff=px(40))
             for role, n in zip("qkv", (w.q, w.kv, w.kv))]
    act.cue("kv")
    act.move(_further(view, row, q), map(FadeOut, view.notes),
             view.funnel.animate.become(_funnel(row, VGroup(q, k, v))),
             (arrive(bar.boxes, LEFT * px(80)) for bar in (k, v)), pace=SLOW)
    act.move(k.cuts, v.cuts, factors, sizes, pace=BRISK)
    act.keep(made={role: bar.boxes for role, bar in bars.items()},
             rest=[row.boxes, view.size, view.funnel, view.name, *factors, *sizes,
                   q.cuts, k.cuts, v.cuts])


def _chip(role: str, width: float) -> VGroup:
    box = RoundedRectangle(corner_radius=px(14), width=px(width), height=px(90), stroke_width=3,
                           stroke_color=paint(role), fill_color=mix(role, 0.4), fill_opacity=1)
    return VGroup(box.set_z_index(3), number(role, 64, weight="semibold").set_z_index(4))


def _lanes(act: Act, made: dict[str, VGroup], rest: list) -> None:
    # Three lanes to attention: two gates stand on those of q and k.
    lanes = [Line(_at(0, y), _at(DOOR + 30, y), stroke_width=9, color=paint(role))
             for role, y in LANES.items()]
    chips = {role: _chip(role, 210 if role == "q" else 120) for role in LANES}
    for role, chip in chips.items():
        chip.move_to(_at(40, LANES[role]), LEFT)
    gates = {key: _gate(act.label(f"stop_{key}"), x) for key, x in GATES.items()}
    door = _gate(act.label("attention"), DOOR + 230, 420, 600, 320)
    door[0].set_z_index(5)
    act.cue("lanes")
    act.move(map(FadeOut, rest), FadeOut(act.kept.road), (ReplacementTransform(
        made[role][0], chips[role][0]) for role in LANES), pace=EASY)
    act.move(lanes, (chip[1] for chip in chips.values()), gates.values(), door, pace=BRISK)
    act.cue("norm")
    act.move(*_go(chips, "qk", GATES["norm"]), _lit(gates["norm"]),
             act.kept.map.to("heads"), pace=SLOW)
    act.cue("rope")
    act.move(*_go(chips, "qk", GATES["rope"]), _lit(gates["norm"], False), _lit(gates["rope"]),
             act.kept.map.to("rope"), pace=SLOW)
    act.move((chips[role].animate.rotate(0.3) for role in "qk"), pace=EASY)
    act.cue("v")
    act.move(*_go(chips, "v", DOOR - 100), pace=36)
    act.cue("meet")
    act.move((FadeOut(chip, target_position=door) for chip in chips.values()),
             _lit(gates["rope"], False), _lit(door), act.kept.map.to("attention"), pace=30)
    act.keep(lanes=[*lanes, *gates.values()], door=door)


def _gate(name: str, x: float, width: float = 300, high: float = 400, y: float = 215) -> VGroup:
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
    # What the heads answer is together as wide as q; o_proj makes it as wide as the row.
    w, level = act.story.widths, ROOM.at(0, 90, DOWN)[1]
    wide, row = (_bar(n, role, NEAR / 2, high, heads).move_to((ROOM.center[0], y, 0))
                 for n, role, high, y, heads in (
                     (w.q, "e", TALL, _at(0, 110)[1], w.query_heads),
                     (w.hidden, "ra", 110, level, 1)))
    funnel = _funnel(wide, row)
    figures = [number(f"{n:,}", 64, weight="semibold").move_to(bar).set_z_index(2)
               for n, bar in ((w.q, wide), (w.hidden, row))]
    answers = Label(act.label("answers"), 60, "e", "semibold").next_to(wide, DOWN, buff=px(40))
    act.cue("equal")
    act.move(map(vanish, (*act.kept.lanes, act.kept.door[1])),
             ReplacementTransform(act.kept.door[0], wide.boxes[0]), pace=EASY)
    act.move(wide.cuts, answers, pace=BRISK)
    act.kept.road.become(axis(level))
    place = row.boxes[0].copy().set_fill(paint("ground")).set_stroke(paint("muted"))
    act.cue("place")
    act.move(act.kept.road, place, figures[0], FadeOut(wide.cuts), pace=EASY)
    name = number("o_proj", 60, weight="semibold").move_to(funnel).set_z_index(2)
    act.cue("back")
    act.move(vanish(answers), act.kept.map.to("o"), GrowFromEdge(funnel, UP), arrive(name),
             pace=EASY)
    act.move(GrowFromEdge(row.boxes[0], UP), pace=BRISK)
    act.move(figures[1], pace=QUICK)
