"""A thing crossed out: it is thrown away."""

from manim import DOWN, LEFT, RIGHT, UP, Line, Mobject, VGroup

from scenes.kit.base.theme import paint

__all__ = ["cross"]


def cross(target: Mobject, role: str = "stop", width: float = 6) -> VGroup:
    """Two lines from corner to corner of a mobject's box."""
    corners = ((UP + LEFT, DOWN + RIGHT), (DOWN + LEFT, UP + RIGHT))
    return VGroup(*(Line(target.get_corner(start), target.get_corner(end), stroke_width=width,
                         color=paint(role)) for start, end in corners))
