"""A token as a cell, where it stands in a column, and the marks around columns."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from manim import RIGHT, Line, RoundedRectangle, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["CELL_GAP", "PackedToken", "Path", "Shelf", "dashes", "over", "packed_token",
           "pause_mark"]

Path = Callable[[np.ndarray, np.ndarray, float], np.ndarray]  # as manim's Transform takes one

CELL_GAP = 4  # px between cells
_SMALLEST = 27  # px: a letter below that is left out
_OVER = 0.01  # a letter lies so much above its box


class Shelf(NamedTuple):
    """Where columns stand: `left` and `floor` in manim units; px of a step and of a cell.

    `first`: index of the leftmost column; `drop`: px from the floor down to what hangs under it.
    """

    left: float
    floor: float
    pitch: float
    width: float
    height: float
    first: int = 0
    drop: float = 62

    def at(self, column: float, row: float) -> np.ndarray:
        """Middle of the cell in a row, from 0 at the floor."""
        return np.array((self.left + px(self.pitch * (column - self.first + 0.5)),
                         self.floor + px((self.height + CELL_GAP) * (row + 0.5)), 0))

    def under(self, column: float, row: float, height: float) -> np.ndarray:
        """Middle of a mark of `height` px that hangs below the floor and its number."""
        return np.array((self.at(column, 0)[0],
                         self.floor - px(self.drop + (height + CELL_GAP) * (row + 0.5)), 0))


class PackedToken(VGroup):
    """A token: its box, its request's letter, and a dot where a decode computes it."""

    def __init__(self, role: str, round_: bool, *parts: VMobject) -> None:
        self.role, self.round = role, round_
        super().__init__(*parts)

    def dress(self) -> None:
        """The looks of a token that is computed."""
        self.set_opacity(1)
        self[0].set_fill(paint(self.role), 1).set_stroke(paint(self.role), 2, 1)

    def shape(self, width: float, height: float) -> None:
        """Another size, in px, about its middle; the letter has room, or is not seen."""
        box, name = self[0], self[1]
        radius = px(min(width, height) * (0.48 if self.round else 0.16))
        middle = box.get_center()
        box.set_points(RoundedRectangle(corner_radius=radius, width=px(width),
                                        height=px(height)).points).move_to(middle)
        size = min(46.0, 0.62 * height, 1.1 * width)
        if max(size, _SMALLEST) > min(0.9 * height, 1.4 * width):
            name.set_opacity(0)
        name.scale(max(size, _SMALLEST) * px(1) * 0.727 / name.height).move_to(middle)

    def speak(self, count: int, index: int) -> None:
        """Of `count` like tokens in line, the one in the middle bears the letter of all, larger."""
        if index != count // 2:
            self[1].set_opacity(0)
        elif count > 1:
            self[1].scale(1.25)


def packed_token(letter: str, role: str, decoded: bool, layer: float) -> PackedToken:
    box = RoundedRectangle(corner_radius=0.1, width=1, height=1, stroke_width=2,
                           stroke_color=paint(role), fill_color=paint(role), fill_opacity=1)
    name = number(letter, 36, "ground", "bold")
    cell = PackedToken(role, decoded, box, name)
    for part, above in zip(cell, (0, _OVER)):
        part.set_z_index(layer + above)
    return cell


def over(gap: float, top: float) -> Path:
    """A way by the upright at x = `gap` and the level at y = `top`, in either direction."""
    def way(start: np.ndarray, end: np.ndarray, alpha: float) -> np.ndarray:
        if not len(start):
            return start
        here, there = ((points.min(axis=0) + points.max(axis=0)) / 2 for points in (start, end))
        turns = [(gap, here[1], 0), (gap, top, 0), (there[0], top, 0)]
        if there[0] < gap:
            turns = [(here[0], top, 0), (gap, top, 0), (gap, there[1], 0)]
        stops = np.array([here, *turns, there])
        reached = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(stops, axis=0), axis=1))])
        middle = [np.interp(alpha * reached[-1], reached, stops[:, axis]) for axis in range(3)]
        moved: np.ndarray = (start - here) * (1 - alpha) + (end - there) * alpha + middle
        return moved

    return way


def dashes(left: float, right: float, y: float, count: int = 48) -> VMobject:
    """A dashed line as one shape, always of as many dashes."""
    line = VMobject(stroke_width=4, stroke_color=paint("muted"))
    step = (right - left) / (count - 0.4)
    for k in range(count):
        start = left + step * k
        line.append_points(Line((start, y, 0), (start + 0.6 * step, y, 0)).points)
    return line


def pause_mark(name: str, role: str, width: float, height: float) -> VGroup:
    """A request's letter and two bars: it gets nothing in this step."""
    box = RoundedRectangle(corner_radius=px(min(width, height) * 0.48), width=px(width),
                           height=px(height), stroke_width=3, stroke_color=paint("stop"),
                           fill_color=mix("stop", 0.1), fill_opacity=1)
    bar = px(height * 0.22)
    bars = VGroup(*(Line((x, -bar, 0), (x, bar, 0), stroke_width=5, color=paint("stop"))
                    for x in (-px(5), px(5))))
    parts = VGroup(bars)
    if width >= 60:
        parts = VGroup(number(name, 32, role, "bold"), bars).arrange(RIGHT, buff=px(12))
    return VGroup(box, parts.move_to(box).set_z_index(1))
