"""Runners on parallel tracks: each has a speed and a distance; the first to arrive wins."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Circle, Line, Polygon, VGroup, linear
from manim.mobject.mobject import _AnimationBuilder
from manim.typing import Point3D, Point3DLike

from scenes.geometry import px
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Race"]


class Race(VGroup):
    """Lanes from above. `distances` in any unit; `limit` of it are `length` px, longer tracks
    are drawn to the limit and end in an arrow head instead of a flag. `runner`: a radius in px.

    Parts: `names`, `tracks`, `goals`, `runners`, each one a lane; `start` is the starting line.
    """

    def __init__(self, names: Sequence[str], distances: Sequence[float], limit: float,
                 roles: str | Sequence[str] = "q", length: float = 900, pitch: float = 66,
                 size: float = 28, runner: float = 13) -> None:
        count = len(distances)
        self.roles = [roles] * count if isinstance(roles, str) else list(roles)
        self.limit, self.length, self.pitch, self._runner = limit, length, pitch, runner
        self.distances = list(distances)
        self.start = Line(px(pitch * 0.45) * UP, px(pitch * (count - 0.55)) * DOWN,
                          stroke_width=3, color=paint("muted"))
        self.tracks = VGroup(*(self._track(k, d) for k, d in enumerate(distances)))
        self.goals = VGroup(*(self._goal(k, d) for k, d in enumerate(distances)))
        self.runners = VGroup(*(
            Circle(radius=px(runner), stroke_width=0, fill_color=paint(role), fill_opacity=1)
            .move_to(self.at(k)).set_z_index(2) for k, role in enumerate(self.roles)))
        self.names = VGroup(*(number(name, size).next_to(self.at(k), LEFT, buff=px(34))
                              for k, name in enumerate(names)))
        super().__init__(self.start, self.tracks, self.goals, self.names, self.runners)

    def at(self, lane: int, distance: float = 0) -> Point3D:
        """The point of a lane at a distance from the start, wherever the race is drawn."""
        reach = px(self.length * min(distance / self.limit, 1))
        return self.start.get_start() + DOWN * px(self.pitch * (lane + 0.45)) + RIGHT * reach

    def stand(self, start: Point3DLike) -> "Race":
        """Put the start of the first lane on a point of the picture."""
        return self.shift(np.asarray(start) - self.at(0))

    def measure(self, texts: Sequence[str], size: float = 28) -> VGroup:
        """Figures beside the goals, one each: how long the tracks are."""
        return VGroup(*(number(text, size).next_to(goal, RIGHT, buff=px(30))
                        for text, goal in zip(texts, self.goals)))

    def _track(self, lane: int, distance: float) -> Line:
        return Line(self.at(lane), self.at(lane, distance), stroke_width=5,
                    color=mix(self.roles[lane], 0.45))

    def _goal(self, lane: int, distance: float) -> VGroup:
        end, half = self.at(lane, distance), px(1.5 * self._runner)
        if distance > self.limit:
            tip = Polygon(end + UP * half * 0.6, end + RIGHT * half, end + DOWN * half * 0.6,
                          stroke_width=0, fill_opacity=1, fill_color=mix(self.roles[lane], 0.45))
            return VGroup(tip)
        top, hue = end + UP * half, paint(self.roles[lane])
        cloth = Polygon(top, top + RIGHT * half * 1.1 + DOWN * half * 0.45, top + DOWN * half * 0.9,
                        stroke_width=0, fill_opacity=1, fill_color=hue)
        return VGroup(Line(top, end + DOWN * half, stroke_width=5, color=hue), cloth)

    def run(self, speeds: Sequence[float], time: float) -> list[Movement]:
        """Animations: every runner goes as far as its speed takes it in `time`, at most home."""
        return [cast(_AnimationBuilder, runner.animate)(rate_func=linear)
                .move_to(self.at(k, min(v * time, d)))
                for k, (runner, v, d) in enumerate(zip(self.runners, speeds, self.distances))]

    def reset(self, distances: Sequence[float]) -> list[Movement]:
        """Animations: other distances are drawn, the runners go back to the start."""
        self.distances = list(distances)
        moves: list[Movement] = []
        for k, distance in enumerate(distances):
            moves += [self.runners[k].animate.move_to(self.at(k)),
                      self.tracks[k].animate.become(self._track(k, distance)),
                      self.goals[k].animate.become(self._goal(k, distance))]
        return moves
