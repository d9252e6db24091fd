"""The two sub-layers on the residual stream: each adds its result to the row."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, ReplacementTransform, VGroup, VMobject

from scenes.act02_layer.thread import chip, plain
from scenes.kit import Label, Stream, paint, px, replace
from scenes.kit.base.motion import Along
from scenes.stage import BRISK, QUICK, Act, beat

__all__ = ["the_residual"]


@beat(anchors="models/qwen3.py:157", carries="row", least={3: 62})
def the_residual(act: Act) -> None:
    # One row of the batch becomes x, on the stream.
    row, stream = act.kept.row, plain(act)
    x = chip("x").next_to(stream.line.get_start(), RIGHT, buff=px(4))
    act.cue("row")
    act.move(ReplacementTransform(row, x[0]), pace=20)
    act.move(stream, FadeIn(x[1]), pace=BRISK)
    name = Label(act.label("stream"), 40, "muted").next_to(
        stream.line, UP, buff=px(60)).set_x(stream.at("attention")[0])
    act.move(name, pace=QUICK)
    # A copy goes through norm and attention, and comes back as a; then the MLP gives m.
    x = _sub_layer(act, stream, 0, x, ("copy", "norm", "attention", "add"), "x", "a")
    _sub_layer(act, stream, 1, x, ("again", "", "mlp", "sum"), "x+a", "m")
    act.keep(big=stream)


def _way(*points: object) -> VMobject:
    """A path through these points."""
    return VMobject().set_points_as_corners(list(points))


def _sub_layer(act: Act, stream: Stream, k: int, x: VGroup, cues: tuple[str, str, str, str],
               name: str, result_name: str) -> VGroup:
    """A copy of row x dips through sub-layer k, whose result joins it at the sum; the sum."""
    norm, work = (stream.boxes[key] for key in (f"norm{k + 1}", ("attention", "mlp")[k]))
    path, plus = stream.dips[k], stream.sums[k]
    turn, low = path.get_anchors()[0], path.get_bottom()[1]
    copy = x.copy()
    for part in copy.family_members_with_points():  # above the row that it leaves
        part.set_z_index(part.z_index + 2)
    y = chip("y").move_to(norm)
    act.cue(cues[0])
    act.move(Along(copy, _way(x.get_center(), turn, [turn[0], low, 0], norm.get_center())),
             pace=21)
    if cues[1]:
        act.cue(cues[1])
    act.move(_lit(norm, True), replace(copy, y), pace=BRISK)
    # The norm's y goes in at the door; where it comes out, it is the result.
    act.cue(cues[2])
    result = chip(result_name).scale(0.8).move_to(work.get_right() + LEFT * px(80))
    act.move(_lit(norm, False), _lit(work, True),
             y.animate.move_to(work.get_left() + RIGHT * px(80)),
             x.animate.next_to(plus, LEFT, buff=px(12)), pace=BRISK)
    act.move(FadeOut(y, target_position=work), FadeIn(result, target_position=work), pace=BRISK)
    act.cue(cues[3])
    corner = [path.get_right()[0], low, 0]
    act.move(Along(result, _way(result.get_center(), corner, plus.get_bottom() + DOWN * px(50))),
             _lit(work, False), pace=24)
    # The sum is one row again, as wide as x.
    whole = chip(f"{name}+{result_name}").next_to(plus, RIGHT, buff=px(12))
    act.move(FadeOut(x, target_position=plus), FadeOut(result, target_position=plus),
             FadeIn(whole, target_position=plus), plus[0].animate.set_stroke(paint("focus")),
             pace=BRISK)
    act.move(plus[0].animate.set_stroke(paint("muted")), pace=QUICK)
    return whole


def _lit(box: VGroup, on: bool) -> object:
    """Animation: a box is at work, or calm again."""
    return box[0].animate.set_stroke(paint("focus" if on else box.role), 4 if on else 2.5)
