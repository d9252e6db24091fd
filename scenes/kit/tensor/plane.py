"""A plane in which vectors turn: a pair of numbers, seen as a point."""

from collections.abc import Iterable, Sequence
from math import atan2, cos, fmod, hypot, pi, sin, tau
from typing import Any

import numpy as np
from manim import Animation, Arc, Circle, Line, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.flow import arrow
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Plane", "Spoke", "Turn"]


class Spoke(VGroup):
    """A vector from the middle of a plane, with its name beyond the tip."""

    def __init__(self, tip: Sequence[float], centre: np.ndarray, role: str, name: str = "",
                 width: float = 6, size: float = 32) -> None:
        self.length = hypot(*tip)
        self.direction = atan2(tip[1], tip[0])
        self.stem = arrow(centre, centre + np.array([*tip, 0]), role, 0, width)
        self.tag: VMobject = (
            number(name, size, role, "semibold").set_z_index(1) if name else VGroup())
        self._gap = px(size * 0.85)
        super().__init__(self.stem, self.tag)
        self._place(centre)

    def _place(self, centre: np.ndarray) -> None:
        if self.tag.has_points():
            reach = self.length + self._gap
            self.tag.move_to(centre + reach * np.array([cos(self.direction), sin(self.direction),
                                                        0]))


class Turn(Animation):
    """A Spoke, or an arc round the middle, turns about `centre` by `angle` radians."""

    def __init__(self, mobject: Spoke | Arc, angle: float, centre: np.ndarray,
                 **options: Any) -> None:
        self.angle, self.centre = angle, np.array(centre)
        super().__init__(mobject, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        # from the start anew each time: the end state does not depend on the frame rate
        turned = self.rate_func(alpha) * self.angle
        start, moving = self.starting_mobject, self.mobject
        if isinstance(moving, Spoke):
            moving.stem.become(start.stem).rotate(turned, about_point=self.centre)
            moving.tag.set_points(start.tag.points)
            moving.direction = start.direction + turned
            moving._place(self.centre)
        else:
            moving.become(start).rotate(turned, about_point=self.centre)


class Plane(VGroup):
    """Axes and a circle; `reach` is the value that lies `radius` px from the middle.

    `spoke` makes a vector from a pair of numbers, `turn` and `sweep` animate it, `between` draws
    the angle from one vector to another. The spokes are not part of the group: fade them in.
    """

    def __init__(self, radius: float = 220, reach: float = 2.5) -> None:
        self.radius, self.unit = px(radius), px(radius) / reach
        r = self.radius
        self.axes = VGroup(*(Line((-x, -y, 0), (x, y, 0), stroke_width=2, color=mix("muted", 0.6))
                             for x, y in ((r, 0), (0, r))))
        self.rim = Circle(r, stroke_width=2, color=mix("muted", 0.45), fill_opacity=1,
                          fill_color=mix("panel", 0.7))
        super().__init__(self.rim, self.axes)

    @property
    def centre(self) -> np.ndarray:
        return self.rim.get_center()

    def at(self, direction: float, share: float) -> np.ndarray:
        """The point in `direction` (radians) at `share` of the radius from the middle."""
        return self.centre + share * self.radius * np.array([cos(direction), sin(direction), 0])

    def spoke(self, pair: Iterable[float], role: str, name: str = "", width: float = 6,
              size: float = 32) -> Spoke:
        """A vector to the point `pair`, in the plane's own numbers."""
        return Spoke([float(x) * self.unit for x in pair], self.centre, role, name, width, size)

    def turn(self, *spokes: Spoke | Arc, by: float) -> list[Turn]:
        """Animations: every spoke or arc turns by the same angle, its whole turns left out."""
        return [Turn(spoke, fmod(by, tau), self.centre) for spoke in spokes]

    def path(self, spoke: Spoke, by: float, share: float = 0.5, role: str | None = None,
             width: float = 4) -> Arc:
        """The arc along which `spoke` is about to turn by `by`, whole turns left out."""
        role = role or "focus"
        return Arc(self.radius * share, spoke.direction, fmod(by, tau), arc_center=self.centre,
                   stroke_width=width, color=paint(role))

    @staticmethod
    def angle(first: Spoke, second: Spoke) -> float:
        """Radians from `first` to `second`, the shorter way round: in [−π, π)."""
        return (second.direction - first.direction + pi) % tau - pi

    def within(self, first: Spoke, second: Spoke, share: float = 0.62) -> np.ndarray:
        """The point halfway between two vectors' directions, at `share` of the radius."""
        return self.at(first.direction + self.angle(first, second) / 2, share)

    def between(self, first: Spoke, second: Spoke, share: float = 0.42, role: str = "focus",
                width: float = 5) -> Arc:
        """The angle from `first` to `second`, the shorter way round."""
        return Arc(self.radius * share, first.direction, self.angle(first, second),
                   arc_center=self.centre, stroke_width=width, color=paint(role))
