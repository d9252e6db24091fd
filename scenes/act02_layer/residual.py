"""One layer: a row on its road, and the two side streets whose results are added to it."""

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, Create, FadeIn, FadeOut, LaggedStart
from manim import ReplacementTransform, RoundedRectangle, VGroup, VMobject

from scenes.act02_layer.thread import layer_row, row_of
from scenes.kit import STAGE, Detour, Grid, Label, Road, arrow, cross, mix, number, paint, px
from scenes.kit import replace
from scenes.kit.base.motion import Along
from scenes.stage import EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["the_residual"]

HIGH, DROP, SUM = 160, 420, 1480  # px: the road below the stage's edge, a street, its end
JOINT = 230  # px: where the first sum stands when the camera has gone on


@beat(anchors=("models/qwen3.py:157", "layers/layernorm.py:28"), carries="row",
      least={3: 46, 5: 55})
def the_residual(act: Act) -> None:
    # One of many layers opens; the row shrinks into four of its numbers on the road.
    first = Road([Detour(460, SUM, [(act.label("stop_norm"), 720, 400),
                                    (act.label("attention"), 1180, 420)])], STAGE, HIGH, DROP)
    x = row_of(act.story.growth[0]).move_to(first.at(30), LEFT).set_z_index(5)
    _open(act, first, x)
    # A copy goes through norm and attention; its result comes up below x, and is added.
    copy = x.copy().set_z_index(2)
    act.cue("copy")
    act.move(Along(copy, _path(x.get_center(), first.at(460), first.at(460, True))), pace=27)
    act.cue("norm")
    boxes, norm = copy.boxes.set_z_index(2), first.stops[0][0]
    act.move(_lit(norm, True), boxes.animate.move_to(norm), (FadeOut(
        label, shift=norm.get_center() - copy.get_center()) for label in copy.labels), pace=EASY)
    copy = boxes
    act.cue("attention")
    act.move(copy.animate.move_to(first.stops[0][1]), _lit(first.stops[0][0], False), pace=EASY)
    act.move(_lit(first.stops[0][1], True), pace=QUICK)
    act.remove(*copy.get_family())
    whole = _add(act, first, x, 0, "add")
    second = _fuse(act, first, whole)
    _mlp(act, second, whole)
    act.keep(road=first.line, scene=all_but(act, first.line))


def _path(*points: object) -> VMobject:
    return VMobject().set_points_as_corners(list(points))


def _lit(box: VGroup, on: bool) -> object:
    """Animation: a station is at work, or calm again."""
    return box[0].animate.set_stroke(paint("focus" if on else "muted"), 6 if on else 3)


def _open(act: Act, road: Road, x: Grid) -> None:
    """One layer of the row of layers grows until it is the stage."""
    row, (layers, door) = act.kept.row, layer_row(act)
    act.move(LaggedStart(*map(FadeIn, layers), lag_ratio=0.04), row.animate.set_opacity(0.2),
             pace=12)
    act.cue("open")
    act.move(layers[0].animate.set_stroke(paint("focus"), 5), pace=QUICK)
    act.move(layers[0].animate.become(door),
             (FadeOut(layer, shift=RIGHT * px(500)) for layer in layers[1:]),
             ReplacementTransform(row, x.boxes), Create(road.line), pace=27)
    act.remove(layers[0], *x.get_family())
    act.add(x)
    act.cue("row")
    name = Label(act.label("stream"), 44, "muted").move_to(road.at(1000)).shift(UP * px(70))
    letter = number("x", 60, "ra", "semibold").next_to(x, UP, buff=px(30))
    act.move(LaggedStart(*map(FadeIn, x.labels), lag_ratio=0.2), name, letter, road.detour(0),
             pace=SLOW)
    act.keep(names=[name, letter])


