"""A batch on its way through a model: at each station a row for every token, and the shape."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    FadeIn,
    LaggedStart,
    RoundedRectangle,
    TransformFromCopy,
    VGroup,
)
from manim.typing import Point3DLike

from scenes.geometry import px
from scenes.kit.base.flow import arrow
from scenes.kit.base.text import BODY, NOTE, Label, number, shape_text
from scenes.kit.base.theme import mix, paint

__all__ = ["Station", "Stations"]


class Station(NamedTuple):
    """Where the rows of a batch are looked at. `width`: px at 1080p of a row."""

    name: str
    shape: Sequence[int]
    roles: Sequence[str]  # one a row
    width: float = 150


class Stations(VGroup):
    """Stations side by side, each a heading, its rows and its shape; `gap` in px at 1080p.

    The middle of the rows is the middle of the group's place. Parts, a list each: `rows`,
    `heads`, `shapes`.
    """

    def __init__(self, stations: Sequence[Station], center: Point3DLike,
                 gap: float = 146) -> None:
        columns = VGroup(*(self._rows(station) for station in stations))
        columns.arrange(RIGHT, buff=px(gap)).move_to(center)
        top, foot = columns.get_top()[1] + px(62), columns.get_bottom()[1] - px(42)
        self.rows = list(columns)
        self.heads = [Label(station.name, BODY, weight="semibold").move_to(
            (rows.get_x(), top, 0), DOWN) for station, rows in zip(stations, columns)]
        self.shapes = [number(shape_text(station.shape), NOTE).move_to(
            (rows.get_x(), foot, 0), UP) for station, rows in zip(stations, columns)]
        super().__init__(*self.rows, *self.heads, *self.shapes)

    @staticmethod
    def _rows(station: Station) -> VGroup:
        return VGroup(*(RoundedRectangle(
            corner_radius=px(5), width=px(station.width), height=px(56), stroke_width=2,
            stroke_color=paint(role), fill_color=mix(role, 0.6), fill_opacity=1)
            for role in station.roles)).arrange(DOWN, buff=px(9))

    def travel(self, k: int, chosen: Iterable[int] | None = None) -> list[Animation]:
        """Animations: the rows `chosen` (all) of the station before become those of station k."""
        before, rows = self.rows[k - 1], self.rows[k]
        way = arrow((before.get_right()[0], rows.get_y(), 0), (rows.get_left()[0], rows.get_y(), 0),
                    "muted", 22)
        sources = before if chosen is None else [before[row] for row in chosen]
        return [FadeIn(way), FadeIn(self.heads[k]), LaggedStart(
            *(TransformFromCopy(old, new) for old, new in zip(sources, rows)), lag_ratio=0.06)]
