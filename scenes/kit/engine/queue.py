"""A queue of numbers: taken at the left, given back at the right."""

from collections.abc import Sequence

from manim import (
    LEFT,
    UP,
    Animation,
    FadeIn,
    FadeOut,
    MoveToTarget,
    RoundedRectangle,
    VGroup,
    smooth,
)
from manim.utils.rate_functions import squish_rate_func

from scenes.geometry import px
from scenes.kit.base.text import NOTE, Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["IdQueue"]


class IdQueue(VGroup):
    """`caption`, then one chip for each of `ids`, the next to be taken first.

    `width`: px for caption and `room` chips. Parts: `caption`, `chips` (id -> chip).
    """

    def __init__(self, caption: str, ids: Sequence[int], room: int, width: float = 1700) -> None:
        self.caption = Label(caption, NOTE).move_to((0, 0, 0), LEFT)
        start = self.caption.width + px(28)
        self.pitch = min(px(68), (px(width) - start) / max(room, 1))
        self.start = start
        self.chips: dict[int, VGroup] = {}
        super().__init__(self.caption)
        for k, value in enumerate(ids):
            self.add(self._chip(value).move_to(self._place(k), LEFT))

    def _place(self, k: int) -> tuple[float, float, float]:
        """The left end of chip number k, wherever the queue stands."""
        return (self.caption.get_left()[0] + self.start + k * self.pitch, self.caption.get_y(), 0)

    def _chip(self, value: int) -> VGroup:
        box = RoundedRectangle(corner_radius=px(8), width=self.pitch - px(8), height=px(48),
                               stroke_width=2, stroke_color=mix("muted", 0.6),
                               fill_color=paint("panel"), fill_opacity=1)
        self.chips[value] = VGroup(box, number(value, 26).move_to(box).set_z_index(1))
        return self.chips[value]

    def to(self, ids: Sequence[int]) -> list[Animation]:
        """Animations to another queue: taken chips go up, the others close ranks, new ones join

        from the right, one after the other.
        """
        new = [value for value in ids if value not in self.chips]
        moves: list[Animation] = []
        for value in [value for value in self.chips if value not in ids]:
            chip = self.chips.pop(value)
            self.remove(chip)
            moves.append(FadeOut(chip, shift=UP * px(40),
                                 rate_func=squish_rate_func(smooth, 0, 0.5)))
        for k, value in enumerate(ids):
            if value in new:
                chip = self._chip(value).move_to(self._place(k), LEFT)
                self.add(chip)
                begin = 0.3 + 0.4 * new.index(value) / len(new)
                moves.append(FadeIn(chip, shift=LEFT * px(60),
                                    rate_func=squish_rate_func(smooth, begin, begin + 0.3)))
            else:
                chip = self.chips[value]
                chip.generate_target().move_to(self._place(k), LEFT)
                if max(abs(chip.target.get_center() - chip.get_center())) > 1e-6:
                    moves.append(MoveToTarget(chip))
        return moves

    @property
    def ids(self) -> tuple[int, ...]:
        """The chips now in the queue, from left to right."""
        return tuple(sorted(self.chips, key=lambda value: float(self.chips[value].get_x())))
