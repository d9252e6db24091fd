"""Bars that stand on a line or hang from it: numbers with their signs, to scale."""

from collections.abc import Sequence
from typing import cast

from manim import DOWN, UP, Animation, FadeIn, FadeOut, Rectangle, VGroup, VMobject, smooth
from manim.utils.rate_functions import squish_rate_func

from scenes.geometry import px
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint
from scenes.kit.engine.readout import Readout

__all__ = ["SignedBars"]

_LEAST, _GAP = 4, 16  # px: of a bar of value 0; from a bar's end to its figure


class SignedBars(VGroup):
    """`values`, each a bar from height `floor` (manim units), and `texts`, written at their ends.

    `places`: the bars' middles, manim units; `unit`: px at 1080p of a value of 1; `width`, `size`:
    px of a bar and of a figure. Parts, one a bar: `bars`, `figures`.
    """

    def __init__(self, values: Sequence[float], texts: Sequence[str], places: Sequence[float],
                 floor: float, unit: float, role: str, width: float = 120,
                 size: float = 52) -> None:
        self.places, self.floor, self.unit = list(places), floor, unit
        self.role, self.width_, self.size = role, width, size
        self.bars = VGroup(*(self.bar(k, value) for k, value in enumerate(values)))
        self.figures = VGroup(*(Readout(text, size, anchor=(0, 0, 0)) for text in texts))
        for k, (figure, value) in enumerate(zip(self.figures, values)):
            figure.move_to(self._end(k, value))
        super().__init__(self.bars, self.figures)

    def bar(self, k: int, value: float) -> Rectangle:
        """Bar k as it looks with another value."""
        high = max(abs(value) * px(self.unit), px(_LEAST))
        bar = Rectangle(width=px(self.width_), height=high, stroke_width=3,
                        stroke_color=paint(self.role), fill_color=mix(self.role, 0.45),
                        fill_opacity=1)
        return bar.move_to((self.places[k], self.floor, 0), UP if value < 0 else DOWN)

    def _end(self, k: int, value: float) -> tuple[float, float, float]:
        """Where the figure of bar k stands."""
        away = abs(value) * px(self.unit) + px(_GAP + 0.37 * self.size)
        return (self.places[k], self.floor + (-away if value < 0 else away), 0)

    def to(self, k: int, value: float, text: str) -> list[Movement]:
        """Animations: bar k takes another value; its figure goes with its end."""
        figure = cast(Readout, self.figures[k])
        old = figure[0]
        new = number(text, self.size, weight="semibold").move_to(self._end(k, value))
        figure.submobjects, figure.value = [new], text
        return [self.bars[k].animate.become(self.bar(k, value)), *_change(old, new)]


def _change(old: VMobject, new: VMobject) -> list[Animation]:
    """A figure goes half of the way, then its successor comes the other half."""
    half = (new.get_center() - old.get_center()) / 2
    return [FadeOut(old, shift=half, rate_func=squish_rate_func(smooth, 0, 0.4)),
            FadeIn(new, shift=half, rate_func=squish_rate_func(smooth, 0.5, 1))]
