"""Act 02, fifth part: what a group of query heads shares, and what the cache costs."""

from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    LaggedStart,
    Transform,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_rope import Rope
from scenes.act02_story import KIB, MIB
from scenes.kit import (
    STAGE,
    Grid,
    HeadTree,
    Label,
    Lattice,
    Part,
    ScaleBar,
    gather,
    number,
    px,
    ring,
)
from scenes.lessons.rounding import text
from scenes.stage import beat

__all__ = ["Heads"]


class Heads(Rope):
    @beat(36, 48, anchors="models/qwen3.py:80",
          variant=lambda story: "own" if story.groups.group_size == 1 else "shared")
    def shared_heads(self):
        groups = self.story.groups
        count = groups.query_heads
        tree = HeadTree(groups.kv_of, (min(240, 1350 / count - 30), 104), 30, 140, 44)
        tree.move_to([px(130), STAGE.bottom + px(90), 0], DOWN)
        toy = Label(self.label("toy_heads"), 32, "ink", "semibold").move_to(
            [STAGE.left, STAGE.top - px(20), 0], LEFT)
        tags = VGroup(*(Label(self.label(key), 34, "muted", "semibold").move_to(
            [STAGE.left, part.get_y(), 0], LEFT)
            for key, part in (("queries", tree.queries), ("stores", tree.stores))))
        self.move(12, FadeIn(toy), FadeIn(tree.queries), FadeIn(tags[0]))
        self.move(12, FadeIn(tree.stores), FadeIn(tags[1]))
        for members in groups.members:
            self.move(max(6, 48 // len(groups.members)),
                      *(Create(tree.ways[q]) for q in members))
        self.next_line()
        key = "once" if groups.group_size > 1 else "each"
        once = Label(self.label(key), 34, "focus").next_to(tree.stores, DOWN, buff=px(44))
        frames = VGroup(*(ring(store, buff=8) for store in tree.stores))
        self.move(15, FadeIn(frames), FadeIn(once))
        if groups.group_size > 1:
            self.rest(27)
            self._own(tree)

    def _own(self, tree):
        """Over each query head what it does not share: its scores, weights and output."""
        rows, tags = VGroup(), VGroup()
        for k, key in enumerate(("scores", "weights", "output")):
            grids = [Grid([[f"{key[0]}{q}"]], "q", (box.width / px(1), 46), 30)
                     .next_to(box, UP, buff=px(24 + 58 * k)) for q, box in enumerate(tree.queries)]
            rows.add(VGroup(*grids))
            tags.add(Label(self.label(key), 34, "muted", "semibold").move_to(
                [STAGE.left, rows[k].get_y(), 0], LEFT))
            self.move(15, FadeIn(tags[k]), LaggedStart(
                *(FadeIn(grid, shift=UP * px(16)) for grid in grids), lag_ratio=0.2))
        own = Label(self.label("own_results"), 34, "q").next_to(rows, UP, buff=px(28))
        frames = VGroup(*(ring(VGroup(*column), "q", 4, 6) for column in zip(*rows)))
        self.move(15, FadeIn(own), FadeIn(frames))

    @beat(54, 32, anchors=("engine/model_runner.py:112", "config.py:22"))
    def kv_bytes(self):
        kv = self.story.kv
        boxes = Grid([[text(n) for _, n in kv.factors]], ["ink", "d", "k", "e", "ink"],
                     (210, 120), 60)
        cells = VGroup(*boxes).arrange(RIGHT, buff=px(110)).move_to(
            [0, STAGE.top - px(190), 0])
        signs = VGroup(*(number("×", 48, "muted").move_to((a.get_right() + b.get_left()) / 2)
                         for a, b in pairwise(cells)))
        names = VGroup(*(Label(self.label("kv_" + name.replace(" ", "_")), 30, "muted")
                         .next_to(cell, UP, buff=px(28))
                         for (name, _), cell in zip(kv.factors, cells)))
        running, totals = 1, VGroup()
        for (_, n), cell in zip(kv.factors, cells):
            running *= n
            written = f"{running:,}" + " B" * (len(totals) == len(cells) - 1)
            totals.add(number(written, 36).next_to(cell, DOWN, buff=px(44)))
        token = number(f"= {kv.per_token / KIB:g} KiB", 44, "focus", "bold")
        token.next_to(totals[-1], DOWN, buff=px(40))
        self.move(12, FadeIn(cells[0]), FadeIn(names[0]), FadeIn(totals[0]))
        for k in range(1, len(cells)):
            self.move(12, FadeIn(cells[k]), FadeIn(names[k]), FadeIn(signs[k - 1]))
            self.move(15, gather([totals[k - 1], cells[k][1]], totals[k]))
        self.move(12, FadeIn(token, shift=DOWN * px(12)))
        self._block(kv, token, cells.get_left()[0])

    def _block(self, kv, token, left):
        """One cell is a token's K and V over all layers; a block has 256 of them."""
        block = Lattice(kv.block_size, 64, 1490 / 64).move_to(
            [left, STAGE.bottom + px(110), 0], LEFT)
        name = Label(self.label("block"), 32, "ink").next_to(block, UP, buff=px(30))
        name.align_to(block, LEFT)
        self.next_line()
        self.move(15, FadeIn(block), FadeIn(name))
        filled = block.fill(1)
        self.move(18, FadeIn(filled, target_position=token))
        whole = number(f"{kv.per_block / MIB:g} MiB", 64, "focus", "bold")
        whole.next_to(block, UP, buff=px(30)).align_to(block, RIGHT)
        self.move(39, Transform(filled, block.fill(kv.block_size)))
        self.move(12, FadeIn(whole))

    @beat(34, 46, 32, anchors="engine/model_runner.py:112")
    def cache_sizes(self):
        sizes = self.story.sizes
        cell, unit = 580 / self.params.compare[0] - 8, 700 / sizes[0].bytes_per_token
        toy = Label(self.label("toy"), 32, "ink", "semibold").move_to(
            [STAGE.left, STAGE.top - px(20), 0], LEFT)
        left = STAGE.left + px(890)
        head = Label(self.label("per_token"), 32, "ink", "semibold").move_to(
            [left, toy.get_y(), 0], LEFT)
        rows = [self._cache_row(size, STAGE.top - px(165 + 228 * k), cell, unit, left)
                for k, size in enumerate(sizes)]
        self.move(9, FadeIn(toy))
        for tag, tree, *_ in rows:
            self.move(18, FadeIn(tag), FadeIn(tree, shift=RIGHT * px(16)))
        self.next_line()
        self.move(9, FadeIn(head))
        for _, tree, bar, amount, _ in rows:
            slices = [(store[half][0], bar.boxes[half * len(tree.stores) + j])
                      for j, store in enumerate(tree.stores) for half in (0, 1)]
            self.move(21, *(TransformFromCopy(a, b) for a, b in slices))
            self.move(6, FadeIn(bar.labels), FadeIn(amount))
        self.next_line()
        self.move(30, LaggedStart(*(FadeIn(fit, shift=UP * px(10)) for *_, fit in rows),
                                  lag_ratio=0.5))

    def _cache_row(self, size, y, cell, unit, left):
        """Name, tree, bar of a token's bytes, their amount, and how many tokens would fit."""
        heads = size.groups.kv_heads
        tree = HeadTree(size.groups.kv_of, (cell, 50), 8, 56, 0)
        tree.move_to([STAGE.left + px(250), y, 0], LEFT)
        kind = self._kind(size.groups)
        tag = VGroup(number(kind, 36, "ink", "semibold"),
                     Label(self.label(kind), 28), Label(self.label("kv_count", n=heads), 28))
        tag.arrange(DOWN, buff=px(24), aligned_edge=LEFT).move_to([STAGE.left, y, 0], LEFT)
        parts = [Part(size.bytes_per_token / 2 / heads, role, role.upper())
                 for role in "kv" for _ in range(heads)]
        bar = ScaleBar(parts, unit, 70).move_to([left, y + px(30), 0], LEFT)
        amount = number(f"{size.bytes_per_token / KIB:g} KiB", 34, "ink", "semibold")
        amount.next_to(bar, RIGHT, buff=px(26))
        fit = Label(self.label("fit", n=size.tokens), 30, "muted").next_to(
            bar, DOWN, buff=px(32)).align_to(bar, LEFT)
        return tag, tree, bar, amount, fit

    @staticmethod
    def _kind(groups) -> str:
        if groups.group_size == 1:
            return "MHA"
        return "MQA" if groups.kv_heads == 1 else "GQA"
