"""A dial: a scale along an arc, a needle, and the figure that it points at."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, Animation, Arc, Circle, Line, Rotate, VGroup

from scenes.geometry import px
from scenes.kit.base.motion import Movement, replace
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import paint

__all__ = ["Dial"]

_LEFT, _RIGHT = 1.25 * np.pi, -0.25 * np.pi  # where the scale begins and ends


class Dial(VGroup):
    """A scale from 0 to `high` with figures at `stops`; `text` is written under the needle.

    `radius` in px. Parts: `scale`, `stops`, `needle`, `hub`, `figure`.
    """

    def __init__(self, stops: Sequence[float], high: float, value: float, text: str,
                 radius: float = 150, role: str = "ink") -> None:
        self.high, self.value, self._radius = high, value, radius
        self.scale_arc = Arc(px(radius), _LEFT, _RIGHT - _LEFT, stroke_width=10,
                             color=paint("muted"))
        self.stops = VGroup(*(self._stop(stop) for stop in stops))
        self.hub = Circle(px(14), stroke_width=0, fill_color=paint(role), fill_opacity=1)
        self.needle = Line(self.hub.get_center(), self.point(value, 0.82), stroke_width=9,
                           color=paint(role))
        self.figure = self._figure(text)
        super().__init__(self.scale_arc, self.stops, self.needle, self.hub, self.figure)

    def _angle(self, value: float) -> float:
        return float(_LEFT + (_RIGHT - _LEFT) * value / self.high)

    def point(self, value: float, share: float = 1.0) -> np.ndarray:
        """Where the scale has a value, or a `share` of the way to it from the middle."""
        angle = self._angle(value)
        return np.array(self.hub.get_center() + share * px(self._radius) * np.array(
            [np.cos(angle), np.sin(angle), 0]))

    def _stop(self, value: float) -> VGroup:
        angle = self._angle(value)
        way = px(self._radius) * np.array([np.cos(angle), np.sin(angle), 0])
        mark = Line(0.9 * way, 1.1 * way, stroke_width=6, color=paint("muted"))
        return VGroup(mark, number(f"{value:g}", 36, "muted").move_to(1.4 * way))

    def _figure(self, text: str) -> VGroup:
        figure = Label(text, 52, weight="semibold")
        return VGroup(figure.next_to(self.hub, DOWN, px(0.62 * self._radius)))

    def to(self, value: float, text: str) -> list[Movement]:
        """Animations: the needle turns to another value, the figure changes."""
        turn = self._angle(value) - self._angle(self.value)
        old, new = self.figure[0], self._figure(text)[0]
        self.value = value
        self.figure.submobjects = [new]
        moves: list[Animation] = [*replace(old, new)]
        if turn:
            moves.append(Rotate(self.needle, turn, about_point=self.hub.get_center()))
        return [*moves]
