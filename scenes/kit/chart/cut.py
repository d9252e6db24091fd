"""Bars that fall, of which the first few are kept: greedy, top-k and top-p draw the line."""

from collections.abc import Sequence
from typing import Any

from manim import DOWN, RIGHT, Animation, FadeIn, FadeOut, Line, Rectangle

from scenes.geometry import px
from scenes.kit.base.motion import Movement
from scenes.kit.base.theme import paint
from scenes.kit.chart.bars import Bars

__all__ = ["CutBars"]


class CutBars(Bars):
    """Rows of bars in one `role`, and a line under the last one kept.

    The line runs from `left` to `right`, px beside where the bars begin. The last row may stand
    for many values. `options`: those of Bars.
    """

    def __init__(self, names: Sequence[str], values: Sequence[float], texts: Sequence[str] = (),
                 role: str = "q", left: float = -260, right: float = 760, **options: Any) -> None:
        super().__init__(names, values, texts, role, **options)
        self._role, self._left, self._right = role, left, right
        self.line: Line | None = None

    def cut(self, kept: int, lost: float = 0) -> list[Movement]:
        """Animations: the line moves under the last of `kept`; what is below loses its colour.

        `lost`: the share of the last row that is cut, where it stands for many and some are kept.
        """
        count = len(self.bars)
        rows = min(kept, count)
        foot = self.at(rows - 1) + DOWN * px(self.pitch / 2)
        line = Line(foot + RIGHT * px(self._left), foot + RIGHT * px(self._right), stroke_width=5,
                    color=paint("focus"))
        if kept >= count:
            bar = self.bars[-1]
            line.add(Rectangle(width=max(bar.width * lost, px(1)), height=bar.height,
                               stroke_width=0, fill_color=paint("muted"), fill_opacity=1)
                     .move_to(bar, RIGHT))
        moves: list[Movement] = [*self._lift(), FadeIn(line, shift=DOWN * px(30))]
        self.line = line
        return moves + self.repaint([self._role] * rows + ["muted"] * (count - rows))

    def whole(self) -> list[Movement]:
        """Animations: the line goes, every bar has its colour again."""
        return [*self._lift(), *self.repaint([self._role] * len(self.bars))]

    def _lift(self) -> list[Animation]:
        line, self.line = self.line, None
        return [] if line is None else [FadeOut(line)]
