"""The two sub-layers on the residual stream: each adds its result to the row."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, ReplacementTransform, VGroup, VMobject

from scenes.act02_layer.thread import chip, plain
from scenes.kit import Label, Stream, paint, px
from scenes.kit.base.motion import Along
from scenes.stage import BRISK, EASY, QUICK, Act, beat

__all__ = ["the_residual"]


@beat(anchors="models/qwen3.py:156", carries="row", least={3: 62})
def the_residual(act: Act) -> None:
    # One row of the batch becomes x, on the stream.
    row, stream = act.kept.row, plain(act)
    x = chip("x").next_to(stream.line.get_start(), RIGHT, buff=px(4))
    act.cue("row")
    act.move(ReplacementTransform(row, x[0]), pace=30)
    act.move(FadeIn(x[1]), stream, pace=BRISK)
    name = Label(act.label("stream"), 40, "muted").next_to(
        stream.line, UP, buff=px(60)).set_x(stream.at("attention")[0])
    act.move(name, pace=QUICK)
    # A copy goes through norm and attention, and comes back as a; then the MLP gives m.
    whole = _sub_layer(act, stream, 0, x, ("copy", "norm", "attention", "add"), "a")
    whole = _sub_layer(act, stream, 1, whole, ("again", "", "mlp", "sum"), "m")
    act.keep(big=stream)


def _way(*points: object) -> VMobject:
    """A path through these points."""
    return VMobject().set_points_as_corners(list(points))


def _sub_layer(act: Act, stream: Stream, k: int, x: VGroup, cues: tuple[str, str, str, str],
               name: str) -> VGroup:
    """A copy of x dips through sub-layer k, whose result joins it at the sum; both."""
    norm, work = (stream.boxes[key] for key in (f"norm{k + 1}", ("attention", "mlp")[k]))
    path, plus = stream.dips[k], stream.sums[k]
    turn, low = path.get_anchors()[0], path.get_bottom()[1]
    copy = x.copy()
    for part in copy.family_members_with_points():  # above the row that it leaves
        part.set_z_index(part.z_index + 2)
    door = work.get_left() + RIGHT * (copy.width / 2 + px(20))
    act.cue(cues[0])
    act.move(Along(copy, _way(x.get_center(), turn, [turn[0], low, 0], norm.get_left())), pace=18)
    if cues[1]:
        act.cue(cues[1])
    act.move(Along(copy, _way(norm.get_left(), door)), _lit(norm, True), pace=24)
    act.cue(cues[2])
    result = chip(name).move_to(work.get_right() + LEFT * px(70))
    act.move(_lit(norm, False), _lit(work, True), ReplacementTransform(copy, result),
             x.animate.next_to(plus, LEFT, buff=px(12)), pace=EASY)
    act.cue(cues[3])
    corner = [path.get_right()[0], low, 0]
    act.move(Along(result, _way(result.get_center(), corner, plus.get_bottom() + DOWN * px(50))),
             _lit(work, False), pace=24)
    goal = VGroup(x.copy(), result.copy()).arrange(RIGHT, buff=px(6))
    goal.next_to(plus, RIGHT, buff=px(12))
    act.move(x.animate.move_to(goal[0]), result.animate.move_to(goal[1]), pace=BRISK)
    return VGroup(x, result)


def _lit(box: VGroup, on: bool) -> object:
    """Animation: a box is at work, or calm again."""
    return box[0].animate.set_stroke(paint("focus" if on else box.role), 4 if on else 2.5)
