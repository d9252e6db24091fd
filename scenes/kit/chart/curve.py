"""A function drawn over its axes, with values marked on it."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from manim import DOWN, LEFT, UP, Dot, Line, VGroup, VMobject

from scenes.geometry import Region, px
from scenes.kit.base.text import NOTE, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Curve"]

_TICK, _POINTS = 8, 81  # px of a half tick; points along the curve


class Curve(VGroup):
    """`function` from `low` to `high`, in `region`; even numbers are marked on the axes.

    Parts: `axes` (lines, ticks, their numbers) and `graph`.
    """

    def __init__(self, function: Callable[[float], float], low: float, high: float,
                 region: Region, role: str = "d") -> None:
        xs = np.linspace(low, high, _POINTS)
        ys = [function(float(x)) for x in xs]
        self.function, self._low, self._floor = function, low, min(*ys, -0.5)
        self._region = region
        self._x = region.width / (high - low)
        self._y = region.height / (max(ys) - self._floor)
        self.axes = self._axes(low, high, max(ys))
        self.graph = VMobject(stroke_width=6, stroke_color=paint(role))
        self.graph.set_points_as_corners([self.at(x, y) for x, y in zip(xs, ys)])
        super().__init__(self.axes, self.graph)

    def at(self, x: float, y: float | None = None) -> np.ndarray:
        """The point of the picture for x and y; on the curve when y is not given."""
        y = self.function(x) if y is None else y
        return np.array([self._region.left + (x - self._low) * self._x,
                         self._region.bottom + (y - self._floor) * self._y, 0])

    def _axes(self, low: float, high: float, top: float) -> VGroup:
        look: dict[str, Any] = {"stroke_width": 2, "color": paint("muted")}
        axes = VGroup(Line(self.at(low, 0), self.at(high, 0), **look),
                      Line(self.at(0, self._floor), self.at(0, top), **look))
        for x in range(int(np.ceil(low)), int(high) + 1):
            if x and x % 2 == 0:
                at = self.at(x, 0)
                axes.add(Line(at - px(_TICK) * DOWN, at + px(_TICK) * DOWN, **look))
                axes.add(number(str(x).replace("-", "−"), NOTE).next_to(
                    at, DOWN if self.function(x) >= 0 else UP, buff=px(22)))
        for y in range(2, int(top) + 1, 2):
            at = self.at(0, y)
            axes.add(Line(at + px(_TICK) * LEFT, at - px(_TICK) * LEFT, **look))
            axes.add(number(y, NOTE).next_to(at, LEFT, buff=px(20)))
        return axes

    def feet(self, values: Iterable[float], role: str = "focus") -> VGroup:
        """Dots on the axis, one a value."""
        return VGroup(*(Dot(self.at(x, 0), px(11), color=paint(role)).set_z_index(2)
                        for x in values))

    def stems(self, values: Iterable[float], role: str = "focus") -> VGroup:
        """Lines from the axis to the curve, one a value."""
        return VGroup(*(Line(self.at(x, 0), self.at(x), stroke_width=4, color=mix(role, 0.7))
                        for x in values))
