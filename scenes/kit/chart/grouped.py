"""Several bars a row: the same shares as computed, as counted, as measured."""

from collections.abc import Sequence

import numpy as np
from manim import DOWN, VGroup

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
        step = thickness + gap
        for k, role in enumerate(roles):
            bars = Bars(names if k == 0 else [], [0] * len(names), roles=role, length=length,
                        thickness=thickness, pitch=pitch, full=full)
            bars.axis.set_opacity(0)
            self.series.add(bars.stand([0, -px(step * k), 0]))
        self.names = self.series[0].names
        # a pixel lower: digits and descenders look centred then
        self.names.shift(DOWN * px(step * (len(roles) - 1) / 2 + 1))
        super().__init__(self.series)

    def at(self, row: int) -> np.ndarray:
        """Where a row's bars begin, at the middle of its height."""
        return (self.series[0].at(row) + self.series[-1].at(row)) / 2
