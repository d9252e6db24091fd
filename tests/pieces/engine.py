"""Golden pieces of kit and views: engine."""

from manim import VGroup
from manim.animation.animation import prepare_animation

from scenes import kit


def _board():
    board = kit.Board({"waiting": "waiting", "running": "running"}, {"A": ("q", 6, 9)}, 900, 3)
    board.show({"waiting": ["A"], "running": []}, {"A": "ccsskk..."})
    return VGroup(board, board.rows["A"])


def _gauge():
    gauge = kit.Gauge("token budget", 6)
    for animation in map(prepare_animation, gauge.show([("ra", 3), ("rb", 1)])):
        animation.begin()
        animation.finish()
    return gauge


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
    "board": _board,
    "cache-blocks": _cache_blocks,
    "chips": lambda: kit.Chips(["To", " be", "\n", " or"], "cskk", size=60, height=120),
    "gauge": _gauge,
    "id-queue": lambda: kit.IdQueue("free queue", [7, 8, 9, 12], 6, 700),
    "kv-cells": _kv_cells,
    "large-block": _large_block,
    "ragged-batch": lambda: kit.RaggedBatch(["4 tokens", "2 tokens"], (4, 2), "qk"),
    "stepper": lambda: kit.Stepper("step"),
    "token-key": lambda: kit.TokenKey([("k", "known"), ("s", "now"), ("g", "generated")]),
    "token-strip": lambda: kit.TokenStrip(8, "ccccsskk" + "cks.", "v", 90, 10),
}
