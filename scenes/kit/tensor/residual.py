"""A residual stream: sub-layers branch off it, and their results are added to it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Circle,
    Create,
    FadeIn,
    FadeOut,
    VGroup,
    VMobject,
)

from scenes.geometry import px
from scenes.kit.base.flow import Node, arrow
from scenes.kit.base.gather import gather
from scenes.kit.base.text import BODY, Label, number
from scenes.kit.base.theme import paint
from scenes.kit.tensor.grid import ring

__all__ = ["SubLayer", "norm_node"]

_BEND = 92  # px between the stream and a detour beside it


def norm_node() -> Node:
    """The RMSNorm that stands before every sub-layer."""
    return Node("RMSNorm", "", "muted", 220, 100, mono=True, size=28)


class SubLayer(VGroup):
    """Norm and sub-layer above the stream, and on it the sum of the result with what flows on.

    The stream is y = 0 and the norm's left edge x = 0: shift the whole. `rise`: px from the
    stream to the boxes. Parts: `norm`, `work` (Nodes), `ways` (up, across, down), `plus` (its
    circle first), `result` (the name of what is added).
    """

    def __init__(self, name: str, role: str, result: str, rise: float = 340) -> None:
        self.norm, self.work = norm_node(), Node(name, "", role, 230, 100)
        VGroup(self.norm, self.work).arrange(RIGHT, buff=px(56)).move_to((0, px(rise), 0), LEFT)
        circle = Circle(px(30), stroke_width=4, color=paint(role), fill_opacity=1,
                        fill_color=paint("ground")).move_to((self.work.get_x(), 0, 0))
        sign = number("+", 40, role, "bold").move_to(circle)
        enter = arrow(circle.get_left() + LEFT * px(40), circle.get_left(), "ink", 0, 6)
        self.plus = VGroup(circle, sign, enter).set_z_index(1)
        sign.set_z_index(2)
        self.ways = VGroup(arrow((self.norm.get_x(), 0, 0), self.norm.get_bottom()),
                           arrow(self.norm, self.work),
                           arrow(self.work.get_bottom(), circle.get_top(), role, 8))
        self.result: Label = number(result, 36, role, "semibold").next_to(
            self.ways[2], RIGHT, buff=px(18))
        super().__init__(self.norm, self.work, self.ways, self.plus, self.result)

    def add_to(self, x: Label, total: Label) -> Iterator[list[Any]]:
        """Six movements: the parts come, a copy of `x` rises, is normalised, goes to work,

        becomes the result; `x` and the result arrive at `total`. Take each when it is played.
        """
        copy = x.copy()
        yield [FadeIn(part) for part in (self.norm, self.work, self.ways, self.plus)]
        yield [copy.animate.next_to(self.ways[0], LEFT, buff=px(18))]
        yield [copy.animate.move_to(self.norm.get_top() + UP * px(36)), self.norm.light()]
        yield [self.norm.calm(), self.work.light(), FadeOut(copy, target_position=self.work)]
        yield [self.work.calm(), FadeIn(self.result, target_position=self.work)]
        yield [gather([x, self.result], total)]

    def fuse(self, norm: VMobject, total: Label, x: float, name: str) -> Iterator[list[Any]]:
        """Four movements: the sum is done just before the next `norm`, and both are one kernel.

        `total` moves to `x` (manim units), the result takes a detour beside the stream. Take
        each movement when it is played.
        """
        path, tip = self._detour(norm)
        yield [FadeOut(self.ways[2])]
        yield [self.plus.animate.shift(RIGHT * (norm.get_x() - self.plus[0].get_x())),
               Create(path), total.animate.set_x(x, LEFT)]
        yield [FadeIn(tip)]
        fused = ring(VGroup(self.plus[0], norm), "focus", 4, 22)
        yield [FadeIn(fused), FadeIn(Label(name, BODY, "focus").next_to(fused, UP, buff=px(22)))]

    def _detour(self, norm: VMobject) -> VGroup:
        """The result's way to a sum that is done below `norm`, and its tip."""
        start, end = self.work.get_bottom() + DOWN * px(12), np.array(self.plus[0].get_center())
        end[0] = norm.get_x()
        bend = end + px(_BEND) * (UP + LEFT)
        path = VMobject(stroke_width=3, stroke_color=self.result.get_color())
        path.set_points_as_corners([start, (start[0], bend[1], 0), bend,
                                    end + px(50) * (UP + LEFT)])
        return VGroup(path, arrow(bend, end + px(23) * (UP + LEFT), self.result.role, 0))
