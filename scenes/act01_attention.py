"""Act 01: attention by hand, every number worked out."""

import numpy as np
from manim import (
    DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, RoundedRectangle, TransformFromCopy, VGroup,
)

from scenes.act01_projection import SHADES, Projections, at
from scenes.act01_story import QUERY, SCORE
from scenes.kit import (
    Contraction, Corner, Grid, GridStack, Hatch, Label, ProductLine, Remember, arrow, number, paint,
    px, ring,
)
from scenes.stage import beat

__all__ = ["Act01"]

WIDE = (120, 84)  # px of a cell with decimals
SMALL = (104, 72)


def CAUSAL(story):
    return "causal" if story.params.causal else "open"


def SCALED(story):
    return "scaled" if story.params.scale else "plain"


def transposed(name: str, shape: str, size=28) -> VGroup:
    """`K` with a raised T, and a shape."""
    letter, power, rest = number(name, size, "muted"), number("T", 22, "muted"), number(
        shape, size, "muted")
    power.next_to(letter, RIGHT, buff=px(2)).shift(UP * px(10))
    return VGroup(letter, power, rest.next_to(letter, RIGHT, buff=px(36)))


class Act01(Projections):
    """Beats six to twelve; the first five are in `Projections`."""

    def _names(self, grid, queries=LEFT, keys=UP):
        """q0 q1 q2 beside the rows, k0 k1 k2 along the columns."""
        names = VGroup()
        for side, letter in ((queries, "q"), (keys, "k")):
            if side is not None:
                names.add(*grid.axis([f"{letter}{n}" for n in range(3)], side, letter, 28))
        return names

    @beat(50, 60, 50, anchors="layers/attention.py:65", variant=SCALED)
    def scores(self):
        head, written = self.lesson.heads[0], self.story.heads[0]
        k = Grid(head.k.tolist(), "k", WIDE)
        result = Grid(written.scores, "ink", WIDE).move_to(at(-280, -150))
        corner = Corner(Grid(head.q.tolist(), "q", WIDE), Grid(head.k.T.tolist(), "k", WIDE), result,
                        gap=(60, 50))
        k.align_to(corner.left_, LEFT).align_to(corner.top_, DOWN)
        k_name = number("K [3, 2]", 28, "muted").next_to(k, UP, buff=px(20))
        names = VGroup(self._below(corner.left_, "Q [3, 2]"), self._below(result, "S [3, 3]"))
        turned = transposed("K", "[2, 3]").next_to(corner.top_, RIGHT, buff=px(30))
        axes = VGroup(*corner.left_.axis(["q0", "q1", "q2"], LEFT, "q", 28),
                      *corner.top_.axis(["k0", "k1", "k2"], UP, "k", 28))
        self.move(15, FadeIn(corner.left_), FadeIn(names[0]), FadeIn(k), FadeIn(k_name))
        self.move(30, FadeIn(turned), LaggedStart(
            *(self._row(k.row(j), corner.top_.column(j)) for j in range(3)), lag_ratio=0.3))
        self.move(12, FadeOut(k), FadeOut(k_name), FadeIn(axes), FadeIn(result.boxes),
                  FadeIn(names[1]))
        self.next_line()
        self._score(corner)
        self.next_line()
        self.scaled = Grid(written.scaled, "ink", WIDE).move_to(at(560, -150))
        way = arrow(result, self.scaled, "ink", 24)
        key = "divide" if self.params.scale else "undivided"
        note = Label(self.label(key), 32).next_to(way, UP, buff=px(20))
        self.move(12, FadeIn(way), FadeIn(note))
        self.move(36, LaggedStart(*(FadeIn(row, shift=RIGHT * px(20)) for row in
                                    map(self.scaled.row, range(3))), lag_ratio=0.5))
        self.scrap = VGroup(corner, names, turned, axes, way, note, self.line)

    def _score(self, corner):
        """One score as a product line; then the other eight."""
        terms, total = self.story.score
        self.line = ProductLine(terms, total, 44).move_to(at(420, 130))
        note = Label(self.label("first_sum"), 30, "muted").next_to(self.line, DOWN, buff=px(34))
        rings = corner.rings(*SCORE)
        self.move(12, FadeIn(rings))
        self.move(36, self.line.fly(*corner.factors(*SCORE), lag=0.8))
        self.move(15, self.line.add_up(), FadeIn(note))
        self.line.add(note)
        self.move(18, self.line.deliver(corner.result.label(*SCORE)))
        others = [corner.result.label(r, c) for r in range(3) for c in range(3) if (r, c) != SCORE]
        self.move(30, FadeOut(rings), LaggedStart(*map(FadeIn, others), lag_ratio=0.3))

    @beat(70, 50, 50, anchors="layers/attention.py:70", keep=True, variant=CAUSAL)
    def mask(self):
        grid, ids = self.scaled, self.params.ids
        self.move(24, FadeOut(self.scrap), grid.animate.scale(1.25).move_to(at(-500, 30)))
        axes = self.axes = self._names(grid)
        names = VGroup(*(Label(self.label(key), 28, role).next_to(grid, side, buff=px(buff))
                         for key, role, side, buff in (("queries", "q", LEFT, 84),
                                                       ("keys", "k", UP, 70))))
        strips = VGroup(*(self._strip(grid.row(i), i, ids) for i in range(3)))
        legend = self._legend(strips)
        self.move(12, FadeIn(axes), FadeIn(names))
        for strip in strips:
            self.move(18, FadeIn(strip, shift=RIGHT * px(16)))
        self.move(9, FadeIn(legend))
        self.next_line()
        self.hidden = VGroup()
        for i in range(3):
            fresh = VGroup(*(self._hide(grid.cell(i, j)) for j in range(3)
                             if not self.lesson.heads[0].mask[i, j]))
            if len(fresh):
                self.move(15, *(FadeOut(grid.label(i, j)) for j in range(3 - len(fresh), 3)),
                          FadeIn(fresh))
                self.hidden.add(*fresh)
        self.next_line()
        rings = VGroup(*(ring(grid.cell(i, i)) for i in range(3)),
                       *(ring(strips[i][0][i]) for i in range(3)))
        self.move(24, LaggedStart(*(FadeIn(VGroup(rings[i], rings[3 + i])) for i in range(3)),
                                  lag_ratio=0.6))
        self.scrap = VGroup(strips, legend, rings, names)

    def _strip(self, row, i, ids) -> VGroup:
        """What query i may read, and what it predicts: cells, and an arrow to the next token."""
        cells = Grid([[*map(str, ids), "?"]], "ink", (72, 64))
        for c, cell in enumerate(cells):
            cell.shift(RIGHT * px(64 * c))
        cells.next_to(row, RIGHT, buff=px(190))
        strip = VGroup(cells)
        if not self.params.causal:
            cells[3].set_opacity(0)
            for c in range(3):
                cells[c][0].set_stroke(paint("ink"), 3)
            return strip
        for c, cell in enumerate(cells):
            if c <= i:
                cell[0].set_stroke(paint("ink"), 3)
            elif c == i + 1:
                cell[0].set_stroke(paint("d"), 4)
                strip.add(arrow(cells[c - 1], cell, "d", 4, 4))
            else:
                cell.set_opacity(0.25)
        return strip

    def _legend(self, strips) -> VGroup:
        """What the strip's looks mean."""
        entries = [("reads", "ink")] + [("predicts", "d")] * self.params.causal
        items = VGroup()
        for key, role in entries:
            box = Grid([[""]], "ink", (40, 36))[0][0].set_stroke(paint(role), 3)
            items.add(VGroup(box, Label(self.label(key), 28, "muted").next_to(box, buff=px(16))))
        return items.arrange(RIGHT, buff=px(50)).next_to(strips, DOWN, buff=px(60))

    @staticmethod
    def _hide(cell) -> VGroup:
        """A hatched cell: hidden, its score minus infinity."""
        box = cell[0]
        plate = Hatch(box.width, box.height).move_to(box)
        return VGroup(plate, number("−∞", 30, "stop", "semibold").move_to(box).set_z_index(1))

    @beat(60, 60, 50, anchors="layers/attention.py:70", keep=True)
    def softmax(self):
        written, column = self.story.heads[0], self.story.softened[0]
        masked = VGroup(self.scaled, self.hidden, self.axes)
        exps = Grid(written.exps, "ink", WIDE).move_to(at(-165, 70))
        sums = Grid([[s] for s in written.sums], "ink", WIDE).next_to(exps, RIGHT, buff=px(24))
        self.weights = Grid(written.weights, "d", WIDE, share=self._heat(0)).move_to(at(560, 70))
        shift = self.scaled.get_center()
        self.move(24, FadeOut(self.scrap), masked.animate.scale(0.8).shift(
            at(-650, 70) - shift))
        names = [self._below(grid, self.label(key), mono=False) for grid, key in (
            (self.scaled, "scores"), (exps, "exps"), (sums, "sums"), (self.weights, "weights"))]
        ways = [arrow(a, b, "muted", 16) for a, b in ((self.scaled, exps), (sums, self.weights))]
        rings = [ring(grid.cell(QUERY, column)) for grid in (self.scaled, exps, self.weights)]
        lines = [number(self.story.facts[key], 40, "ink").move_to(at(0, -230)).set_x(grid.get_x())
                 for key, grid in (("exp", exps), ("share", self.weights))]
        self.move(12, FadeIn(ways[0]), FadeIn(names[0]), FadeIn(names[1]), FadeIn(exps.boxes),
                  FadeIn(rings[0]))
        self.move(15, FadeIn(lines[0]), FadeIn(rings[1]))
        self.move(24, LaggedStart(*(FadeIn(exps.label(QUERY, c)) for c in range(3)),
                                  lag_ratio=0.5))
        self.next_line()
        self.move(15, FadeIn(sums.row(QUERY)), FadeIn(names[2]))
        self.move(12, FadeIn(ways[1]), FadeIn(names[3]))
        self.move(15, FadeIn(lines[1]), FadeIn(rings[2]))
        self.move(24, LaggedStart(*map(FadeIn, self.weights.row(QUERY)), lag_ratio=0.5))
        self.next_line()
        self.move(9, *map(FadeOut, rings))
        for r in (r for r in range(3) if r != QUERY):
            fresh = [exps.label(r, c) for c in range(3)], [sums.cell(r, 0)], self.weights.row(r)
            self.move(24, LaggedStart(*map(FadeIn, sum(map(list, fresh), [])), lag_ratio=0.3))
        one = self.weights.axis([self.label("one")] * 3, RIGHT, "focus", 30)
        self.move(12, FadeIn(one))
        self.scrap = VGroup(masked, exps, sums, *names, *ways, *lines, one)

    def _heat(self, head) -> np.ndarray:
        """Fill of a weight's cell: the more it weighs, the stronger."""
        return self.lesson.heads[head].weights * 0.6 + 0.04

    @beat(70, 50, 40, anchors="layers/attention.py:70", keep=True, variant=CAUSAL)
    def mix(self):
        written, v = self.story.heads[0], self.lesson.heads[0].v
        result = Grid(written.output, "v", WIDE).move_to(at(-190, -150))
        corner = Corner(self.weights.copy(), Grid(v.tolist(), "v", WIDE), result, gap=(60, 46))
        self.move(24, FadeOut(self.scrap), self.weights.animate.move_to(corner.left_))
        names = [self._below(corner.left_, self.label("weights") + " [3, 3]", mono=False),
                 self._below(result, self.label("output") + " [3, 2]", mono=False),
                 number("V [3, 2]", 28, "muted").next_to(corner.top_, RIGHT, buff=px(30))]
        self.move(15, FadeIn(corner.top_), FadeIn(result.boxes), *map(FadeIn, names))
        terms, total, equals = self.story.mix
        line = ProductLine(terms, total, 40, equals=equals).next_to(result, RIGHT, buff=px(80))
        line.set_y(result.cell(QUERY, 0).get_y())
        rings = corner.rings(QUERY, 0)
        self.move(12, FadeIn(rings))
        self.move(48, line.fly(*corner.factors(QUERY, 0), lag=0.8))
        self.move(15, line.add_up())
        self.move(18, line.deliver(result.label(QUERY, 0)))
        self.next_line()
        shapes = Contraction(3, 3, 2).next_to(line, UP, buff=px(70)).align_to(line, LEFT)
        self.move(12, FadeIn(shapes.factors), FadeOut(rings))
        self.move(24, shapes.vanish())
        others = [result.label(r, c) for r in range(3) for c in range(2) if (r, c) != (QUERY, 0)]
        self.move(30, LaggedStart(*map(FadeIn, others), lag_ratio=0.4))
        self.next_line()
        rows = [0] if self.params.causal else range(3)
        self.move(15, *(FadeIn(ring(grid.row(r))) for grid in (corner.left_, result) for r in rows),
                  *(FadeIn(ring(corner.top_.row(r))) for r in rows))

    @beat(50, 50, 50, anchors="models/qwen3.py:80")
    def shared_kv(self):
        heads, height = self.lesson.heads, 172
        q = [Grid(h.q.tolist(), "q", (84, 72)).move_to(at(-720, y)) for h, y in
             zip(heads, (height, -height))]
        k, v = (Grid(m.tolist(), role, (84, 72)) for m, role in ((heads[0].k, "k"), (heads[0].v, "v")))
        store = VGroup(k, v).arrange(RIGHT, buff=px(60)).move_to(at(-270, 0))
        frame = RoundedRectangle(corner_radius=px(14), width=store.width + px(70),
                                 height=px(360), stroke_width=2.5, stroke_color=paint("muted"),
                                 fill_color=paint("ground"), fill_opacity=1).move_to(store)
        store.shift(UP * px(16))
        letters = [self._below(m, name, role, 32) for m, name, role in ((k, "K", "k"), (v, "V", "v"))]
        names = [self._below(grid, self.label("q_head", n=n), "q", mono=False)
                 for n, grid in enumerate(q)]
        self.move(18, *map(FadeIn, q), *map(FadeIn, names))
        self.move(15, FadeIn(frame), FadeIn(store), *map(FadeIn, letters))
        ways = [arrow(grid.get_right(), frame.get_left() + UP * px(y), "q", 16)
                for grid, y in zip(q, (70, -70))]
        for way in ways:
            self.move(15, FadeIn(way))
        self.next_line()
        self._weigh(frame)
        self.next_line()
        once = Label(self.label("once"), 30, "focus", "semibold").next_to(frame, DOWN, buff=px(40))
        self.move(15, FadeIn(ring(frame, buff=8)), FadeIn(once))

    def _weigh(self, frame):
        """Both heads' weights and outputs, right of the one K/V head."""
        texts, keys = self.story.heads, self.lesson.elements.transposed[0]
        shares = np.broadcast_to(SHADES[None, :, None], keys.shape)
        self.outputs = GridStack([t.output for t in texts], "v", SMALL, 28, shares, keys)
        for n, (text, y) in enumerate(zip(texts, (172, -172))):
            weights = Grid(text.weights, "d", SMALL, 28, self._heat(n)).move_to(at(250, y))
            output = self.outputs[n].move_to(at(720, y))
            names = [self._below(grid, self.label(key, n=n), role, mono=False) for grid, key, role
                     in ((weights, "weights_of", "d"), (output, "output_of", "v"))]
            out = arrow(frame.get_right() + UP * px(y * 0.4), weights.get_left(), "d", 16)
            self.move(12, FadeIn(out))
            self.move(18, FadeIn(weights), FadeIn(names[0]))
            self.move(15, FadeIn(arrow(weights, output, "v", 16)), FadeIn(output), FadeIn(names[1]))
        self.keepsake = names

    @beat(60, 60, 50, anchors="models/qwen3.py:87", keep=True)
    def merge(self):
        stack, merged = self.outputs, self.lesson.elements.merge
        gone = [m for m in self.mobjects if m not in (*self.frame.shown, *stack, stack)]
        places = stack.copy().arrange(DOWN, buff=px(90)).move_to(at(-690, 20))
        self.move(24, *map(FadeOut, gone), *(grid.animate.move_to(place)
                                             for grid, place in zip(stack, places)))
        heads = [self._below(grid, self.label("output_of", n=n), "v", 28, mono=False)
                 for n, grid in enumerate(stack)]
        self.move(9, *map(FadeIn, heads))
        right = self._merged(merged.right, self.story.merged.right, merged.right_tokens, 185, "right")
        self.move(48, stack.flow(right, merged.right.ravel().tolist()))
        self.next_line()
        wrong = self._merged(merged.wrong, self.story.merged.wrong, merged.wrong_tokens, -165, "wrong")
        self.move(48, stack.flow(wrong, merged.wrong.ravel().tolist()))
        self.move(12, *(FadeIn(ring(wrong[0].row(r), "stop", 4)) for r in merged.mixed_rows))
        self.next_line()
        note = Label(self.label("engine"), 30, "muted").move_to(at(100, -350))
        self.move(15, FadeIn(note, shift=UP * px(10)))

    def _merged(self, keys, texts, tokens, y, name) -> GridStack:
        """An empty result with its way above and, beside each row, the tokens it holds."""
        stack = GridStack([texts.tolist()], "v", SMALL, 28, SHADES[tokens][None], keys)
        stack.move_to(at(0, y))
        good = name == "right"
        title = Label(self.label(name), 30, "ink" if good else "stop", "semibold")
        title.next_to(stack, UP, buff=px(26)).align_to(stack, LEFT)
        rows = [sorted(set(row)) for row in tokens.tolist()]
        sides = VGroup(*(
            Label(self.label("token" if len(row) == 1 else "tokens", n=row[0], m=row[-1]), 30,
                  "muted" if len(row) == 1 else "stop").next_to(stack[0].row(r), RIGHT, buff=px(30))
            for r, row in enumerate(rows)))
        self.move(12, FadeIn(title), FadeIn(sides))
        return stack

    @beat(20, 20, 20)
    def remember(self):
        lines = Remember([line.text[self.language] for line in self.beat.lines])
        self.move(15, lines.line(0))
        self.next_line()
        self.move(15, lines.line(1))
        self.next_line()
        rest = Label(self.label("left_out"), 28, "muted").align_to(lines, LEFT).set_y(px(-330))
        self.move(15, lines.line(2), FadeIn(rest))
