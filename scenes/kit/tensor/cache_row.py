"""What a way of grouping heads costs in the K/V cache: its heads become a bar of bytes."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, TransformFromCopy, VGroup

from scenes.geometry import px
from scenes.kit.base.text import BODY, FIGURE, Label, number
from scenes.kit.tensor.heads import HeadTree
from scenes.kit.tensor.scale import Part, ScaleBar

__all__ = ["CacheRow"]


class CacheRow(VGroup):
    """Name and notes, query heads over their K/V heads, and a bar of one token's bytes to scale.

    `kv_of` as in `HeadTree`; `bytes_` a token; `unit`: px at 1080p a byte; `heads`: px that all
    query heads take. The left edge is the origin: shift the whole. Parts: `tag`, `tree`, `bar`,
    `amount`, and `fits`, what that means for the memory.
    """

    def __init__(self, name: str, notes: Sequence[str], kv_of: Sequence[int], bytes_: float,
                 unit: float, amount: str, fits: str, heads: float = 580) -> None:
        count = max(kv_of) + 1
        self.tag = VGroup(number(name, 36, weight="semibold"), *(Label(n, 28) for n in notes))
        self.tag.arrange(DOWN, buff=px(24), aligned_edge=LEFT).move_to((0, 0, 0), LEFT)
        self.tree = HeadTree(kv_of, (heads / len(kv_of) - 8, 50), 8, 56, 0)
        self.tree.move_to((px(250), 0, 0), LEFT)
        parts = [Part(bytes_ / 2 / count, role, role.upper())
                 for role in "kv" for _ in range(count)]
        self.bar = ScaleBar(parts, unit, 70).move_to((px(890), px(30), 0), LEFT)
        self.amount = number(amount, FIGURE).next_to(self.bar, RIGHT, buff=px(26))
        self.fits = Label(fits, BODY, "muted").next_to(self.bar, DOWN, buff=px(32))
        self.fits.align_to(self.bar, LEFT)
        super().__init__(self.tag, self.tree, self.bar, self.amount, self.fits)

    def weigh(self) -> list[TransformFromCopy]:
        """Animations: each head's K and V become their slices of the bar, K first."""
        count = len(self.tree.stores)
        return [TransformFromCopy(half[0], self.bar.boxes[v * count + j])
                for j, store in enumerate(self.tree.stores) for v, half in enumerate(store)]
