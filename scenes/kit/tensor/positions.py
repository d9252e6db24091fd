"""A vector for each position of a text."""

from collections.abc import Sequence

from manim import LEFT, Rectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Positions"]


class Positions(VGroup):
    """Rows `pitch` px apart: a token's text, and right of it its vector as a bar.

    Each row is (name, bar); `bars` are all bars. The origin is the left end of the first bar.
    """

    def __init__(self, texts: Sequence[str], pitch: float = 46, role: str = "q",
                 width: float = 330) -> None:
        self.bars = VGroup()
        super().__init__()
        for k, text in enumerate(texts):
            bar = Rectangle(width=px(width), height=px(pitch * 0.72), stroke_width=2,
                            stroke_color=paint(role), fill_color=mix(role, 0.3), fill_opacity=1)
            self.bars.add(bar.move_to((0, -px(pitch * k), 0), LEFT))
            self.add(VGroup(number(text, 28).next_to(bar, LEFT, buff=px(20)), bar))
