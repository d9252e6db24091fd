"""What stands around a numbered tensor: its shape, who its rows are, where an element lies."""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import cast

from manim import DOWN, LEFT, RIGHT, UP, VGroup

from scenes.geometry import px
from scenes.kit.base.caption import caption
from scenes.kit.base.spans import Spans
from scenes.kit.base.text import SMALL, Label
from scenes.kit.tensor.grid import Grid
from scenes.kit.tensor.reshape import GridStack

__all__ = ["TensorNames"]


class TensorNames(VGroup):
    """The shape above a stack, `outer` names left of its matrices, `inner` ones right of rows.

    A stack of one matrix has the outer names at its rows. The first `pale` axes, which the stack
    does not draw, are written paler. `reach`: px from the stack's middle up to the shape and down
    to coordinates, so that those of several stacks stand level.
    """

    def __init__(self, stack: GridStack, shape: Sequence[int], outer: Iterable[str],
                 inner: Iterable[str] = (), pale: int = 0,
                 reach: tuple[float, float] = (295, 315)) -> None:
        self.stack, self.pale, self.reach = stack, pale, reach
        rows = [row for grid in stack for row in cast(Grid, grid).rows]
        beside = [*zip(stack if len(stack) > 1 else rows, outer, repeat(LEFT)),
                  *zip(rows, inner, repeat(RIGHT))]
        top = stack.get_center() + UP * px(reach[0])
        super().__init__(self._line("[]", shape, "ink").move_to(top),
                         *(caption(place, text, SMALL, side) for place, text, side in beside))

    def coordinates(self, indices: Sequence[int], axes: str) -> VGroup:
        """The indices of an element and the names of their axes, below the stack."""
        lines = VGroup(self._line("()", indices, "focus"), Label(axes, SMALL))
        low = self.stack.get_center() + DOWN * px(self.reach[1])
        return lines.arrange(DOWN, buff=px(22)).move_to(low)

    def _line(self, brackets: str, numbers: Sequence[int], role: str) -> Spans:
        pale, rest = ([*map(str, part)] for part in (numbers[:self.pale], numbers[self.pale:]))
        parts = [(brackets[0], role), *((f"{axis}, ", "muted") for axis in pale),
                 (", ".join(rest) + brackets[1], role)]
        return Spans(parts, 38, weight="semibold")
