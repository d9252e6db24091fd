"""Act 02: what one layer of Qwen3 does to a token."""

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_heads import Heads
from scenes.act02_inside import arrive
from scenes.act02_story import factors, shape
from scenes.kit import (
    STAGE,
    Formula,
    Grid,
    Label,
    ProductLine,
    Remember,
    arrow,
    number,
    px,
    ring,
)
from scenes.lessons.layer import shown_swiglu
from scenes.lessons.rounding import text
from scenes.stage import beat

__all__ = ["Act02"]


class Act02(Heads):
    """The last beats; those before are in `Path`, `Inside`, `Pairs`, `Rope` and `Heads`."""

    @beat(42, 50, 44, anchors="models/qwen3.py:113")
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
        name = number(f"gate_up_proj {shape(one.gate_up_weight.shape)}", 28, "muted")
        name.next_to(w, RIGHT, buff=px(40)).align_to(w, UP)
        self.move(15, FadeIn(w), FadeIn(name), *map(FadeIn, heads))
        column = max(range(half), key=lambda c: abs(one.gate[c]))
        values = one.x, one.gate_up_weight[:, column]
        line = ProductLine(factors(*values), text(one.gate[column]), 32)
        line.next_to(w, RIGHT, buff=px(40))
        focus = ring(w.column(column))
        self.move(9, FadeIn(focus), FadeIn(y.boxes))
        self._fly(24, line, values, [x.label(0, i) for i in range(len(one.x))],
                  [w.label(i, column) for i in range(len(one.x))])
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
        table["formula"] = formula
        table["names"] = VGroup(*(names[key] for key in ("gate", "silu", "up")))
        self.move(24, FadeIn(table["silu"].boxes), FadeIn(names["silu"]), *(
            arrive([a], b) for a, b in zip(table["gate"].labels, table["silu"].labels)))
        self.move(27, FadeIn(last.boxes), FadeIn(names["act"]), *(
            arrive(pair, b) for *pair, b in zip(table["silu"].labels, table["up"].labels,
                                                last.labels)))
        table["words"] = self._effects(table, one.silu, one.up)
        return table

    def _effects(self, table, gates, ups):
        """What a gate does to its partner, in three columns, one word each."""
        kinds = {"shrink": lambda g: 0 < g < 1, "amplify": lambda g: g > 1,
                 "flip": lambda g: g < 0}
        words = VGroup()
        for key, does in kinds.items():
            column = max((c for c, g in enumerate(gates) if does(g)),
                         key=lambda c: abs(gates[c] * ups[c]))
            cells = [table[name].cell(0, column) for name in ("silu", "up", "act")]
            word = Label(self.label(key), 26, "focus", "semibold")
            word.move_to((cells[1].get_bottom() + cells[2].get_top()) / 2)
            words.add(VGroup(ring(VGroup(*cells), "focus", 4), word))
            self.move(12, FadeIn(words[-1]))
        return words

    def _contract(self, written, one, table, x):
        """activations · W_down: back to four; the other tokens go the same way by themselves."""
        outs = [[text(v) for v in written.mix.totals]] + [
            [text(v) for v in shown_swiglu(t).mix.totals] for t in self.story.mlp[1:]]
        y = Grid(outs, "ink", (106, 58), 32).move_to([STAGE.right, x.get_y(), 0], RIGHT)
        w = Grid([[text(v) for v in row] for row in one.down_weight], "ink", (106, 54), 32)
        w.next_to(y, UP, buff=px(40))
        name = number(f"Y {shape(y.shape)}", 28, "muted").next_to(y, DOWN, buff=px(20))
        down = number(f"down_proj {shape(one.down_weight.shape)}", 28, "muted")
        done = [table[key] for key in ("gate", "silu", "up", "formula", "words", "names")]
        self.move(15, FadeIn(w), FadeIn(down.next_to(w, UP, buff=px(24))), *map(FadeOut, done))
        self._cell(written.mix, one.down_weight, table, w, y)
        ways = VGroup(*(arrow(x.cell(r, 3).get_right(), y.cell(r, 0).get_left(), "muted", 14)
                        for r in (1, 2)))
        alone = Label(self.label("alone"), 30, "muted").next_to(ways, DOWN, buff=px(24))
        for r, way in zip((1, 2), ways):
            self.move(15, FadeIn(way), FadeIn(y.row(r), shift=RIGHT * px(20)))
        self.move(9, FadeIn(name), FadeIn(alone))

    def _cell(self, mix, weight, table, w, y):
        """One number of the result, product by product; then the rest of its row."""
        column = max(range(len(mix.totals)), key=lambda c: abs(mix.totals[c]))
        values = mix.weights, weight[:, column]
        line = ProductLine(factors(*values), text(mix.totals[column]), 34,
                           equals="=" if mix.exact else "≈")
        line.next_to(table["act"], UP, buff=px(120)).align_to([STAGE.left, 0, 0], LEFT)
        focus = ring(w.column(column))
        self.move(9, FadeIn(focus), FadeIn(VGroup(*(cell[0] for cell in y.row(0)))))
        self._fly(36, line, values, table["act"].labels,
                  [w.label(r, column) for r in range(w.shape[0])])
        self.move(9, line.add_up())
        self.move(15, line.deliver(y.label(0, column)))
        self.move(12, FadeOut(focus), FadeIn(ring(y.row(0))), *(
            FadeIn(y.label(0, c)) for c in range(len(mix.totals)) if c != column))

    def _fly(self, frames, line, values, lefts, rights):
        """Only terms that count travel, one after another; those with a zero appear in place."""
        terms = list(zip(line.lefts, line.rights, line.signs, lefts, rights, *values))
        self.move(frames, LaggedStart(*(
            AnimationGroup(TransformFromCopy(a, left), TransformFromCopy(b, right), FadeIn(sign))
            if u and v else FadeIn(VGroup(left, right, sign))
            for left, right, sign, a, b, u, v in terms), lag_ratio=0.6))

    @beat(20, 20, 20)
    def remember(self):
        self.recall(Remember)