def _add(act: Act, road: Road, x: Grid, k: int, cue: str) -> Grid:
    """What sub-layer k makes rises from the street below row x, and is added to it; the sum."""
    story, work, role = act.story, road.stops[0][-1], "ed"[k]
    result = row_of(story.added[k], role).move_to(work).set_z_index(2)
    whole = row_of(story.growth[k + 1]).move_to(road.at(SUM)).set_z_index(5)
    below = road.at(SUM) + DOWN * px(116)
    sign = number(f"+ {'am'[k]}", 60, role, "semibold")
    sign.next_to(below + LEFT * whole.width / 2, LEFT, buff=px(30))
    if k == 0:
        act.cue("result")
    act.move(Along(result, _path(work.get_center(), road.at(SUM, True), below)),
             (old.animate.move_to(new) for old, new in zip(x.labels, whole)),
             (old.animate.become(new) for old, new in zip(x.boxes, whole.boxes)),
             _lit(work, False), FadeIn(sign), FadeOut(road.sums[0][1]),
             map(FadeOut, act.kept.names[1:]), pace=24)
    act.keep(names=act.kept.names[:1])
    act.cue(cue)
    act.move(LaggedStart(*(FadeOut(cell, shift=place.get_center() - cell.get_center())
                           for cell, place in zip(result, whole)), lag_ratio=0.2), FadeOut(sign),
             LaggedStart(*(AnimationGroup(*replace(old, new)) for old, new in zip(
                 x.labels, whole.labels)), lag_ratio=0.2), pace=27)
    act.remove(*x.get_family(), *result.get_family())
    act.add(whole)
    return whole


def _fuse(act: Act, first: Road, row: Grid) -> Road:
    """The camera goes on to the MLP; the sum and the norm behind it are one kernel."""
    second = Road([Detour(460, SUM, [(act.label("stop_norm"), 720, 400),
                                     (act.label("mlp"), 1192, 540)])], STAGE, HIGH, DROP)
    away, joint = LEFT * px(SUM - JOINT), first.sums[0]
    street = VGroup(second.ways[0], second.stops[0], second.sums[0])
    act.cue("pan")
    gone = first.ways[0], first.stops[0], act.kept.names[0]
    act.move((FadeOut(part, shift=away) for part in gone), joint[0].animate.shift(away),
             FadeIn(joint[1].shift(away), shift=away),
             row.animate.move_to(second.at(690)), FadeIn(street, shift=away), pace=27)
    # The norm and the branch come under the sum.
    norm = second.stops[0][0]
    way = _path(second.at(JOINT), second.at(JOINT, True), second.at(SUM, True), second.at(SUM))
    trip = _trip(act, second)
    act.move(trip, pace=QUICK)
    act.cue("fuse")
    struck = cross(trip[0], width=9)
    act.move(Create(struck), pace=QUICK)
    act.move(FadeOut(trip), FadeOut(struck), norm.animate.move_to(second.at(JOINT, True)),
             second.ways[0].animate.become(second.ways[0].copy().set_points(way.points)),
             pace=EASY)
    capsule = RoundedRectangle(corner_radius=px(28), width=px(440), height=px(DROP + 190),
                               stroke_width=5, stroke_color=paint("focus"),
                               fill_color=mix("focus", 0.08), fill_opacity=1).set_z_index(-1)
    capsule.move_to((second.at(JOINT) + second.at(JOINT, True)) / 2).shift(DOWN * px(22))
    name = Label(act.label("kernel"), 44, "focus", "semibold").next_to(capsule, RIGHT, buff=px(30))
    act.move(Create(capsule), pace=SLOW)
    act.cue("saves")
    act.move(FadeIn(name, shift=RIGHT * px(20)), pace=EASY)
    act.keep(capsule=VGroup(capsule, name))
    return second


def _trip(act: Act, road: Road) -> VGroup:
    """The way of the sum that falls away: to memory, and back to the norm."""
    joint, corner = road.at(JOINT), road.at(440, True)
    memory = Label(act.label("memory"), 48, "muted", "semibold").move_to(joint + DOWN * px(210))
    return VGroup(memory, arrow(joint + DOWN * px(30), memory.get_top(), "muted", 14, 6),
                  arrow(memory.get_bottom(), corner, "muted", 20, 6))


def _mlp(act: Act, road: Road, row: Grid) -> None:
    """The normalised row goes through the MLP, whose result is added as well."""
    norm, work = road.stops[0]
    y = row.boxes.copy().move_to(norm).set_z_index(2)
    act.cue("mlp")
    act.add(y)
    act.move(FadeOut(act.kept.capsule), y.animate.move_to(work), pace=SLOW)
    act.move(_lit(work, True), pace=QUICK)
    act.remove(*y.get_family())
    _add(act, road, row, 1, "sum")
