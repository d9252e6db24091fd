"""Act 02: what one layer of Qwen3 does to a token."""

from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Transform,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_rope import Rope
from scenes.act02_story import KIB, MIB
from scenes.kit import (
    STAGE,
    Formula,
    Grid,
    HeadTree,
    Label,
    Lattice,
    Part,
    ProductLine,
    Remember,
    ScaleBar,
    arrow,
    gather,
    number,
    px,
    ring,
)
from scenes.lessons.layer import shown_swiglu
from scenes.lessons.rounding import text
from scenes.stage import beat

__all__ = ["Act02"]


def factor(value) -> str:
    return f"({text(value)})" if value < 0 else text(value)


class Act02(Rope):
    """The last beats; the first ones are in `Path`, `Inside` and `Rope`."""

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
        once = Label(self.label("once"), 34, "focus").next_to(tree.stores, DOWN, buff=px(56))
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

    @beat(42, 38, 34, anchors="models/qwen3.py:113")
    def swiglu(self):
        one = self.story.mlp[0]
        written = shown_swiglu(one)
        whole = [[text(v) for v in token.x] for token in self.story.mlp]
        x = Grid(whole, "ink", (62, 58), 32).move_to(
            [STAGE.left, STAGE.bottom + px(150), 0], LEFT)
        name = number("X [3, 4]", 28, "muted").next_to(x, UP, buff=px(24))
        token = ring(x.row(0))
        self.move(12, FadeIn(x), FadeIn(name))
        self.move(9, FadeIn(token))
        wide = self._expand(one, x)
        self.next_line()
        table = self._gate(written, one, wide, x)
        self.next_line()
        self._contract(written, one, table, x)

    def _expand(self, one, x):
        """x · W_gate_up: twelve numbers under the matrix, in two halves of six."""
        half = len(one.gate)
        roles = ["d"] * half + ["e"] * half
        w = Grid([[text(v) for v in row] for row in one.gate_up_weight], roles, (62, 58), 32)
        y = Grid([[text(v) for v in one.gate_up]], roles, (62, 58), 32)
        y.move_to([STAGE.left + px(350), x.row(0).get_y(), 0], LEFT)
        w.next_to(y, UP, buff=px(52))
        heads = [w.header(0, half - 1, "gate", "d"), w.header(half, 2 * half - 1, "up", "e")]
        self.move(15, FadeIn(w), *map(FadeIn, heads))
        column = max(range(half), key=lambda c: abs(one.gate[c]))
        terms = [(text(a), factor(b)) for a, b in zip(one.x, one.gate_up_weight[:, column])]
        line = ProductLine(terms, text(one.gate[column]), 32)
        line.next_to(w, RIGHT, buff=px(40))
        focus = ring(w.column(column))
        self.move(9, FadeIn(focus), FadeIn(y.boxes))
        self.move(24, line.fly([x.label(0, i) for i in range(len(one.x))],
                               [w.label(i, column) for i in range(len(one.x))], 0.2))
        self.move(9, line.add_up())
        self.move(12, line.deliver(y.label(0, column)))
        rest = [y.label(0, c) for c in range(2 * half) if c != column]
        self.move(12, FadeOut(focus), FadeOut(line), LaggedStart(*map(FadeIn, rest),
                                                               lag_ratio=0.1))
        self.wide = VGroup(w, *heads)
        return y

    def _gate(self, written, one, wide, x):
        """The halves part; SiLU(gate) times up, number by number."""
        rows = {"gate": ([text(v) for v in one.gate], "d"),
                "silu": ([text(v) for v in written.silu], "d"),
                "up": ([text(v) for v in one.up], "e"),
                "act": ([text(v) for v in written.mix.weights], "focus")}
        table = {key: Grid([row], role, (112, 58), 32) for key, (row, role) in rows.items()}
        last = table["act"].move_to([STAGE.left + px(590), x.row(0).get_y(), 0], LEFT)
        for key, lift in (("gate", 3), ("silu", 2), ("up", 1)):
            table[key].move_to(last).shift(UP * px(124 * lift))
        names = {key: Label(self.label("mlp_" + key), 28, role).next_to(
            table[key], LEFT, buff=px(22)) for key, (_, role) in rows.items()}
        half = len(one.gate)
        self.move(12, FadeOut(self.wide))
        self.move(27, *(wide.cell(0, c).animate.move_to(table["gate" if c < half else "up"].cell(
            0, c % half)) for c in range(2 * half)))
        self.add(table["gate"], table["up"])
        self.remove(wide)
        formula = Formula('"SiLU"(g) = g / (1 + e^(-g))', 60).next_to(
            table["gate"], UP, buff=px(50))
        self.move(12, FadeIn(names["gate"]), FadeIn(names["up"]), FadeIn(formula))
        self.move(24, FadeIn(table["silu"].boxes), FadeIn(names["silu"]), *(
            gather([a], b) for a, b in zip(table["gate"].labels, table["silu"].labels)))
        self.move(27, FadeIn(last.boxes), FadeIn(names["act"]), *(
            gather(pair, b) for *pair, b in zip(table["silu"].labels, table["up"].labels,
                                                last.labels)))
        return table

    def _contract(self, written, one, table, x):
        """activations · W_down: back to four; the other tokens go the same way by themselves."""
        outs = [[text(v) for v in written.mix.totals]] + [
            [text(v) for v in shown_swiglu(t).mix.totals] for t in self.story.mlp[1:]]
        y = Grid(outs, "ink", (106, 58), 32).move_to([STAGE.right, x.get_y(), 0], RIGHT)
        w = Grid([[text(v) for v in row] for row in one.down_weight], "ink", (106, 54), 32)
        w.next_to(y, UP, buff=px(40))
        name = number("Y [3, 4]", 28, "muted").next_to(y, DOWN, buff=px(20))
        self.move(15, FadeIn(w))
        first = VGroup(*(cell[0] for cell in y.row(0)))
        self.move(27, FadeIn(first), *(gather(table["act"].labels, cell[1])
                                       for cell in y.row(0)))
        self.move(9, FadeIn(ring(y.row(0))))
        ways = VGroup(*(arrow(x.cell(r, 3).get_right(), y.cell(r, 0).get_left(), "muted", 14)
                        for r in (1, 2)))
        alone = Label(self.label("alone"), 30, "muted").next_to(ways, DOWN, buff=px(24))
        for r, way in zip((1, 2), ways):
            self.move(15, FadeIn(way), FadeIn(y.row(r), shift=RIGHT * px(20)))
        self.move(9, FadeIn(name), FadeIn(alone))

    @beat(54, 32, anchors="engine/model_runner.py:112")
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
            totals.add(number(f"{running:,}" + " B" * (len(totals) == len(cells) - 1), 36,
                              "muted").next_to(cell, DOWN, buff=px(44)))
        token = number(f"= {kv.per_token / KIB:g} KiB", 44, "focus", "bold")
        token.next_to(totals[-1], DOWN, buff=px(40))
        self.move(12, FadeIn(cells[0]), FadeIn(names[0]), FadeIn(totals[0]))
        for k in range(1, len(cells)):
            self.move(12, FadeIn(cells[k]), FadeIn(names[k]), FadeIn(signs[k - 1]))
            self.move(15, gather([totals[k - 1], cells[k][1]], totals[k]))
        self.move(12, FadeIn(token, shift=DOWN * px(12)))
        self._block(kv, token)

    def _block(self, kv, token):
        """One cell is a token's K and V over all layers; a block has 256 of them."""
        block = Lattice(kv.block_size, 64, 22)
        block.move_to([STAGE.left, STAGE.bottom + px(140), 0], LEFT)
        name = Label(self.label("block"), 32, "ink").next_to(block, UP, buff=px(30))
        name.align_to(block, LEFT)
        self.next_line()
        self.move(15, FadeIn(block), FadeIn(name))
        filled = block.fill(1)
        self.move(18, FadeIn(filled, target_position=token))
        whole = number(f"{kv.per_block / MIB:g} MiB", 64, "focus", "bold")
        whole.next_to(block, RIGHT, buff=px(60))
        self.move(39, Transform(filled, block.fill(kv.block_size)))
        self.move(12, FadeIn(whole))

    @beat(20, 20, 20)
    def remember(self):
        lines = Remember([line.text[self.language] for line in self.beat.lines])
        for k in range(3):
            if k:
                self.next_line()
            self.move(15, lines.line(k))
