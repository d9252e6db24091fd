"""One layer: a row on its road, and the two side streets whose results are added to it."""

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, Create, FadeIn, FadeOut, LaggedStart
from manim import Line, ReplacementTransform, VGroup, VMobject

from scenes.act02_layer.thread import layer_row, row_of
from scenes.kit import STAGE, Detour, Grid, Label, Road, number, paint, px
from scenes.kit import replace
from scenes.kit.base.motion import Along
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["the_residual"]

HIGH, DROP, SUM = 165, 350, 1500  # px: the road below the stage's edge, a street, its end
TURN = 490  # px: where a street leaves the road
FIRST, SECOND = 732, 1222  # px: the middles of a street's two stations
INSIDE = 0.86  # of its size is a long row while it stands in a station
OTHERS = 3  # rows of other tokens that are drawn in attention


@beat(anchors="models/qwen3.py:157", carries="row", least={2: 46, 3: 42, 4: 51, 6: 41})
def the_residual(act: Act) -> None:
    # One of many layers opens; the row shrinks into four of its numbers on the road.
    first = _street(act, "attention")
    x = row_of(act.story.growth[0]).move_to(first.at(10), LEFT).set_z_index(5)
    _open(act, first, x)
    # A copy goes into the norm, and comes out with another size.
    copy = x.copy().set_z_index(6)
    act.cue("copy")
    act.move(Along(copy, _path(x.get_center(), first.at(TURN), first.at(TURN, True))), pace=24)
    norm, work = first.stops[0]
    act.move(copy.animate.move_to(norm[0]), _lit(norm, True), pace=BRISK)
    one = row_of(act.story.growth[0] / act.story.sizes_of_rows[0], beside=[act.story.growth[0]])
    one.move_to(copy).set_z_index(6)
    act.cue("norm")
    act.move(_turned(copy, one), pace=EASY)
    act.cue("attention")
    act.move(one.animate.move_to(work[0]), _lit(norm, False), _lit(work, True), pace=EASY)
    whole = _add(act, first, x, 0, "add", _meet(act, work, one))
    _mlp(act, first, whole)


def _street(act: Act, work: str) -> Road:
    """The road with one side street: a norm, then `work`; the names stand above the stations."""
    road = Road([Detour(TURN, SUM, [(act.label("stop_norm"), FIRST, 468),
                                    (act.label(work), SECOND, 468)])], STAGE, HIGH, DROP)
    for box, name in road.stops[0]:
        name.next_to(box, UP, buff=px(22))
    return road


def _meet(act: Act, work: VGroup, row: Grid) -> Grid:
    """Rows of other tokens stand below attention; threads join them with ours: its result."""
    others = VGroup(*(Grid([[""] * 4], "ra", (44, 48), share=0.2) for _ in range(OTHERS)))
    others.arrange(RIGHT, buff=px(36)).next_to(work[0], DOWN, buff=px(56))
    threads = VGroup(*(Line(other.get_top(), row.get_bottom(), stroke_width=4, color=paint("e"))
                       for other in others)).set_z_index(5)
    name = Label(act.label("others"), 40, "muted").next_to(others, LEFT, buff=px(40))
    act.cue("others")
    act.move(FadeIn(others, shift=UP * px(40)), name, pace=BRISK)
    act.move(LaggedStart(*map(Create, threads), lag_ratio=0.3), pace=EASY)
    story = act.story
    result = row_of(story.added[0], "e", beside=story.growth[:2]).move_to(row).set_z_index(6)
    act.cue("result")
    act.move(_turned(row, result), FadeOut(threads, target_position=row), pace=EASY)
    act.move(map(FadeOut, (others, name)), pace=QUICK)
    return result


def _turned(old: Grid, new: Grid) -> list:
    """Animations: a row's numbers become others in their place."""
    return [[*map(ReplacementTransform, old.boxes, new.boxes)],
            [*map(replace, old.labels, new.labels)]]


