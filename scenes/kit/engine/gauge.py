"""The token budget of one step: as many cells as tokens may be computed."""

from collections.abc import Sequence

from manim import LEFT, RIGHT, UP, Animation, RoundedRectangle, VGroup
from manim.typing import Vector3DLike

from scenes.geometry import px
from scenes.kit.base.motion import Movement, swap
from scenes.kit.base.text import NOTE, Label, Style, number
from scenes.kit.base.theme import paint

__all__ = ["Gauge", "Readout"]


class Readout(VGroup):
    """A figure that can change: `to` rolls the old one out of its place, then the new one in."""

    def __init__(self, value: object, size: Style | float = 44, role: str = "ink",
                 weight: str = "semibold", anchor: Vector3DLike = LEFT) -> None:
        self._size, self._role, self._weight, self._anchor = size, role, weight, anchor
        super().__init__(number(value, size, role, weight))
        self.value = str(value)

    def to(self, value: object, role: str | None = None) -> list[Animation]:
        if str(value) == self.value and role in (None, self._role):
            return []
        self._role = role or self._role
        old = self[0]
        new = number(value, self._size, self._role, self._weight)
        new.move_to(old.get_edge_center(self._anchor), self._anchor)
        self.remove(old)
        self.add(new)
        self.value = str(value)
        return swap(old, new, UP * px(16))


class Gauge(VGroup):
    """One cell a token that a step may compute, in at most `width` px and `most` px each.

    What a step uses takes the hue of the request that it is used for; what it leaves stays an
    empty outline. Parts: `caption`, `cells`, `readout`.
    """

    def __init__(self, caption: str, budget: int, width: float = 720, most: float = 52) -> None:
        self.budget, self.parts = budget, [""] * budget
        cell = min(most, (width + 6) / budget - 6)
        self.cells = VGroup(*(
            RoundedRectangle(corner_radius=px(5), width=px(cell), height=px(most), stroke_width=2.5,
                             stroke_color=paint("muted"), fill_color=paint("ground"),
                             fill_opacity=1) for _ in range(budget)))
        self.cells.arrange(RIGHT, buff=px(6))
        self.caption = Label(caption, NOTE)
        self.caption.next_to(self.cells, UP, buff=px(26)).align_to(self.cells, LEFT)
        self.readout = Readout(f"0 / {budget}", 44, "ink")
        self.readout.next_to(self.cells, -UP, buff=px(26)).align_to(self.cells, LEFT)
        super().__init__(self.caption, self.cells, self.readout)

    def show(self, shares: Sequence[tuple[str, int]]  # type: ignore[override]  # manim's opens a viewer
             ) -> list[Movement]:
        """Animations to a step's use of the budget: pairs of a role and a number of tokens."""
        parts = [role for role, count in shares for _ in range(count)]
        used = len(parts)
        parts += [""] * (self.budget - used)
        moves: list[Movement] = [
            cell.animate.set_fill(paint(new or "ground")).set_stroke(paint(new or "muted"))
            for cell, old, new in zip(self.cells, self.parts, parts) if old != new]
        self.parts = parts
        return [*moves, *self.readout.to(f"{used} / {self.budget}")]
