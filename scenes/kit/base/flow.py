"""Boxes and arrows: stages of a loop, states of a request."""

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    ArcBetweenPoints,
    Arrow,
    DoubleArrow,
    Mobject,
    RoundedRectangle,
    Triangle,
    VGroup,
)
from manim.typing import Point3DLike

from scenes.geometry import px
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import Label, Paragraph, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Node", "arc", "arrow", "span"]


class Node(VGroup):
    """A box with a heading and, under it, smaller lines. Sizes in px at 1080p.

    `foot`: a monospaced line at the bottom of the box; the rest then stands higher.
    """

    def __init__(self, heading: str, note: str = "", role: str = "muted", width: float = 320,
                 height: float = 140, mono: bool = False, size: float = 32,
                 foot: str = "") -> None:
        self.box = RoundedRectangle(
            corner_radius=px(12), width=px(width), height=px(height), stroke_width=2.5,
            stroke_color=paint(role), fill_color=mix(role, 0.10), fill_opacity=1)
        heading_ = number(heading, size, "ink", "semibold") if mono else Label(
            heading, size, weight="semibold")
        parts = VGroup(heading_)
        if note:
            parts.add(Paragraph(note, 28, "ink", width=width - 40, leading=1.35))
        parts.arrange(DOWN, buff=px(24)).move_to(self.box).set_z_index(1)
        self.heading = heading_
        super().__init__(self.box, parts)
        if foot:
            parts.shift(UP * px(32))
            self.add(number(foot, 28).move_to(self.box.get_bottom() + UP * px(42)).set_z_index(1))

    def light(self) -> Movement:
        """Animation: this stage is at work."""
        return self.box.animate.set_stroke(paint("focus"), 4).set_fill(paint("glow"))

    def calm(self, role: str = "muted") -> Movement:
        return self.box.animate.set_stroke(paint(role), 2.5).set_fill(mix(role, 0.10))


def arrow(start: Mobject | Point3DLike, end: Mobject | Point3DLike, role: str = "muted",
          buff: float = 12, width: float = 3) -> Arrow:
    """A straight arrow between two points, or between the facing edges of two mobjects."""
    if isinstance(start, Mobject) and isinstance(end, Mobject):
        gap = end.get_center() - start.get_center()
        side = np.sign(gap[0]) * RIGHT if abs(gap[0]) > abs(gap[1]) else np.sign(gap[1]) * UP
        start, end = start.get_edge_center(side), end.get_edge_center(-side)
    return Arrow(start, end, buff=px(buff), stroke_width=width, color=paint(role),
                 tip_length=px(20), max_tip_length_to_length_ratio=0.5,
                 max_stroke_width_to_length_ratio=99)


def arc(start: Point3DLike, end: Point3DLike, angle: float, role: str = "muted",
        width: float = 3) -> VGroup:
    """A curved arrow between two points; `angle` in radians, positive turns left."""
    path = ArcBetweenPoints(start, end, angle=angle, stroke_width=width, color=paint(role))
    tip = Triangle(stroke_width=0, fill_color=paint(role), fill_opacity=1).scale(px(12))
    before = path.point_from_proportion(0.97)
    direction = path.get_end() - before
    tip.rotate(np.arctan2(direction[1], direction[0]) - np.pi / 2).move_to(path.get_end())
    return VGroup(path, tip)


def span(start: Mobject | Point3DLike, end: Mobject | Point3DLike, role: str = "focus",
         width: float = 4) -> DoubleArrow:
    """An arrow with two heads: how far it is from one point to another."""
    return DoubleArrow(start, end, buff=0, stroke_width=width, color=paint(role),
                       tip_length=px(20))
