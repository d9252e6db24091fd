"""Act 02: what one layer of Qwen3 does to a token."""

from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    FadeOut,
    LaggedStart,
    Transform,
    VGroup,
)

from scenes.act02_heads import Heads
from scenes.act02_story import KIB, MIB, factor, shape
from scenes.kit import (
    STAGE,
    Formula,
    Grid,
    Label,
    Lattice,
    ProductLine,
    Remember,
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


class Act02(Heads):
    """The last beats; those before are in `Path`, `Inside`, `Rope` and `Heads`."""

    @beat(42, 38, 34, anchors="models/qwen3.py:113")
    def swiglu(self):
        one = self.story.mlp[0]
        written = shown_swiglu(one)
        whole = [[text(v) for v in token.x] for token in self.story.mlp]
        x = Grid(whole, "ink", (62, 58), 32).move_to(
            [STAGE.left, STAGE.bottom + px(150), 0], LEFT)
        name = number(f"X {shape(x.shape)}", 28, "muted").next_to(x, UP, buff=px(24))
        token = ring(x.row(0))
        self.move(12, FadeIn(x), FadeIn(name))
        self.move(9, FadeIn(token))
        wide, matrix = self._expand(one, x)
        self.next_line()
        table = self._gate(written, one, wide, matrix, x)
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
        name = number(f"W {shape(one.gate_up_weight.shape)}", 28, "muted")
        name.next_to(w, RIGHT, buff=px(40)).align_to(w, UP)
        self.move(15, FadeIn(w), FadeIn(name), *map(FadeIn, heads))
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
        return y, VGroup(w, name, *heads)

    def _gate(self, written, one, wide, matrix, x):
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
        self.move(12, FadeOut(matrix))
        self.move(27, *(wide.cell(0, c).animate.move_to(table["gate" if c < half else "up"].cell(
            0, c % half)) for c in range(2 * half)))
        self.remove(*wide)
        self.add(table["gate"], table["up"])
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
        name = number(f"Y {shape(y.shape)}", 28, "muted").next_to(y, DOWN, buff=px(20))
        down = number(f"W {shape(one.down_weight.shape)}", 28, "muted")
        self.move(15, FadeIn(w), FadeIn(down.next_to(w, UP, buff=px(24))))
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
        lines = Remember(self.spoken, self.words.leaves_out)
        for k in range(len(lines)):
            if k:
                self.next_line()
            self.move(15, *lines.line(k))
