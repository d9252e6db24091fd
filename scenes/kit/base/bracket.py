"""A bracket along one side of some cells, with the words or the figure that counts them."""

from manim import UP, Mobject, VGroup, VMobject
from manim.typing import Vector3D

from scenes.geometry import px
from scenes.kit.base.motion import Movement, swap
from scenes.kit.base.text import Label, Style, number
from scenes.kit.base.theme import paint

__all__ = ["Bracket"]

_FOOT = 16  # px from the bracket's line to its ends


class Bracket(VGroup):
    """Over (`side` UP) or under (DOWN) a mobject; `to` stretches it over another one.

    `buff`: px from the cells to the bracket's feet. Parts: `line`, `words`.
    """

    def __init__(self, cells: Mobject, text: str, side: Vector3D = UP, role: str = "ink",
                 size: Style | float = 56, buff: float = 14, mono: bool = False) -> None:
        self._side, self._role, self._size = side, role, size
        self._buff, self._build = buff, number if mono else Label
        self.line = VMobject(stroke_width=4, stroke_color=paint(role))
        self.words = self._build(text, size, role, "semibold")
        self._set(self.line, self.words, cells)
        super().__init__(self.line, self.words)

    def _set(self, line: VMobject, words: Label, cells: Mobject) -> None:
        near = cells.get_edge_center(self._side)[1] + px(self._buff) * self._side[1]
        far = near + px(_FOOT) * self._side[1]
        left, right = cells.get_left()[0] + px(2), cells.get_right()[0] - px(2)
        line.set_points_as_corners([(left, near, 0), (left, far, 0), (right, far, 0),
                                    (right, near, 0)])
        words.next_to(line, self._side, buff=px(22))

    def to(self, cells: Mobject, text: str = "") -> list[Movement]:
        """Animations: over other cells; with other words, if there are any."""
        line, words = self.line.copy(), self._build(text or self.words.text, self._size,
                                                    self._role, "semibold")
        self._set(line, words, cells)
        moves: list[Movement] = [self.line.animate.become(line)]
        if words.text == self.words.text:
            return [*moves, self.words.animate.move_to(words)]
        old, self.words = self.words, words
        self.remove(old)
        self.add(words)
        return [*moves, *swap(old, words)]
