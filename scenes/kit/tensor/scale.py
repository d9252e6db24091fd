"""Amounts to scale: bars cut into named parts, and a block of equal cells."""

from collections.abc import Sequence
from typing import NamedTuple

from manim import LEFT, RIGHT, UP, Line, Rectangle, VGroup
from manim.typing import Point3D

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Part", "ScaleBar"]


class Part(NamedTuple):
    """`amount` in the bar's own unit, cut by thin lines into `pieces` equal ones."""

    amount: float
    role: str = "ink"
    text: str = ""
    pieces: int = 1


class ScaleBar(VGroup):
    """Parts side by side; `unit` is the px at 1080p that one unit of an amount is wide.

    Parts: `boxes`, `cuts`, `labels`. A text too wide for its part is left out.
    """

    def __init__(self, parts: Sequence[Part], unit: float, height: float = 64,
                 size: float = 28) -> None:
        self.boxes, self.cuts, self.labels = VGroup(), VGroup(), VGroup()
        for part in parts:
            shape = Rectangle(width=px(part.amount * unit), height=px(height), stroke_width=2.5,
                              stroke_color=paint(part.role if part.role != "ink" else "muted"),
                              fill_color=mix(part.role, 0.22), fill_opacity=1)
            self.boxes.add(shape)
        self.boxes.arrange(RIGHT, buff=0)
        for part, box in zip(parts, self.boxes):
            step = box.width / part.pieces
            for k in range(1, part.pieces):
                cut = Line(box.get_corner(UP + LEFT), box.get_corner(-UP + LEFT), stroke_width=1.5,
                           color=mix(part.role, 0.55))
                self.cuts.add(cut.shift(RIGHT * step * k))
            label = number(part.text, size) if part.text else VGroup()
            if part.text and label.width < box.width - px(12):
                self.labels.add(label.move_to(box).set_z_index(1))
        super().__init__(self.boxes, self.cuts, self.labels)

    @property
    def end(self) -> Point3D:
        """Middle of the right edge."""
        return self.boxes[-1].get_right()
