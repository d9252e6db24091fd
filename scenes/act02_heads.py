"""Act 02, fourth part: what a group of query heads shares, and what that saves."""

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    LaggedStart,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_rope import Rope
from scenes.act02_story import KIB
from scenes.kit import STAGE, HeadTree, Label, Part, ScaleBar, number, px, ring
from scenes.stage import beat

__all__ = ["Heads"]


class Heads(Rope):
    @beat(32, 36, anchors="models/qwen3.py:79",
          variant=lambda story: "own" if story.groups.group_size == 1 else "shared")
    def shared_heads(self):
        groups = self.story.groups
        count = groups.query_heads
        tree = HeadTree(groups.kv_of, (min(240, 1350 / count - 30), 130), 30, 210, 44)
        tree.move_to([px(130), STAGE.center[1], 0])
        tags = VGroup(*(Label(self.label(key), 34, "muted", "semibold").move_to(
            [STAGE.left, part.get_y(), 0], LEFT)
            for key, part in (("queries", tree.queries), ("stores", tree.stores))))
        self.move(12, FadeIn(tree.queries), FadeIn(tags[0]))
        self.move(12, FadeIn(tree.stores), FadeIn(tags[1]))
        for members in groups.members:
            self.move(max(6, 48 // len(groups.members)),
                      *(Create(tree.ways[q]) for q in members))
        self.next_line()
        own = Label(self.label("own"), 34, "q").next_to(tree.queries, UP, buff=px(56))
        key = "once" if groups.group_size > 1 else "each"
        once = Label(self.label(key), 34, "focus").next_to(tree.stores, DOWN, buff=px(56))
        frames = VGroup(*(ring(store, buff=8) for store in tree.stores))
        self.move(15, FadeIn(frames), FadeIn(once))
        self.late(15)
        self.move(15, FadeIn(own))

    @beat(22, 42, anchors="engine/model_runner.py:112")
    def cache_sizes(self):
        sizes = self.story.sizes
        count = self.params.compare[0]
        cell = 600 / count - 8
        unit = 700 / sizes[0].bytes_per_token
        trees, rows = [], []
        for k, size in enumerate(sizes):
            y = STAGE.top - px(125 + 250 * k)
            tree = HeadTree(size.groups.kv_of, (cell, 50), 8, 56, 0)
            tree.move_to([STAGE.left + px(200), y, 0], LEFT)
            kind = self._kind(size.groups)
            tag = VGroup(number(kind, 36, "ink", "semibold"), Label(
                self.label("kv_count", n=size.groups.kv_heads), 28, "muted"))
            tag.arrange(DOWN, buff=px(30), aligned_edge=LEFT).move_to([STAGE.left, y, 0], LEFT)
            count = size.groups.kv_heads
            parts = [Part(size.bytes_per_token / 2 / count, role, role.upper())
                     for role in "kv" for _ in range(count)]
            bar = ScaleBar(parts, unit, 70)
            bar.move_to([STAGE.left + px(890), y + px(34), 0], LEFT)
            amount = number(f"{size.bytes_per_token / KIB:g} KiB", 34, "ink", "semibold")
            amount.next_to(bar, RIGHT, buff=px(26))
            fit = Label(self.label("fit", n=size.tokens), 30, "muted").next_to(
                bar, DOWN, buff=px(32)).align_to(bar, LEFT)
            trees.append(VGroup(tag, tree))
            rows.append((tree, bar, amount, fit))
        for tree in trees:
            self.move(18, FadeIn(tree, shift=RIGHT * px(16)))
        self.next_line()
        for tree, bar, amount, _ in rows:
            slices = [(store[half][0], bar.boxes[half * len(tree.stores) + j])
                      for j, store in enumerate(tree.stores) for half in (0, 1)]
            self.move(21, *(TransformFromCopy(a, b) for a, b in slices))
            self.move(6, FadeIn(bar.labels), FadeIn(amount))
        self.move(30, LaggedStart(*(FadeIn(fit, shift=UP * px(10)) for *_, fit in rows),
                                  lag_ratio=0.5))

    @staticmethod
    def _kind(groups) -> str:
        if groups.group_size == 1:
            return "MHA"
        return "MQA" if groups.kv_heads == 1 else "GQA"
