"""A request as a line: its letter, the word for its state, and its tokens under them."""

import numpy as np
from manim import LEFT, Animation, MoveToTarget, VGroup, VMobject

from scenes.geometry import px
from scenes.kit import Label, TokenStrip, name_tag
from scenes.kit.base.motion import Movement, replace
from scenes.views.request import token_looks
from traces.state import RequestState

__all__ = ["RequestLine"]

_NAME, _GAP = 30, 14  # px from the top to the middle of the letter, from it to the tokens


class RequestLine(VGroup):
    """`cells` tokens of `cell` px, as the state of the request has them; `word` says that state.

    `place` and `go` take the upper left corner, in manim units. Parts: `tag`, `word`, `strip`.
    """

    def __init__(self, request: RequestState, role: str, cells: int, word: str,
                 cell: float = 84) -> None:
        self.strip = TokenStrip(request.num_prompt, token_looks(request, cells), role, cell)
        self.tag = name_tag(request.name, role, 46)
        self.word = Label(word, 36, "muted")
        super().__init__(self.tag, self.word, self.strip)
        self.place((0, 0))

    @property
    def request(self) -> str:
        return self.tag.text

    def place(self, corner: tuple[float, float]) -> "RequestLine":
        """Put it there at once."""
        name, word, strip = self._places(corner, self.strip.cell)
        self.tag.move_to(name, LEFT)
        self.word.move_to(word, LEFT)
        self.strip.shift(strip - self.strip[0].get_left())
        return self

    def go(self, corner: tuple[float, float], cell: float) -> list[Movement]:
        """Animations: there, with tokens of another size; the words keep theirs."""
        name, word, strip = self._places(corner, cell)
        goal = self.strip.generate_target()
        goal.scale(cell / self.strip.cell, about_point=self.strip[0].get_left())
        goal.shift(strip - self.strip[0].get_left())
        self.strip.cell = cell
        return [MoveToTarget(self.strip), self.tag.animate.move_to(name, LEFT),
                self.word.animate.move_to(word, LEFT)]

    def _places(self, corner: tuple[float, float], cell: float) -> list[np.ndarray]:
        """Left middles of the letter, the word and the tokens."""
        left, top = corner
        middle = top - px(_NAME)
        return [np.array(point) for point in (
            (left, middle, 0), (left + px(56), middle, 0),
            (left, middle - px(_NAME + _GAP + cell / 2), 0))]

    def say(self, text: str, role: str = "muted") -> list[Animation]:
        """Animations: another word for its state, in the same place; none if it is the same."""
        if text == self.word.text:
            return []
        old, self.word = self.word, Label(text, 36, role)
        self.word.move_to(old.get_left(), LEFT)
        self.remove(old)
        self.add(self.word)
        return replace(old, self.word)

    def to(self, request: RequestState, decode: bool = False) -> list[Animation]:
        """Animations to the request in another state, planned for a prefill or a decode."""
        return self.strip.show(token_looks(request, len(self.strip), decode))

    def tokens(self, start: int, count: int) -> list[VMobject]:
        """The cells of some tokens."""
        return [*self.strip[start:start + count]]
