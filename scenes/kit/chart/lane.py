"""A timeline under its caption, with the figures that sum it up."""

from collections.abc import Sequence

from manim import LEFT, RIGHT, VGroup

from scenes.geometry import px
from scenes.kit.base.text import FIGURE, LEAD, Label, number
from scenes.kit.chart.timeline import Timeline

__all__ = ["Lane"]


class Lane(VGroup):
    """Parts: `caption`, `timeline`, `figures`. The caption's left end stands at the origin.

    `figures`: pairs of a text and its role. The middle of the timeline's first cell stands
    `indent` px to the right and `drop` px below; the figures begin `column` px to the right, or
    just after the caption.
    """

    def __init__(self, caption: str, timeline: Timeline, figures: Sequence[tuple[str, str]],
                 indent: float = 170, drop: float = 106, column: float | None = None) -> None:
        self.caption = Label(caption, LEAD).move_to((0, 0, 0), LEFT)
        self.timeline = timeline.shift((px(indent), -px(drop), 0))
        self.figures = VGroup(*(number(text, FIGURE, role) for text, role in figures))
        self.figures.arrange(RIGHT, buff=px(60))
        if column is None:
            self.figures.next_to(self.caption, RIGHT, buff=px(60))
        else:
            self.figures.move_to((px(column), 0, 0), LEFT)
        super().__init__(self.caption, self.timeline, self.figures)
