"""A weight matrix seen by its widths: what enters it and what leaves it, to scale."""

from collections.abc import Sequence
from typing import Any

from manim import (
    DOWN,
    LEFT,
    ORIGIN,
    RIGHT,
    UP,
    Animation,
    FadeIn,
    Rectangle,
    TransformFromCopy,
    VGroup,
)

from scenes.geometry import px
from scenes.kit.base.flow import arrow
from scenes.kit.base.text import BODY, NOTE, Label, number
from scenes.kit.base.theme import mix, paint
from scenes.kit.tensor.scale import Part, ScaleBar

__all__ = ["Projection"]


class Projection(VGroup):
    """A bar, an arrow with the matrix' name above and what it does below, and another bar.

    `unit`: px at 1080p of one number of a row; `gap`: px from bar to bar, room for the name;
    `note` stands beside the second bar. The first bar ends at the origin: shift the whole.
    Parts: `enters`, `leaves` (ScaleBars), `caption`.
    """

    def __init__(self, name: str, does: str, enters: Sequence[Part], leaves: Sequence[Part],
                 unit: float, gap: float = 300, height: float = 84, note: str = "") -> None:
        self.unit = unit
        self.enters = ScaleBar(enters, unit, height, 30).move_to(ORIGIN, RIGHT)
        self.leaves = ScaleBar(leaves, unit, height, 30).move_to((px(gap), 0, 0), LEFT)
        way = arrow(self.enters.get_right(), self.leaves.get_left(), "ink", 14)
        self.caption = VGroup(
            way, number(name, BODY, weight="semibold").next_to(way, UP, buff=px(14)),
            Label(does, NOTE).next_to(way, DOWN, buff=px(22)))
        if note:
            self.caption.add(Label(note, BODY, "muted").next_to(self.leaves, RIGHT, buff=px(28)))
        super().__init__(self.enters, self.caption, self.leaves)

    def enter(self, feed: ScaleBar | None = None) -> list[Animation]:
        """Animations: the first bar appears, or comes as a copy of the bar that feeds it."""
        if feed is None:
            return [FadeIn(self.enters.boxes)]
        return [TransformFromCopy(feed.boxes[0], self.enters.boxes[0])]

    def project(self) -> list[Animation]:
        """Animations: what enters becomes what leaves, of another width."""
        return [FadeIn(self.caption), TransformFromCopy(self.enters.boxes, self.leaves.boxes)]

    def compare(self, amount: float, note: str, role: str = "stop") -> list[Any]:
        """Animations: a thin bar below the second one, `amount` wide, with a note beside it.

        It comes as a copy of what enters.
        """
        bar = Rectangle(width=px(amount * self.unit), height=px(20), stroke_width=2.5,
                        stroke_color=paint(role), fill_color=mix(role, 0.3), fill_opacity=1)
        bar.next_to(self.leaves, DOWN, buff=px(12)).align_to(self.leaves, LEFT)
        label = Label(note, BODY, role).next_to(bar, RIGHT, buff=px(24))
        return [TransformFromCopy(self.enters.boxes[0], bar), FadeIn(label)]
