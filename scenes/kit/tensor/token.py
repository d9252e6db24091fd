"""A token as a word in a rounded box, unlike the cells of a matrix."""

from manim import RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import Label
from scenes.kit.base.theme import paint

__all__ = ["token"]

_WIDE, _LEAST = 1.36, 28  # width over height; px of the least em


def token(name: object, size: float = 130, role: str = "ink", em: float = 0.44) -> VGroup:
    """`size` px high and a third wider, its edge in `role`. Parts: box, label.

    `em`: the word's em height as a share of the box' height.
    """
    box = RoundedRectangle(corner_radius=px(0.2 * size), width=px(_WIDE * size), height=px(size),
                           stroke_width=4, stroke_color=paint(role), fill_opacity=1,
                           fill_color=paint("panel"))
    label = Label(name, max(_LEAST, em * size), weight="semibold")
    return VGroup(box, label.move_to(box).set_z_index(1))
