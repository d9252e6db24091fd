"""What upright bars are measured by: levels with their values, and names under the bars."""

from collections.abc import Iterable, Mapping

from manim import DOWN, LEFT, RIGHT, UP, Line, VGroup

from scenes.geometry import px
from scenes.kit.base.text import NOTE, SMALL, Label, number
from scenes.kit.base.theme import paint
from scenes.kit.chart.bars import Bars

__all__ = ["Ruling"]


class Ruling(VGroup):
    """Level lines `width` px long, each with its value at the left, over which `unit` stands.

    `ticks`: index of a bar -> what is written under it; `axis` follows the last one.
    Parts: `levels`, `ticks`, `unit`.
    """

    def __init__(self, bars: Bars, levels: Iterable[float], unit: str, ticks: Mapping[int, object],
                 axis: str, width: float) -> None:
        self.levels = VGroup(*(self._level(bars, value, width) for value in levels))
        self.ticks = VGroup(*(number(text, SMALL).next_to(bars.at(k), DOWN, buff=px(22))
                              for k, text in ticks.items()))
        self.ticks.add(Label(axis, NOTE).next_to(self.ticks[-1], RIGHT, buff=px(30)))
        super().__init__(self.levels, self.ticks)
        self.unit = Label(unit, NOTE).next_to(self, UP, buff=px(26)).align_to(self, LEFT)
        self.add(self.unit)

    def _level(self, bars: Bars, value: float, width: float) -> VGroup:
        start = bars.axis.get_start() + UP * px(bars.length * value / bars.full)
        line = Line(start, start + RIGHT * px(width), stroke_width=1.5, color=paint("line"))
        return VGroup(line, number(value, SMALL).next_to(line, LEFT, buff=px(18)))
