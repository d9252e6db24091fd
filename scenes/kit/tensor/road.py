"""The residual stream as a road: side streets leave it, and what they bring is added to it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from manim import Circle, Line, RoundedRectangle, VGroup, VMobject
from manim.constants import LineJointType
from manim.typing import Point3D

from scenes.geometry import Region, px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Detour", "Road"]


class Detour(NamedTuple):
    """A side street. Lengths in px at 1080p from the road's left end."""

    start: float
    end: float
    stops: Sequence[tuple[str, float, float]] = ()  # a station's name, its middle, its width


class Road(VGroup):
    """A road along the top of `region`, `high` px below its edge; streets run `drop` px lower.

    `width`: of the road's line; `stop`: px that a station is high; `size`: px of its name.
    Parts: `line`; a list each, one item a detour: `ways` (the street), `sums` (the circle in
    which it ends), `stops` (its stations, a group of box and name each).
    """

    def __init__(self, detours: Sequence[Detour], region: Region, high: float = 0,
                 drop: float = 400, width: float = 9, stop: float = 170,
                 size: float = 44) -> None:
        self._left, self.level = region.left, region.top - px(high)
        self.street = self.level - px(drop)
        self.line = Line((region.left, self.level, 0), (region.right, self.level, 0),
                         stroke_width=width, color=paint("ink"))
        self.ways = [self._way(detour, 0.6 * width) for detour in detours]
        self.sums = [self._sum(detour.end, 3 * width) for detour in detours]
        self.stops = [VGroup(*(self._stop(*given, stop, size) for given in detour.stops))
                      for detour in detours]
        super().__init__(*self.ways, self.line, *self.sums, *self.stops)

    def at(self, x: float, street: bool = False) -> Point3D:
        """The point of the road, or of a street, `x` px from the left end."""
        return np.array([self._left + px(x), self.street if street else self.level, 0])

    def detour(self, k: int) -> VGroup:
        """What belongs to side street k: the way, its stations, the sum."""
        return VGroup(self.ways[k], self.stops[k], self.sums[k])

    def _way(self, detour: Detour, width: float) -> VMobject:
        way = VMobject(stroke_width=width, stroke_color=paint("muted"),
                       joint_type=LineJointType.ROUND)
        return way.set_points_as_corners([
            self.at(detour.start), self.at(detour.start, True), self.at(detour.end, True),
            self.at(detour.end)])

    def _sum(self, x: float, radius: float) -> VGroup:
        circle = Circle(px(radius), stroke_width=radius / 7 + 1, color=paint("muted"),
                        fill_color=paint("ground"), fill_opacity=1).move_to(self.at(x))
        sign = number("+", max(26, 1.5 * radius), "ink", "bold").move_to(circle)
        return VGroup(circle.set_z_index(1), sign.set_z_index(2))

    def _stop(self, name: str, x: float, width: float, high: float, size: float) -> VGroup:
        box = RoundedRectangle(corner_radius=px(14), width=px(width), height=px(high),
                               stroke_width=3, stroke_color=paint("muted"),
                               fill_color=mix("muted", 0.12), fill_opacity=1)
        label = Label(name, size, weight="semibold").move_to(box)
        return VGroup(box.set_z_index(3), label.set_z_index(4)).move_to(self.at(x, True))
