"""Times as bars from one line, of which a part is told apart: at work, and the rest."""

from collections.abc import Sequence

from manim import LEFT, RIGHT, Animation, Rectangle, ReplacementTransform, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.motion import arrive
from scenes.kit.base.text import BODY, FIGURE, Label, Style, number
from scenes.kit.base.theme import mix, paint

__all__ = ["SplitBars"]


class SplitBars(VGroup):
    """Rows from above: a name, a bar as long as its total, its part bright at the start.

    `totals` and `parts` in one unit, of which the largest total is `length` px long; `texts`
    stand at the bars' ends. `room`: px for the names, set in `name`; `pitch`, `thickness` in px.
    Parts: `names`, `bars`, `parts` (always above their bars), `figures`, one a row.
    """

    def __init__(self, names: Sequence[str], totals: Sequence[float], parts: Sequence[float],
                 texts: Sequence[str], length: float = 1200, room: float = 380,
                 pitch: float = 92, thickness: float = 56, name: Style | float = BODY,
                 figure: Style | float = FIGURE) -> None:
        unit = px(length) / max(totals)
        self.names, self.bars, self.parts, self.figures = (VGroup() for _ in range(4))
        for k, (words, total, part, text) in enumerate(zip(names, totals, parts, texts)):
            y = -px(pitch) * k
            bar = _rest(total * unit, px(thickness)).move_to((px(room), y, 0), LEFT)
            work = _bar(part * unit, px(thickness)).move_to(bar, LEFT).set_z_index(1)
            self.names.add(Label(words, name).move_to((0, y, 0), LEFT))
            self.bars.add(bar)
            self.parts.add(work)
            self.figures.add(number(text, figure).next_to(bar, RIGHT, buff=px(24)))
        super().__init__(self.names, self.bars, self.parts, self.figures)

    def grow(self, k: int) -> list[Animation]:
        """Animations: the bar of a row grows from its start, its figure comes when it is there."""
        return [_grow(self.bars[k]), arrive(self.figures[k])]

    def work(self, k: int) -> Animation:
        """Animation: the bright part of a row grows from its start."""
        return _grow(self.parts[k])


def _grow(bar: VMobject) -> Animation:
    start = bar.copy().stretch_to_fit_width(px(2)).align_to(bar, LEFT)
    return ReplacementTransform(start, bar)


def _bar(width: float, height: float) -> Rectangle:
    return Rectangle(width=width, height=height, stroke_width=0, fill_color=paint("ink"),
                     fill_opacity=1)


def _rest(width: float, height: float) -> Rectangle:
    return Rectangle(width=width, height=height, stroke_width=2, stroke_color=paint("muted"),
                     fill_color=mix("muted", 0.25), fill_opacity=1)
