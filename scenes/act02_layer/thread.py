"""What all beats share: the road, a small map of it with the place where we are, the camera."""

from typing import Any

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Dot, Line, Mobject, RoundedRectangle, VGroup, VMobject

from scenes.kit import STAGE, Detour, Grid, Label, Road, mix, paint, px
from scenes.kit.base.motion import Along, Movement, come, leave
from scenes.lessons.rounding import shown, text
from scenes.stage import Act, all_but

__all__ = ["ROOM", "RouteMap", "axis", "closing_scene", "decimals", "layer_row", "row_of",
           "travel"]

ROOM = STAGE.inset(top=92)  # below the small map
STOPS = {"qkv": (0, 0.2), "heads": (0, 0.36), "rope": (0, 0.52), "attention": (0, 0.72),
         "o": (0, 0.9), "norm": (1, 0.16), "mlp": (1, 0.6)}  # -> street, share of its length
_NAMES = {"heads": "stop_norm"}  # of a station that shares its name with another
_DETOURS = (Detour(60, 960), Detour(1030, 1700))


class RouteMap(VGroup):
    """The whole road, small, with a dot where the token is, and that station's name beside it."""

    def __init__(self, act: Act, stop: str) -> None:
        self.road = Road(_DETOURS, STAGE, high=4, drop=62, width=5)
        for way in (*self.road.ways, self.road.line):
            way.set_stroke(paint("muted"))
        self.names = {key: act.label(_NAMES.get(key, f"stop_{key}")) for key in STOPS}
        self.stop = stop
        self.dot = Dot(self._at(stop), px(13), color=paint("focus")).set_z_index(3)
        self.tag = self._name(stop)
        super().__init__(self.road, self.dot, self.tag)

    def _at(self, stop: str) -> np.ndarray:
        k, share = STOPS[stop]
        return self.road.at(_DETOURS[k].start + share * (_DETOURS[k].end - _DETOURS[k].start),
                            True)

    def _name(self, stop: str) -> Label:
        label = Label(self.names[stop], 30, "focus", "semibold")
        return label.next_to(self._at(stop), UP, buff=px(22))

    def to(self, stop: str) -> list[Movement]:
        """Animations: the dot goes along the streets to another station."""
        old, (k, _), (j, _) = self.tag, STOPS[self.stop], STOPS[stop]
        corners = [] if k == j else [self.road.ways[k].get_corner(DOWN - LEFT),
                                     self.road.at(_DETOURS[k].end),
                                     self.road.at(_DETOURS[j].start),
                                     self.road.ways[j].get_corner(DOWN + LEFT)]
        way = VMobject().set_points_as_corners([self._at(self.stop), *corners, self._at(stop)])
        self.stop, self.tag = stop, self._name(stop)
        self.remove(old)
        self.add(self.tag)
        return [Along(self.dot, way), leave(old), come(self.tag)]


def travel(act: Act, stop: str, y: float, share: float, *coming: Movement) -> None:
    """The camera goes on along the road: what stands there leaves to the left, what comes enters

    from the right, unless it is an animation; the road glides to height y (`axis`). The beat
    before keeps its picture as `scene` (`closing_scene`).
    """
    away = LEFT * px(700)
    act.move(leave(act.kept.scene, away), (come(thing, away) if isinstance(thing, Mobject)
                                           else thing for thing in coming),
             act.kept.road.animate.become(axis(y, share)),
             act.kept.map.to(stop) if stop != act.kept.map.stop else act.kept.map, pace=24)


def closing_scene(act: Act) -> None:
    """Keep what the next beat travels away from; road and map stay."""
    act.keep(scene=all_but(act, act.kept.map, act.kept.road))


def axis(y: float, share: float = 1) -> Line:
    """The road as a line through the stage at height y; `share`: how bright, behind a station."""
    return Line((STAGE.left, y, 0), (STAGE.right, y, 0), stroke_width=9,
                color=mix("ink", share)).set_z_index(-3)


def layer_row(act: Act) -> tuple[VGroup, RoundedRectangle]:
    """All layers side by side, and an unseen door: the first of them as large as the stage."""
    layers = VGroup(*(RoundedRectangle(
        corner_radius=px(8), width=px(36), height=px(560), stroke_width=3,
        stroke_color=paint("muted"), fill_color=mix("muted", 0.16), fill_opacity=1)
        for _ in range(act.story.widths.layers))).arrange(RIGHT, buff=px(26))
    door = layers.move_to(STAGE.center)[0].copy().set_fill(opacity=0).set_stroke(opacity=0)
    door.stretch_to_fit_width(STAGE.width).stretch_to_fit_height(STAGE.height)
    return layers, door.move_to(STAGE.center)


def row_of(values: Any, role: str = "ra", size: float = 1, beside: Any = ()) -> Grid:
    """A row of numbers, as it rides on the road, with as few decimals as they need.

    `beside`: rows above or below, whose columns are to have the same width.
    """
    digits = decimals(values)
    width = max((96, 112, 132)[decimals(each)] for each in (values, *beside))
    letters = min((60, 38, 37)[digits], 0.46 * width)
    return Grid([[text(shown(v, digits)) for v in values]], role, (size * width, size * 100),
                size * letters, 0.4)


def decimals(values: Any) -> int:
    """How many decimals, at most two, numbers are written with."""
    return next((n for n in (0, 1) if np.allclose(values, np.round(values, n))), 2)
