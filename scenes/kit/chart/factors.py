"""A product of named factors, multiplied out one by one."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import mul

from manim import DOWN, RIGHT, UP, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.text import BODY, Label, number
from scenes.kit.tensor.grid import Grid

__all__ = ["FactorChain"]


class FactorChain(VGroup):
    """`2 × 28 × 8`, each factor's name above its cell and the product so far below it.

    `unit` is written after the last product. `cell` is (width, height), `gap` the way from cell
    to cell, in px at 1080p. Parts: `cells`, `names`, `signs`, `totals`.
    """

    def __init__(self, names: Sequence[str], factors: Sequence[int], roles: str | Sequence[str],
                 unit: str = "", cell: tuple[float, float] = (210, 120), gap: float = 110) -> None:
        grid = Grid([[str(factor) for factor in factors]], roles, cell, 60)
        self.cells = VGroup(*grid).arrange(RIGHT, buff=px(gap))
        self.signs = VGroup(*(number("×", 48, "muted").move_to((a.get_right() + b.get_left()) / 2)
                              for a, b in pairwise(self.cells)))
        self.names = VGroup(*(Label(name, BODY, "muted").next_to(box, UP, buff=px(28))
                              for name, box in zip(names, self.cells)))
        written = [f"{product:,}" for product in accumulate(factors, mul)]
        written[-1] = f"{written[-1]} {unit}".rstrip()
        self.totals = VGroup(*(number(product, 36).next_to(box, DOWN, buff=px(44))
                               for product, box in zip(written, self.cells)))
        super().__init__(self.cells, self.names, self.signs, self.totals)

    def factor(self, k: int) -> list[VMobject]:
        """What comes with factor k: cell and name, and a sign, or the first product."""
        return [self.cells[k], self.names[k], self.signs[k - 1] if k else self.totals[0]]
