"""Times as bars from one line, each over a lane with the pieces in which another is at work."""

from collections.abc import Sequence

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    Animation,
    FadeIn,
    LaggedStart,
    Rectangle,
    ReplacementTransform,
    VGroup,
    VMobject,
)

from scenes.geometry import px
from scenes.kit.base.motion import arrive
from scenes.kit.base.text import BODY, FIGURE, Label, Style, number
from scenes.kit.base.theme import mix, paint

__all__ = ["SplitBars"]


class SplitBars(VGroup):
    """Rows from above: a name, a bar as long as its total, and under it a lane of bright pieces.

    `totals` in one unit, of which the largest is `length` px long; `pieces`: for each row (begin
    as a share of its total, length in that unit); `texts` stand at the bars' ends. `room`: px for
    the names, set in `name`; `pitch`, `thickness` of a lane in px.
    Parts: `names`, `bars`, `lanes`, `parts` (the pieces), `figures`, one a row.
    """

    def __init__(self, names: Sequence[str], totals: Sequence[float],
                 pieces: Sequence[Sequence[tuple[float, float]]],
                 texts: Sequence[str], length: float = 1200, room: float = 380,
                 pitch: float = 92, thickness: float = 56, name: Style | float = BODY,
                 figure: Style | float = FIGURE) -> None:
        unit = px(length) / max(totals)
        self.names, self.bars, self.lanes, self.parts, self.figures = (VGroup() for _ in range(5))
        for k, (words, total, work, text) in enumerate(zip(names, totals, pieces, texts)):
            y = -px(pitch) * k
            bar = _rest(total * unit, px(thickness)).move_to((px(room), y, 0), LEFT)
            lane = bar.copy().set_fill(opacity=0).shift(DOWN * px(thickness + 8))
            self.names.add(Label(words, name).move_to((0, y, 0), LEFT))
            self.bars.add(bar)
            self.lanes.add(lane)
            self.parts.add(VGroup(*(
                _bar(long * unit, px(thickness)).move_to(lane, LEFT).shift(
                    RIGHT * total * unit * begin).set_z_index(1) for begin, long in work)))
            self.figures.add(number(text, figure).next_to(bar, RIGHT, buff=px(24)))
        super().__init__(self.names, self.bars, self.lanes, self.parts, self.figures)

    def grow(self, k: int) -> list[Animation]:
        """Animations: the bar of a row grows from its start, its figure comes when it is there."""
        return [_grow(self.bars[k]), arrive(self.figures[k])]

    def work(self, k: int) -> list[Animation]:
        """Animations: the lane of a row comes, then its bright pieces, one after another."""
        return [FadeIn(self.lanes[k]), LaggedStart(*map(FadeIn, self.parts[k]), lag_ratio=0.1)]


def _grow(bar: VMobject) -> Animation:
    start = bar.copy().stretch_to_fit_width(px(2)).align_to(bar, LEFT)
    return ReplacementTransform(start, bar)


def _bar(width: float, height: float) -> Rectangle:
    return Rectangle(width=width, height=height, stroke_width=0, fill_color=paint("ink"),
                     fill_opacity=1)


def _rest(width: float, height: float) -> Rectangle:
    return Rectangle(width=width, height=height, stroke_width=2, stroke_color=paint("muted"),
                     fill_color=mix("muted", 0.25), fill_opacity=1)
