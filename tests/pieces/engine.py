"""Golden pieces of kit and views: engine."""

from manim import VGroup

from scenes import kit


def _kv_cells():
    return kit.KVKey([(slot, slot.value) for slot in kit.Slot])


def _cache_blocks():
    both, one = (("B", "rb"), ("C", "rc")), (("A", "ra"),)
    looks = [kit.BlockLook(), kit.BlockLook(1, 2, 1, owners=one),
             kit.BlockLook(3, 1, decode=True, owners=one),
             kit.BlockLook(4, owners=both, mark="#0", findable=True),
             kit.BlockLook(4, mark="#1", findable=True), kit.BlockLook(4, mark="#12")]
    blocks = (kit.CacheBlock(str(k), 4, 56, look) for k, look in enumerate(looks))
    return VGroup(*blocks).arrange_in_grid(2, 3, buff=0.2)


def _large_block():
    return kit.CacheBlock("7", 256, 24, kit.BlockLook(150, 60, owners=(("D", "rd"),)))


PIECES = {
    "cache-blocks": _cache_blocks,
    "chips": lambda: kit.Chips(["To", " be", "\n", " or"], "cskk", size=60, height=120),
    "id-queue": lambda: kit.IdQueue("free queue", [7, 8, 9, 12], 6, 700),
    "kv-cells": _kv_cells,
    "large-block": _large_block,
    "panel": lambda: kit.Panel("waiting", 900, 300),
    "ragged-batch": lambda: kit.RaggedBatch(["4 tokens", "2 tokens"], (4, 2), "qk"),
    "readout": lambda: kit.Readout(42, 96),
    "token-strip": lambda: kit.TokenStrip(8, "ccccsskk" + "cks.", "v", 90, 10),
}