class _Rise(Along):
    """Along a path, growing from what had room inside a station to full size."""

    def __init__(self, row: Grid, path: VMobject, growth: float) -> None:
        self._growth = growth
        super().__init__(row, path)

    def interpolate_mobject(self, alpha: float) -> None:
        super().interpolate_mobject(alpha)
        self.mobject.scale(1 + (self._growth - 1) * self.rate_func(alpha))


def _path(*points: object) -> VMobject:
    return VMobject().set_points_as_corners(list(points))


def _lit(box: VGroup, on: bool) -> object:
    """Animation: a station is at work, or calm again."""
    return box[0].animate.set_stroke(paint("focus" if on else "muted"), 6 if on else 3)


def _open(act: Act, road: Road, x: Grid) -> None:
    """One layer of the row of layers grows until it is the stage."""
    row, (layers, door) = act.kept.row, layer_row(act)
    act.move(LaggedStart(*map(FadeIn, layers), lag_ratio=0.04), pace=12)
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


def _add(act: Act, road: Road, x: Grid, k: int, cue: str, result: Grid) -> Grid:
    """What sub-layer k made rises from the street below row x, and is added to it; the sum."""
    story, work, role = act.story, road.stops[0][-1], "ed"[k]
    whole = row_of(story.growth[k + 1], beside=(story.growth[k], story.added[k]))
    whole.move_to(road.at(SUM)).set_z_index(5)
    below = road.at(SUM) + DOWN * px(116)
    sign = number(f"+ {'am'[k]}", 60, role, "semibold")
    sign.next_to(below + LEFT * whole.width / 2, LEFT, buff=px(30))
    act.move(_Rise(result, _path(work[0].get_center(), road.at(SUM, True), below),
                   whole.width / result.width),
             (old.animate.move_to(new) for old, new in zip(x.labels, whole)),
             (old.animate.become(new) for old, new in zip(x.boxes, whole.boxes)),
             _lit(work, False), FadeOut(road.sums[0][1]),
             map(FadeOut, act.kept.names[1:]), pace=24)
    act.move(sign, pace=QUICK)
    act.keep(names=act.kept.names[:1])
    act.cue(cue)
    act.move(LaggedStart(*(FadeOut(cell, shift=place.get_center() - cell.get_center())
                           for cell, place in zip(result, whole)), lag_ratio=0.2), FadeOut(sign),
             LaggedStart(*(AnimationGroup(*replace(old, new)) for old, new in zip(
                 x.labels, whole.labels)), lag_ratio=0.2), pace=27)
    act.remove(*x.get_family(), *result.get_family())
    act.add(whole)
    return whole


def _mlp(act: Act, first: Road, row: Grid) -> None:
    """The next street: normalised again, the row alone goes through the MLP, and is added to."""
    story, second, away = act.story, _street(act, "mlp"), LEFT * px(SUM - 230)
    street = second.detour(0)
    gone = first.ways[0], first.stops[0], first.sums[0], act.kept.names[0]
    act.cue("pan")
    act.move((FadeOut(part, shift=away) for part in gone), row.animate.move_to(
        second.at(10 + row.width / px(2))), FadeIn(street, shift=away), pace=24)
    copy = row.copy().set_z_index(6)
    norm, work = second.stops[0]
    act.move(Along(copy, _path(row.get_center(), second.at(TURN), second.at(TURN, True),
                               norm[0].get_center())), pace=20)
    tamed = row_of(story.norm.output).move_to(copy).set_z_index(6)
    act.move(_turned(copy, tamed), pace=BRISK)
    act.cue("mlp")
    act.move(tamed.animate.move_to(work[0]), _lit(work, True), pace=EASY)
    result = row_of(story.added[1], "d", beside=story.growth[1:]).scale(INSIDE)
    result.move_to(work[0]).set_z_index(6)
    act.cue("gives")
    act.move(_turned(tamed, result), pace=BRISK)
    whole = _add(act, second, row, 1, "sum", result)
    act.keep(road=first.line, whole=whole, scene=all_but(act, first.line, whole))
