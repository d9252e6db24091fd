"""Bars from one line: a value each, with a name at the foot and a figure at the end."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, ORIGIN, RIGHT, FadeOut, Line, Rectangle, VGroup, VMobject
from manim.typing import Point3DLike, Vector3D

from scenes.geometry import px
from scenes.kit.base.motion import Movement, come, leave
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Bars"]

_LEAST = 2  # px: a bar of value 0 is still seen as a line


class Bars(VGroup):
    """`values` (>= 0) side by side; `texts`: what is written at their ends, "" for nothing.

    `direction` is RIGHT (rows, from above) or UP (columns, from the left). `full` is the value of
    a bar `length` px long, the largest one by default. `roles`: one for all, or one each.
    Parts: `axis`, `names`, `bars`, `figures`; `at(k)` is the foot of bar k.
    """

    def __init__(self, names: Sequence[str], values: Sequence[float], texts: Sequence[str] = (),
                 roles: str | Sequence[str] = "q", direction: Vector3D = RIGHT,
                 length: float = 800, thickness: float = 40, pitch: float = 60,
                 full: float | None = None, size: float = 28, mono: bool = True) -> None:
        self.direction, self.thickness, self.pitch, self.size = direction, thickness, pitch, size
        self.length, self.full = length, full or max(values) or 1
        count = len(values)
        self.roles = [roles] * count if isinstance(roles, str) else list(roles)
        along = np.array([0, -1, 0]) if self._rows else RIGHT
        half = px(thickness / 2 + 8)
        self.axis = Line(-along * half, along * (px(pitch * (count - 1)) + half),
                         stroke_width=2, color=mix("muted", 0.6))
        self.bars = VGroup(*(self._bar(k, value) for k, value in enumerate(values)))
        write = number if mono else Label
        self.names = VGroup(*(self._foot(k, write(name, size)) for k, name in enumerate(names)))
        self.figures = VGroup(*(self._end(k, text) for k, text in enumerate(texts)))
        super().__init__(self.axis, self.bars, self.names, self.figures)

    @property
    def _rows(self) -> bool:
        return bool(self.direction[0] > 0)

    def at(self, k: int) -> np.ndarray:
        """The foot of bar k, wherever the chart stands."""
        start, end = self.axis.get_start(), self.axis.get_end()
        way = (end - start) / np.linalg.norm(end - start)
        return start + way * px(self.thickness / 2 + 8 + self.pitch * k)

    def stand(self, foot: Point3DLike) -> "Bars":
        """Put the foot of the first bar on a point of the picture."""
        return self.shift(np.asarray(foot) - self.at(0))

    def _extent(self, value: float) -> float:
        return px(max(_LEAST, self.length * min(value / self.full, 1)))

    def _bar(self, k: int, value: float) -> Rectangle:
        size = (self._extent(value), px(self.thickness))
        width, height = size if self._rows else size[::-1]
        bar = Rectangle(width=width, height=height, stroke_width=0, fill_opacity=1,
                        fill_color=paint(self.roles[k]))
        return bar.move_to(self.at(k), -self.direction)

    def _foot(self, k: int, label: Label) -> Label:
        return label.next_to(self.at(k), -self.direction, buff=px(20))

    def _end(self, k: int, text: str) -> VMobject:
        if not text:
            return VGroup()
        label = number(text, self.size, "ink").set_z_index(1)
        return label.next_to(self.bars[k].get_edge_center(self.direction), self.direction,
                             buff=px(14))

    def to(self, values: Sequence[float], texts: Sequence[str] = ()) -> list[Movement]:
        """Animations to other values: bars grow or shrink, figures go along with their ends."""
        moves, figures = list[Movement](), list(self.figures)
        for k, value in enumerate(values):
            bar, extent = self.bars[k], self._extent(value)
            axis = 0 if self._rows else 1
            shift = self.direction * (extent - bar.length_over_dim(axis))
            moves.append(bar.animate.rescale_to_fit(extent, axis, stretch=True,
                                                    about_edge=-self.direction))
            old = figures[k] if k < len(figures) else VGroup()
            new = self._end(k, texts[k]) if k < len(texts) else VGroup()
            if old.has_points():
                moves.append(leave(old, shift))
            if new.has_points():
                moves.append(come(new.shift(shift), shift))
            self._swap(k, new)
        return moves

    def bare(self) -> list[Movement]:
        """Animations: the figures go, before the bars change."""
        gone = [FadeOut(figure) for figure in self.figures if figure.has_points()]
        self.figures.submobjects = [VGroup() for _ in self.figures]
        return [*gone]

    def _swap(self, k: int, figure: VMobject) -> None:
        while len(self.figures) <= k:
            self.figures.add(VGroup())
        self.figures.submobjects[k] = figure

    def lead(self, longer: int, shorter: int) -> Line:
        """In rows: a line under the end of one bar, as long as it is ahead of another."""
        bar, other = self.bars[longer], self.bars[shorter]
        span = Line(ORIGIN, RIGHT * (bar.get_right()[0] - other.get_right()[0]), stroke_width=6,
                    color=paint("focus"))
        return span.next_to(bar, DOWN, buff=px(8)).align_to(bar, RIGHT)

    def row(self, k: int) -> VGroup:
        """Name, bar and figure of one value."""
        return VGroup(self.names[k], self.bars[k],
                      *([self.figures[k]] if k < len(self.figures) else []))

    def repaint(self, roles: Sequence[str]) -> list[Movement]:
        """Animations to other roles, one a bar; those that keep theirs stay still."""
        moves: list[Movement] = [
            bar.animate.set_fill(paint(new))
            for bar, old, new in zip(self.bars, self.roles, roles) if old != new]
        self.roles = list(roles)
        return moves
