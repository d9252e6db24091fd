"""The one drawing of a place in the KV cache: a token's K above its V."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    MoveToTarget,
    Rectangle,
    RoundedRectangle,
    VGroup,
    VMobject,
)

from scenes.geometry import px
from scenes.kit.base.text import SMALL, Label
from scenes.kit.base.theme import mix, paint

__all__ = ["KVBar", "KVCell", "KVKey", "Slot"]

_INSET = 5  # px between a cell's edge and the halves in it
_SPLIT = 4  # px between K and V
_FULL, _KEPT = 0.72, 0.26  # how strongly K's and V's hues fill a cell


class Slot(StrEnum):
    """What a place in the cache holds."""

    EMPTY = "empty"  # reserved, nothing written
    KNOWN = "known"  # the token's id is known, its K and V are not computed
    PREFILL = "prefill"  # written in this step, as part of a prompt
    DECODE = "decode"  # written in this step, one token of a decode
    CACHED = "cached"
    KEPT = "kept"  # written earlier; the block has been given back

    @property
    def now(self) -> bool:
        """Whether this step writes it."""
        return self in (Slot.PREFILL, Slot.DECODE)

    @property
    def share(self) -> float:
        """How strongly the hues of K and V fill it, 0 to 1; 0: there is nothing in it."""
        return {Slot.CACHED: _FULL, Slot.KEPT: _KEPT}.get(self, float(self.now))


def _half(width: float, height: float, role: str) -> Rectangle:
    return Rectangle(width=width, height=height, stroke_width=0, fill_color=paint(role))


def _paint_halves(k: VMobject, v: VMobject, share: float) -> None:
    for half, role in ((k, "k"), (v, "v")):
        half.set_fill(mix(role, share or 1), float(share > 0))


class KVCell(VGroup):
    """One token's K over its V, `cell` px wide and `height` px high (square by default).

    Written now: full hues, a bright edge and a stripe between K and V, solid in a prefill,
    dotted in a decode. Parts: `edge`, `k`, `v`, `stripe`.
    """

    def __init__(self, slot: Slot = Slot.EMPTY, cell: float = 56,
                 height: float | None = None) -> None:
        wide, high = cell - 2 * _INSET, (height or cell) - 2 * _INSET
        self.slot = slot
        self.edge = RoundedRectangle(corner_radius=px(6), width=px(cell), height=px(height or cell))
        self.k, self.v = (_half(px(wide), px((high - _SPLIT) / 2), role) for role in "kv")
        self.k.align_to((0, px(high / 2), 0), UP)
        self.v.align_to((0, -px(high / 2), 0), DOWN)
        self.stripe = VMobject(stroke_width=0, fill_opacity=0)
        super().__init__(self.edge, self.k, self.v, self.stripe)
        self._cut_stripe(slot)
        self._paint(self, slot)

    def _cut_stripe(self, slot: Slot) -> None:
        """The stripe's shape: one band, or three dots."""
        width, height = self.k.width, px(_SPLIT + 4)
        count = 1 if slot is not Slot.DECODE else 3
        part = width / (1.6 * count - 0.6)
        bands = [Rectangle(width=part, height=height).shift(((1.6 * i) * part, 0, 0))
                 for i in range(count)]
        self.stripe.set_points(np.concatenate([band.points for band in bands]))
        self.stripe.move_to(self.edge)

    @staticmethod
    def _paint(cell: VGroup, slot: Slot) -> None:
        edge, k, v, stripe = cell
        color, width = {Slot.EMPTY: (mix("muted", 0.4), 1.5), Slot.KNOWN: (paint("muted"), 2.5),
                        Slot.KEPT: (mix("muted", 0.5), 1.5)}.get(slot, (mix("muted", 0.7), 1.5))
        edge.set_stroke(paint("ink") if slot.now else color, 3.5 if slot.now else width)
        edge.set_fill(mix("muted", 0.16) if slot is Slot.KNOWN else paint("ground"), 1)
        _paint_halves(k, v, slot.share)
        stripe.set_fill(paint("ink"), float(slot.now))

    def to(self, slot: Slot) -> list[Animation]:
        """Animations to another look; none where it stays."""
        if slot is self.slot:
            return []
        if slot.now:
            self._cut_stripe(slot)
        self.slot = slot
        self._paint(self.generate_target(), slot)
        return [MoveToTarget(self)]


class KVBar(VGroup):
    """The places of a large block as one bar, `width` x `height` px: as long as it is filled.

    Parts: `edge`, `k`, `v`, and `now`, a bright frame around what is written in this step.
    """

    def __init__(self, size: int, width: float, height: float = 56) -> None:
        self.size = size
        self._room = px(width - 2 * _INSET)
        self.edge = RoundedRectangle(corner_radius=px(6), width=px(width), height=px(height),
                                     stroke_width=1.5, stroke_color=mix("muted", 0.6),
                                     fill_color=paint("ground"), fill_opacity=1)
        high = px((height - 2 * _INSET - _SPLIT) / 2)
        self.k, self.v = (_half(self._room, high, role) for role in "kv")
        self.k.shift((0, (high + px(_SPLIT)) / 2, 0))
        self.v.shift((0, -(high + px(_SPLIT)) / 2, 0))
        self.now = Rectangle(width=self._room, height=px(height - 6), stroke_width=0,
                             stroke_color=paint("ink"))
        super().__init__(self.edge, self.k, self.v, self.now)
        self.looks = (Slot.EMPTY,) * size
        self._paint(self)

    def _paint(self, bar: VGroup) -> None:
        filled = sum(slot.share > 0 for slot in self.looks)
        computing = sum(slot.now for slot in self.looks)
        _, k, v, now = bar
        left = self.edge.get_left()[0] + px(_INSET)
        for part, first, last in ((k, 0, filled), (v, 0, filled),
                                  (now, filled - computing, filled)):
            start, end = (left + self._room * n / self.size for n in (first, last))
            part.stretch_to_fit_width(max(end - start, px(2))).set_x((start + end) / 2)
        kept = Slot.KEPT in self.looks
        _paint_halves(k, v, 0 if not filled else _KEPT if kept else _FULL)
        now.set_stroke(width=3.5 if computing else 0)

    def to(self, looks: Sequence[Slot]) -> list[Animation]:
        """Animations to other looks, one a token: written first, then computed now, then empty."""
        if tuple(looks) == self.looks:
            return []
        self.looks = tuple(looks)
        self._paint(self.generate_target())
        return [MoveToTarget(self)]


class KVKey(VGroup):
    """What the looks of a place mean: pairs of (slot, words) in one row."""

    def __init__(self, entries: Sequence[tuple[Slot, str]], cell: float = 48,
                 buff: float = 44) -> None:
        items = (VGroup(KVCell(slot, cell), Label(words, SMALL)).arrange(RIGHT, buff=px(16))
                 for slot, words in entries)
        super().__init__(*items)
        self.arrange(RIGHT, buff=px(buff))
