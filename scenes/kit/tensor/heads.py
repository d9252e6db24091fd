"""Query heads over the K/V heads that they read."""

from collections.abc import Sequence

from manim import DOWN, RIGHT, UP, Line, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint
from scenes.kit.tensor.grid import Grid

__all__ = ["HeadTree"]


class HeadTree(VGroup):
    """`kv_of[q]` is the K/V head that query head q reads; a K/V head is a K and a V half.

    Parts: `queries`, `stores` (one VGroup of K box and V box each) and `ways[q]`, the line from a
    query head to its K/V head. Sizes in px at 1080p; `size` 0 leaves the names out.
    """

    def __init__(self, kv_of: Sequence[int], cell: tuple[float, float] = (110, 90),
                 gap: float = 22, drop: float = 150, size: float = 32) -> None:
        width, height = map(px, cell)
        self.queries = VGroup(*(self._box(f"q{q}", "q", width, height, size)
                                for q in range(len(kv_of)))).arrange(RIGHT, buff=px(gap))
        self.stores, self.ways = VGroup(), VGroup()
        for kv in range(max(kv_of) + 1):
            readers = VGroup(*(self.queries[q] for q, reads in enumerate(kv_of) if reads == kv))
            half = min(readers.width, 2 * width) / 2
            store = VGroup(*(self._box(f"{name}{kv}", name, half, height, size)
                             for name in "kv")).arrange(RIGHT, buff=0)
            self.stores.add(store.next_to(readers, DOWN, buff=px(drop)))
        for query, kv in zip(self.queries, kv_of):
            self.ways.add(Line(query.get_bottom(), self.stores[kv].get_top(), stroke_width=3,
                               color=paint("muted")))
        super().__init__(self.ways, self.queries, self.stores)

    def results(self, name: str, level: int = 0) -> VGroup:
        """A row of cells over the query heads: what each computes for itself, s0 s1 s2 ..."""
        return VGroup(*(Grid([[f"{name}{q}"]], "q", (box.width / px(1), 46), 30)
                        .next_to(box, UP, buff=px(24 + 58 * level))
                        for q, box in enumerate(self.queries)))

    @staticmethod
    def _box(name: str, role: str, width: float, height: float, size: float) -> VGroup:
        box = RoundedRectangle(corner_radius=px(6), width=width, height=height, stroke_width=2.5,
                               stroke_color=paint(role), fill_color=mix(role, 0.25),
                               fill_opacity=1)
        label = number(name, size, weight="semibold").set_z_index(1) if size else VGroup()
        return VGroup(box, label)
