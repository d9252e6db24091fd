"""A layer on the residual stream: a line with boxes hanging below it, and a lens under one."""

from collections.abc import Sequence
from typing import NamedTuple

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Circle,
    Polygon,
    RoundedRectangle,
    VGroup,
    VMobject,
)
from manim.typing import Point3D, Point3DLike

from scenes.geometry import STAGE, Region, px
from scenes.kit.base.flow import arrow
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import SMALL, Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Box", "Stream"]

_HIGH, _DROP, _LENS = 56, 84, 40  # px: a box, the stream to its middle, the lens below it
_ENTRY, _GAP, _TURN = 60, 16, 66  # px: before the first branch, box to box, branch to branch


class Box(NamedTuple):
    """A box of a sub-layer. `width` in px; `branch` starts a sub-layer, `adds` ends one."""

    key: str
    text: str
    width: float
    role: str = "muted"
    branch: bool = False
    adds: bool = False


class Drawn(VGroup):
    """A box as it is drawn: its frame and its text."""

    role: str


class Stream(VGroup):
    """A row flows from left to right; copies dip through boxes, their results are added.

    `boxes` from left to right; `region` gives the width and the top; `drop`: px from the stream
    down to the boxes' middle, `high`: px of a box. `room` is the region below the lens. Parts:
    `line`, `boxes` (key -> group of box and text), `dips` (a path each sub-layer), `sums` (the
    circles), `lens`.
    """

    def __init__(self, boxes: Sequence[Box], region: Region = STAGE, drop: float = _DROP,
                 high: float = _HIGH) -> None:
        self.region, self.lit = region, ""
        y = region.top - px(26)
        self.line = arrow((region.left, y, 0), (region.right, y, 0), "ink", 0, 6)
        scale = self._scale(boxes)
        self.boxes: dict[str, Drawn] = {}
        self.dips: list[VMobject] = []
        self.sums: list[VGroup] = []
        starts: list[float] = []
        x = region.left + px(_ENTRY) * scale
        for box in boxes:
            if box.branch:
                starts.append(x)
                x += px(_TURN) * scale
            width = px(box.width) * scale
            self.boxes[box.key] = self._box(box, width, high, (x + width / 2, y - px(drop), 0))
            x += width + px(_GAP) * scale
            if box.adds:
                x += px(_TURN - _GAP) * scale
                self._dip(starts[-1], x, y, y - px(drop))
                x += px(_TURN) * scale
        self.lens = VMobject().set_z_index(-1)
        self.room = region.inset(top=26 + drop + high / 2 + _LENS)
        super().__init__(self.lens, *self.dips, self.line, *self.sums, *self.boxes.values())

    def _scale(self, boxes: Sequence[Box]) -> float:
        """How much wider than given everything is drawn, so that the region is filled."""
        turns = 3 * sum(box.branch for box in boxes)
        asked = _ENTRY + turns * _TURN + sum(box.width + _GAP * (not box.adds) for box in boxes)
        return float(self.region.width / px(asked))

    @staticmethod
    def _box(box: Box, width: float, high: float, middle: Point3DLike) -> Drawn:
        shape = RoundedRectangle(corner_radius=px(8), width=width, height=px(high),
                                 stroke_width=2.5, stroke_color=paint(box.role),
                                 fill_color=mix(box.role, 0.12), fill_opacity=1)
        text = Label(box.text, SMALL, "ink", "semibold")
        group = Drawn(shape, text.set_z_index(1)).move_to(middle)
        group.role = box.role
        return group

    def _dip(self, start: float, end: float, top: float, low: float) -> None:
        path = VMobject(stroke_width=3, stroke_color=paint("muted")).set_z_index(-1)
        path.set_points_as_corners([(start, top, 0), (start, low, 0), (end, low, 0),
                                    (end, top - px(26), 0)])
        circle = Circle(px(24), stroke_width=4, color=paint("muted"), fill_opacity=1,
                        fill_color=paint("ground")).move_to((end, top, 0)).set_z_index(1)
        sign = number("+", 34, "ink", "bold").move_to(circle).set_z_index(2)
        self.dips.append(path)
        self.sums.append(VGroup(circle, sign))

    def at(self, key: str) -> Point3D:
        """The middle of a box."""
        return self.boxes[key][0].get_center()

    def part(self, k: int) -> VGroup:
        """What belongs to sub-layer k: its boxes, the way through them, the sum."""
        path = self.dips[k]
        left, right = path.get_left()[0], path.get_right()[0]
        return VGroup(path, self.sums[k], *(box for box in self.boxes.values()
                                            if left < box.get_x() < right))

    def look(self, *keys: str) -> list[Movement]:
        """Animations: the lens moves under these neighbouring boxes, which light up."""
        moves: list[Movement] = [
            box[0].animate.set_stroke(paint(box.role), 2.5).set_fill(mix(box.role, 0.12))
            for key, box in self.boxes.items() if key in self.lit.split() and key not in keys]
        moves += [self.boxes[key][0].animate.set_stroke(paint("focus"), 4).set_fill(paint("glow"))
                  for key in keys if key not in self.lit.split()]
        self.lit = " ".join(keys)
        wedge = self._wedge([self.boxes[key][0] for key in keys]) if keys else VMobject()
        if not self.lens.has_points():
            self.lens.become(wedge.copy().set_opacity(0))
        moves.append(self.lens.animate.become(wedge))
        return moves

    def _wedge(self, boxes: Sequence[VMobject]) -> Polygon:
        group, room = VGroup(*boxes), self.room
        a, b = group.get_corner(DOWN + LEFT), group.get_corner(DOWN + RIGHT)
        foot = room.top + px(6)
        return Polygon((a[0], a[1], 0), (b[0], b[1], 0), (room.right, foot, 0),
                       (room.left, foot, 0), stroke_width=0, fill_color=paint("glow"),
                       fill_opacity=0.8).set_z_index(-1)
