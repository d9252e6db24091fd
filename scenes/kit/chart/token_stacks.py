"""Steps as columns, each as high as the tokens that it computes, under a budget's line."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, DashedLine, Dot, FadeIn, LaggedStart, MoveToTarget, VGroup
from manim import RoundedRectangle as Box

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import paint

__all__ = ["TokenStacks"]

_GAP = 4  # px


class TokenStacks(VGroup):
    """`steps`: for each its phase, "prefill" or "decode" (with dots), and pairs of role and count.

    A token is `width` by `height` px. Parts: `columns` of tokens, from below, `ticks` under
    them, and `line` at the height of `limit` tokens.
    """

    def __init__(self, steps: Sequence[tuple[str, Sequence[tuple[str, int]]]], limit: int,
                 width: float, height: float) -> None:
        self._size, self.columns = (width, height), VGroup()
        for k, (phase, shares) in enumerate(steps):
            roles = [role for role, count in shares for _ in range(count)]
            column = VGroup(*(self._token(role, phase == "decode") for role in roles))
            column.arrange(UP, buff=px(_GAP))
            self.columns.add(column.move_to((px((width + _GAP) * k), 0, 0), DOWN))
        few = 1 if width >= 34 else 5
        self.ticks = VGroup(*(number(k + 1, 26, "muted").next_to(column, DOWN, buff=px(14))
                              for k, column in enumerate(self.columns) if not (k + 1) % few))
        top = UP * px((height + _GAP) * limit)
        ends = (self.columns.get_corner(DOWN + side) + top for side in (LEFT, RIGHT))
        self.line = DashedLine(*ends, stroke_width=3, color=paint("muted"))
        super().__init__(self.line, self.ticks, self.columns)

    def _token(self, role: str, dotted: bool) -> VGroup:
        width, height = map(px, self._size)
        box = Box(corner_radius=min(px(5), height / 3), width=width, height=height,
                  stroke_width=0, fill_color=paint(role), fill_opacity=1)
        dots = [Dot(radius=min(px(4), height / 4), color=paint("ground"))] if dotted else []
        return VGroup(box, *dots)

    def reveal(self, lag: float = 0.8) -> LaggedStart:
        """Animation: step after step, its column over its number."""
        return LaggedStart(*(FadeIn(column, shift=UP * px(10)) for column in self.columns),
                           lag_ratio=lag)

    def flat(self, pitch: float, height: float = 150, gap: float = 10) -> LaggedStart:
        """Animation: the columns lie down end to end, each as long as its tokens, under the line.

        In px: `pitch` for one token, `gap` between two steps.
        """
        pitch, left = px(pitch), self.columns.get_left()[0]
        y = self.line.get_y() - px(height / 2)
        for column in self.columns:
            for token in column:
                box, *dots = token.generate_target()
                box.stretch_to_fit_width(pitch - px(1)).stretch_to_fit_height(px(height))
                token.target.move_to((left + pitch / 2, y, 0))
                for dot in dots:
                    dot.move_to(box)
                left += pitch
            left += px(gap)
        return LaggedStart(*(MoveToTarget(token) for column in self.columns for token in column),
                           lag_ratio=0.01)

    def end(self, step: int) -> np.ndarray:
        """Where step number `step`, from 1, ends at its foot, once the columns lie flat."""
        token = self.columns[step - 1][-1].target
        assert token is not None, "the columns were laid flat"
        box = token[0]
        return np.array(box.get_corner(DOWN + RIGHT))
