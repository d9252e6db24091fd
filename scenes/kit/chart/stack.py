"""Parts of a whole, end to end."""

from collections.abc import Sequence

from manim import RIGHT, Rectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.theme import paint

__all__ = ["Stack"]


class Stack(VGroup):
    """Shares of 1 laid end to end, `length` px in all; each is seen, be it as narrow as 1 px."""

    def __init__(self, shares: Sequence[float], roles: Sequence[str], length: float,
                 height: float = 40) -> None:
        super().__init__(*(
            Rectangle(width=px(max(length * float(share), 1)), height=px(height), stroke_width=1,
                      stroke_color=paint("ground"), fill_color=paint(role), fill_opacity=1)
            for share, role in zip(shares, roles)))
        self.arrange(RIGHT, buff=0)
