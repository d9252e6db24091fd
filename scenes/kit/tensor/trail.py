"""A trail of what has been computed: small matrices in a row, outlines until they are filled."""

from collections.abc import Sequence
from typing import NamedTuple

from manim import DOWN, LEFT, RIGHT, Animation, ReplacementTransform, Transform, VGroup

from scenes.geometry import STAGE, Region, px
from scenes.kit.base.flow import arrow
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint
from scenes.kit.tensor.grid import Grid

__all__ = ["Trail", "Waypoint"]

_CELL = (15, 13)  # px
_FLYING = 8  # above all labels, on the way down


class Waypoint(NamedTuple):
    """A matrix of the trail: `shape` (rows, columns) in its role; `arrow`: one leads to it."""

    name: str
    shape: tuple[int, int]
    role: str
    arrow: bool = True


class Trail(VGroup):
    """Waypoints along the lower edge of `region`; a matrix shrinks into its own when it is done."""

    def __init__(self, waypoints: Sequence[Waypoint], region: Region = STAGE) -> None:
        self.small: dict[str, VGroup] = {}
        self._filled: dict[str, VGroup] = {}
        stations, arrows = VGroup(), VGroup()
        for point in waypoints:
            blank = [[""] * point.shape[1]] * point.shape[0]
            outline = Grid(blank, "ink", _CELL).boxes
            outline.set_fill(opacity=0).set_stroke(mix("muted", 0.55), 1.2)
            name = number(point.name, 28, "muted").next_to(outline, RIGHT, buff=px(14))
            stations.add(VGroup(outline, name))
        free = region.width - sum(station.width for station in stations)
        gap = free / max(1, len(waypoints) - 1)
        stations.arrange(RIGHT, buff=gap).move_to(region.at(side=DOWN), DOWN)
        for before, station, point in zip(stations, stations[1:], waypoints[1:]):
            if point.arrow:
                middle = (before.get_right() + station.get_left()) / 2
                middle[1] = station[0].get_y()
                arrows.add(arrow(middle + LEFT * px(18), middle + RIGHT * px(18), buff=0))
        super().__init__(stations, arrows)
        for station, point in zip(stations, waypoints):
            filled = station[0].copy().set_fill(mix(point.role, 0.5), 1)
            filled.set_stroke(paint(point.role if point.role != "ink" else "muted"), 1.5)
            self._filled[point.name] = filled
            self.small[point.name] = filled.copy().set_opacity(0)
            self.add(self.small[point.name])

    def take(self, name: str, boxes: VGroup) -> Animation:
        """Animation: copies of a matrix' boxes shrink into the trail. Call it when it starts."""
        for small, box in zip(self.small[name], boxes):
            small.become(box).set_z_index(_FLYING).set_opacity(0)  # hides no number
        return Transform(self.small[name], self._filled[name].copy().set_z_index(_FLYING))

    def give(self, name: str, boxes: VGroup) -> Animation:
        """Animation: a matrix grows out of the trail, where its small picture stays."""
        return ReplacementTransform(self._filled[name].copy(), boxes)
