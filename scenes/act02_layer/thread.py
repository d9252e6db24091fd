"""The layer's residual stream, which every beat carries; each looks into one of its boxes."""

from manim import DOWN, UP, Animation, Rectangle, RoundedRectangle, VGroup

from scenes.kit import STAGE, Box, Stream, arrow, mix, number, paint, px
from scenes.stage import QUICK, Act

__all__ = ["CHIPS", "chip", "detailed", "look", "plain"]

CHIPS = {"x": "ra", "a": "e", "m": "d", "y": "ra"}  # a row's name -> its role
_BOXES = (("norm1", 120, "muted"), ("qkv", 165, "muted"), ("qk_norm", 165, "muted"),
          ("rope", 110, "muted"), ("attend", 170, "muted"), ("o", 130, "muted"),
          ("norm2", 120, "muted"), ("gate_up", 230, "muted"), ("swiglu", 140, "muted"),
          ("down", 185, "muted"))
_ENDS = ("o", "attention", "down", "mlp")


def _boxes(act: Act, boxes: tuple) -> list[Box]:
    return [Box(key, act.label(key if key in ("attention", "mlp") else f"box_{key}"), width, role,
                key.startswith("norm"), key in _ENDS) for key, width, role in boxes]


def plain(act: Act) -> Stream:
    """Two norms and two sub-layers, as large as the stage."""
    stream = Stream(_boxes(act, (("norm1", 200, "muted"), ("attention", 440, "e"),
                                 ("norm2", 200, "muted"), ("mlp", 440, "d"))),
                    STAGE.inset(top=100, right=250), 480, 210)
    # The line goes on behind the last sum; the rows pass through the boxes above their names.
    start = stream.line.get_start()
    stream.line.become(arrow(start, [STAGE.right, start[1], 0], "ink", 0, 6))
    for box in stream.boxes.values():
        box[1].align_to(box, DOWN).shift(UP * px(22))
    return stream


def detailed(act: Act) -> Stream:
    """All boxes, in a strip at the top of the stage."""
    return Stream(_boxes(act, _BOXES))


def look(act: Act, *keys: str, beside: Animation | VGroup | None = None) -> Stream:
    """Move the lens of the carried stream under these boxes; the stream."""
    stream: Stream = act.kept.stream
    act.move(stream.look(*keys), beside, pace=QUICK)
    return stream


def chip(name: str) -> VGroup:
    """A row on its way: an opaque tile with its name; a sum is one tile, of as many bands."""
    roles = [CHIPS[part] for part in name.split("+")]
    box = RoundedRectangle(corner_radius=px(12), width=px(112), height=px(68), stroke_width=3,
                           stroke_color=paint(roles[0]), fill_color=mix(roles[0], 0.3),
                           fill_opacity=1).set_z_index(3)
    foot, high = box.get_bottom(), px(62 / len(roles))
    bands = VGroup(*(Rectangle(width=px(108), height=high, stroke_width=0, fill_opacity=1,
                               fill_color=mix(role, 0.45)).set_z_index(3)
                     .move_to(foot + UP * (px(3) + high / 2 + k * high))
                     for k, role in enumerate(reversed(roles)) if len(roles) > 1))
    label = number(name, {1: 36, 3: 30}.get(len(name), 26), weight="semibold").set_z_index(4)
    return VGroup(box, label.move_to(box), bands)
