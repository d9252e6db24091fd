"""One head's numbers as rotary position embedding pairs them: i with i + d/2."""

from collections.abc import Sequence

from manim import DOWN, Create, LaggedStart, Mobject, VGroup

from scenes.kit.base.flow import arc
from scenes.kit.tensor.grid import Grid, ring

__all__ = ["PairedHead"]


class PairedHead(Grid):
    """A row of `numbers` [d], as written; `links` are arcs over the pairs, pair 0 in focus."""

    def __init__(self, numbers: Sequence[str], role: str) -> None:
        super().__init__([numbers], role, (112, 96), 44)
        self.half = len(numbers) // 2

    def places(self) -> VGroup:
        """The numbers' indices, under them."""
        return self.axis(map(str, range(2 * self.half)), DOWN, size=28)

    def links(self) -> LaggedStart:
        """Animation: the arcs come, one after another."""
        looks = [("focus", 4)] + [("muted", 2.5)] * (self.half - 1)
        return LaggedStart(*(
            Create(arc(self.cell(0, i).get_top(), self.cell(0, i + self.half).get_top(), -0.75,
                       *look)[0]) for i, look in enumerate(looks)), lag_ratio=0.4)

    def pair(self, i: int) -> list[Mobject]:
        """The two numbers of pair i."""
        return [self.label(0, i), self.label(0, i + self.half)]

    def rings(self, i: int) -> VGroup:
        """Frames around the two cells of pair i."""
        return VGroup(ring(self.cell(0, i)), ring(self.cell(0, i + self.half)))
