"""Amounts to scale: bars cut into named parts, and a block of equal cells."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from manim import LEFT, RIGHT, UP, Line, Rectangle, VGroup, VMobject
from manim.typing import Point3D

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Lattice", "Part", "ScaleBar"]


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
    def details(self) -> list[VMobject]:
        """What is too fine to move along: cuts and labels."""
        return [self.cuts, self.labels]

    @property
    def end(self) -> Point3D:
        """Middle of the right edge."""
        return self.boxes[-1].get_right()


class Lattice(VGroup):
    """`count` small cells in `columns` columns; `fill(n)` covers the first n, column by column."""

    def __init__(self, count: int, columns: int, pitch: float = 22) -> None:
        self.rows, self.pitch = -(-count // columns), px(pitch)
        width, height = columns * self.pitch, self.rows * self.pitch
        self.box = Rectangle(width=width, height=height, stroke_width=2,
                             stroke_color=paint("muted"), fill_color=paint("panel"), fill_opacity=1)
        self.lines = VMobject(stroke_width=1.5, stroke_color=mix("muted", 0.5)).set_z_index(1)
        for k in range(1, columns):
            self._line([k * self.pitch - width / 2, height / 2], [0, -height])
        for k in range(1, self.rows):
            self._line([-width / 2, height / 2 - k * self.pitch], [width, 0])
        super().__init__(self.box, self.lines)

    def _line(self, start: Sequence[float], way: Sequence[float]) -> None:
        corner = np.array([*start, 0.0])
        self.lines.start_new_path(corner)
        self.lines.add_line_to(corner + np.array([*way, 0.0]))

    def fill(self, count: int, role: str = "focus") -> Rectangle:
        """A rectangle over the first cells: part of a column, or whole columns."""
        columns, rows = max(1, count // self.rows), min(count, self.rows)
        over = Rectangle(width=columns * self.pitch, height=rows * self.pitch, stroke_width=0,
                         fill_color=mix(role, 0.75), fill_opacity=1)
        return over.move_to(self.box.get_corner(UP + LEFT), UP + LEFT)
