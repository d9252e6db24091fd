"""A column of figures beside the rows of a chart."""

from collections.abc import Sequence
from typing import Any, Protocol

from manim import RIGHT, Animation, Mobject, VGroup

from scenes.geometry import px
from scenes.kit.base.text import CODE, Style
from scenes.kit.engine.readout import Readout
from scenes.kit.tensor.grid import ring

__all__ = ["Column"]


class _Rows(Protocol):
    def at(self, row: int, /) -> Any: ...


class Column(VGroup):
    """`texts`, one a row of `chart` (Bars, Race: whatever has rows `at(k)`), that can change.

    They end flush right, `x` px to the right of where the rows begin (less than 0: left of it);
    so does `head`, `above` px over the first row. `roles`: one for all, or one each.
    Parts: `figures`, a Readout each, and `head`.
    """

    def __init__(self, chart: _Rows, texts: Sequence[str], x: float, size: Style | float = CODE,
                 roles: str | Sequence[str] = "ink", head: Mobject | None = None,
                 above: float = 60) -> None:
        self._chart, self._x = chart, px(x)
        roles = [roles] * len(texts) if isinstance(roles, str) else roles
        self.figures = VGroup(*(self.flush(Readout(text, size, role, "regular", RIGHT), k)
                                for k, (text, role) in enumerate(zip(texts, roles))))
        self.head = head
        super().__init__(self.figures, *([] if head is None else [self.flush(head, above=above)]))

    def flush(self, mobject: Mobject, row: int = 0, above: float = 0) -> Any:
        """Put something flush right in this column, `above` px over a row; it."""
        left = self._chart.at(row)
        return mobject.move_to((left[0] + self._x, left[1] + px(above), 0), RIGHT)

    def ring(self, row: int, *others: "Column") -> Mobject:
        """A frame around the figures of one row, here and in other columns."""
        return ring(VGroup(*(column.figures[row] for column in (self, *others))), buff=8)

    def to(self, texts: Sequence[str]) -> list[Animation]:
        """Animations to other figures; those that stay the same stay still."""
        return [move for figure, text in zip(self.figures, texts) for move in figure.to(text)]
