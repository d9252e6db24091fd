"""Prompts of different length, and how a batch lays them end to end."""

from collections.abc import Iterable, Sequence
from typing import cast

from manim import DOWN, LEFT, Animation, FadeOut, LaggedStart, Mobject, VGroup

from scenes.geometry import px
from scenes.kit.base.text import Label
from scenes.kit.engine.tokens import TokenStrip

__all__ = ["RaggedBatch"]


class RaggedBatch(VGroup):
    """Each prompt on a line of its own, its name before it; cells and gaps in px at 1080p.

    The middle of the cells is the origin: shift the whole. Parts: `names`, `strips`.
    """

    def __init__(self, names: Sequence[str], lengths: Sequence[int], roles: Sequence[str],
                 cell: float = 56, gap: float = 8) -> None:
        self.strips = VGroup(*(TokenStrip(n, "c" * n, role, cell, gap)
                               for n, role in zip(lengths, roles)))
        self.strips.arrange(DOWN, buff=px(40), aligned_edge=LEFT).center()
        self.names = VGroup(*(Label(name, 32, role, "semibold").next_to(strip, LEFT, buff=px(32))
                              for name, role, strip in zip(names, roles, self.strips)))
        super().__init__(self.names, self.strips)

    @property
    def cells(self) -> list[Mobject]:
        """All tokens' cells, in the order of the flattened batch."""
        return [cell for strip in self.strips for cell in strip]

    def flatten(self, places: Iterable[Mobject]) -> list[Animation]:
        """Animations: every token's cell moves to its place in the batch, as wide as that."""
        return [LaggedStart(*(cast(Animation, cell.animate.move_to(place).set_width(place.width))
                              for cell, place in zip(self.cells, places)), lag_ratio=0.05),
                FadeOut(self.names)]
