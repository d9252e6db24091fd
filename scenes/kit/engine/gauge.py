"""The token budget of one step: as many cells as tokens may be computed."""

from manim import LEFT, RIGHT, UP, FadeIn, FadeOut, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Gauge", "Readout"]


class Readout(VGroup):
    """A figure that can change: `to` fades the old one up and the new one in."""

    def __init__(self, value, size=44, role="ink", weight="semibold", anchor=LEFT):
        self._size, self._role, self._weight, self._anchor = size, role, weight, anchor
        super().__init__(number(value, size, role, weight))
        self.value = str(value)

    def to(self, value, role=None) -> list:
        if str(value) == self.value and role in (None, self._role):
            return []
        self._role = role or self._role
        old = self[0]
        new = number(value, self._size, self._role, self._weight)
        new.move_to(old.get_edge_center(self._anchor), self._anchor)
        self.remove(old)
        self.add(new)
        self.value = str(value)
        return [FadeOut(old, shift=UP * px(16)), FadeIn(new, shift=UP * px(16))]


class Gauge(VGroup):
    """Cells fill in the focus colour; what a step leaves unused stays an empty outline.

    More than `most` tokens are drawn as one bar.
    """

    def __init__(self, caption: str, budget: int, width=720, most=32):
        self.budget, self.used = budget, 0
        count = budget if budget <= most else 1
        gap = 6 if count > 1 else 0
        cell = min(52, (width - gap * (count - 1)) / count) if count > 1 else width
        self.cells = VGroup(*(
            RoundedRectangle(corner_radius=px(5), width=px(cell), height=px(52), stroke_width=2.5,
                             stroke_color=paint("muted"), fill_color=mix("focus", 0.06),
                             fill_opacity=1)
            for _ in range(count)))
        self.cells.arrange(RIGHT, buff=px(gap))
        self.caption = Label(caption, 28, "muted")
        self.caption.next_to(self.cells, UP, buff=px(26)).align_to(self.cells, LEFT)
        self.readout = Readout(f"0 / {budget}", 44, "ink")
        self.readout.next_to(self.cells, -UP, buff=px(26)).align_to(self.cells, LEFT)
        super().__init__(self.caption, self.cells, self.readout)

    def show(self, used: int) -> list:
        """Animations to `used` of the budget."""
        moves = []
        share = used if len(self.cells) > 1 else int(used > 0)
        for k, cell in enumerate(self.cells):
            full = k < share
            if full != (k < (self.used if len(self.cells) > 1 else int(self.used > 0))):
                fill, edge = ("focus", "focus") if full else ("ground", "muted")
                moves.append(cell.animate.set_fill(paint(fill)).set_stroke(paint(edge)))
        self.used = used
        return moves + self.readout.to(f"{used} / {self.budget}", "focus" if used else "ink")
