"""Several bars a row: the same shares as computed, as counted, as measured."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from manim import DOWN, VGroup
from manim.typing import Point3DLike

from scenes.geometry import px
from scenes.kit.chart.bars import Bars

__all__ = ["GroupedBars"]


class GroupedBars(VGroup):
    """A row for each name, and in it one bar for each of `roles`, all 0 at first; sizes in px.

    `full` is the value of a bar `length` px long. Parts: `names`, beside the middle of their
    bars, and `series`: Bars, one a role, each with its own `to`.
    """

    def __init__(self, names: Sequence[str], roles: Sequence[str], full: float,
                 length: float = 560, thickness: float = 18, pitch: float = 72,
                 gap: float = 2) -> None:
        self.series = VGroup()
        self._step = step = px(thickness + gap)
        for role in roles:
            bars = Bars([] if len(self.series) else names, [0] * len(names), roles=role,
                        length=length, thickness=thickness, pitch=pitch, full=full)
            bars.axis.set_opacity(0)
            self.series.add(bars)
        self.names = cast(Bars, self.series[0]).names
        # a pixel lower: digits and descenders look centred then
        self.names.shift(DOWN * (step * (len(roles) - 1) / 2 + px(1)))
        super().__init__(self.series)
        self.stand((0, 0, 0))

    def stand(self, foot: Point3DLike) -> "GroupedBars":
        """Put the foot of the first row's first bar on a point of the picture."""
        for k, bars in enumerate(self.series):
            bars.stand(np.asarray(foot) + DOWN * self._step * k)
        return self

    def at(self, row: int) -> np.ndarray:
        """Where a row's bars begin, at the middle of its height."""
        count = len(self.series)
        low, high = (cast(Bars, self.series[k]) for k in ((count - 1) // 2, count // 2))
        middle: np.ndarray = (low.at(row) + high.at(row)) / 2
        return middle
