"""How often values of each size occur, on both sides of zero."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import LEFT, ORIGIN, RIGHT, UP, Circle, Line, VGroup

from scenes.geometry import px
from scenes.kit.base.text import SMALL, number
from scenes.kit.base.theme import paint
from scenes.kit.chart.area import Area

__all__ = ["Histogram"]


class Histogram(VGroup):
    """`density` [n] of equal bins from -reach to reach; zero is at the origin: shift the whole.

    `unit`: px that a value of 1 is wide; `tall`: px that a density of 1 is high. `ticks`: what is
    written under the axis, `size` px high; it reaches a little beyond them. Parts: `axis`, `hill`.
    """

    def __init__(self, density: np.ndarray, reach: float, unit: float, tall: float,
                 ticks: Sequence[int], role: str = "d", size: float = SMALL.size) -> None:
        self._unit = unit
        end = px(unit) * max(map(abs, ticks)) + px(60)
        self.axis = VGroup(Line(end * LEFT, end * RIGHT, stroke_width=2, color=paint("muted")))
        for tick in ticks:
            text = f"−{-tick}" if tick < 0 else f"{tick}"
            self.axis.add(number(text, size, SMALL.role).move_to((px(unit) * tick, -px(size), 0)))
        edges = np.linspace(-reach, reach, len(density) + 1)
        self.hill = Area(px(unit) * np.repeat(edges, 2)[1:-1], px(tall) * np.repeat(density, 2),
                         ORIGIN[1], role)
        super().__init__(self.axis, self.hill)

    def pin(self, name: str, value: float, height: float) -> VGroup:
        """A value on the axis under its name, `height` px up; `pin_to` gives it another value."""
        foot, top = (self._at(value) + UP * px(y) for y in (0, height))
        head = Circle(px(26), stroke_width=3, color=paint("ink"), fill_opacity=1,
                      fill_color=paint("ground")).move_to(top).set_z_index(2)
        return VGroup(Line(foot, top, stroke_width=3, color=paint("ink")).set_z_index(1), head,
                      number(name, 34).move_to(top).set_z_index(3))

    def pin_to(self, pin: VGroup, value: float) -> Any:
        """Animation: a pin goes to another value."""
        return pin.animate.set_x(self._at(value)[0])

    def _at(self, value: float) -> np.ndarray:
        return np.array(self.axis[0].get_center()) + RIGHT * px(self._unit) * value

    def divide(self, by: float) -> Any:
        """Animation: all values are divided; the hill holds as many, so it grows as it narrows."""
        zero = self.axis[0].get_center()
        return self.hill.animate.stretch(1 / by, 0, about_point=zero).stretch(
            by, 1, about_point=zero)
