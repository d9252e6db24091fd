"""A token, by its id: a rounded box, unlike the cells of a matrix."""

from manim import RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import paint

__all__ = ["token"]


def token(name: object, size: float = 130, role: str = "ink") -> VGroup:
    """`size` px wide and high, its edge in `role`. Parts: box, label."""
    box = RoundedRectangle(corner_radius=px(0.2 * size), width=px(size), height=px(size),
                           stroke_width=4, stroke_color=paint(role), fill_opacity=1,
                           fill_color=paint("panel"))
    return VGroup(box, number(name, 0.46 * size, "ink", "semibold").set_z_index(1))
