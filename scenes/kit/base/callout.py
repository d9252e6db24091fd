"""A claim and what it means, beside a bar in the colour of what they are about."""

from manim import DOWN, LEFT, RIGHT, Rectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import BODY, Label
from scenes.kit.base.theme import paint

__all__ = ["Callout"]


class Callout(VGroup):
    """Two lines of text, the upper one in its role's colour. Parts: `bar`, `heading`, `text`."""

    def __init__(self, heading: str, text: str, role: str) -> None:
        self.bar = Rectangle(width=px(8), height=px(120), stroke_width=0, fill_color=paint(role),
                             fill_opacity=1)
        self.heading, self.text = Label(heading, 38, role, "semibold"), Label(text, BODY)
        lines = VGroup(self.heading, self.text).arrange(DOWN, buff=px(30), aligned_edge=LEFT)
        super().__init__(self.bar, lines.next_to(self.bar, RIGHT, buff=px(24)))
