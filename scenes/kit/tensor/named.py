"""A tensor as one box: its name and its shape."""

from collections.abc import Sequence

from manim import LEFT, RIGHT, Rectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["NamedTensor"]


class NamedTensor(VGroup):
    """`name` on the left (one letter, such as Q, in the monospaced face), `shape` on the right."""

    def __init__(self, name: str, shape: Sequence[int], role: str = "muted", width: float = 560,
                 height: float = 84) -> None:
        box = Rectangle(width=px(width), height=px(height), stroke_width=2.5,
                        stroke_color=paint(role), fill_color=mix(role, 0.14), fill_opacity=1)
        label = number(name, 32, weight="semibold") if len(name) == 1 else Label(name)
        label.move_to(box.get_left() + RIGHT * px(28), LEFT)
        size = number(list(shape)).move_to(box.get_right() + LEFT * px(28), RIGHT)
        super().__init__(box, label.set_z_index(1), size.set_z_index(1))
