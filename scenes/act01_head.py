"""Act 01, second part: one head, from scores through mask and softmax to its output."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act01_projection import Projections, at
from scenes.act01_story import QUERY, SCORE
from scenes.kit import (
    Contraction,
    Corner,
    Formula,
    Grid,
    Hatch,
    Label,
    ProductLine,
    arrow,
    number,
    paint,
    px,
    ring,
    transposed,
)
from scenes.stage import beat

__all__ = ["OneHead"]

WIDE = (120, 84)  # px of a cell with decimals


def CAUSAL(story):
    return "causal" if story.params.causal else "open"


def SCALED(story):
    return "scaled" if story.params.scale else "plain"


class OneHead(Projections):
    """Beats six to nine."""

    @staticmethod
    def _axes(rows, columns, size=28) -> VGroup:
        """q0 q1 q2 beside the rows of one grid, k0 k1 k2 above the columns of another."""
        sides = ((rows, LEFT, "q"), (columns, UP, "k"))
        return VGroup(*(name for grid, side, letter in sides for name in
                        grid.axis([f"{letter}{n}" for n in range(3)], side, letter, size)))

    @beat(44, 54, 44, anchors="layers/attention.py:67", variant=SCALED)
    def scores(self):
        head, written = self.lesson.heads[0], self.story.heads[0]
        q, k, k_t = (Grid(m.tolist(), role, WIDE, 34) for m, role in
                     ((head.q, "q"), (head.k, "k"), (head.k.T, "k")))
        result = Grid(written.scores, "ink", WIDE, 34).move_to(at(-280, -150))
        corner = Corner(q, k_t, result, gap=(60, 50))
        k.align_to(corner.left_, LEFT).align_to(corner.top_, DOWN)
        k_name = number("K [3, 2]", 28, "muted").next_to(k, UP, buff=px(20))
        names = VGroup(self._below(corner.left_, "Q [3, 2]"), self._below(result, "S [3, 3]"))
        turned = transposed("K", "[2, 3]").next_to(corner.top_, RIGHT, buff=px(30))
        axes = self._axes(corner.left_, corner.top_)
        self.move(15, FadeIn(corner.left_), FadeIn(names[0]), FadeIn(k), FadeIn(k_name))
        self.move(30, FadeIn(turned), LaggedStart(
            *(self._row(k.row(j), corner.top_.column(j)) for j in range(3)), lag_ratio=0.3))
        self.move(12, FadeOut(k), FadeOut(k_name), FadeIn(axes), FadeIn(result.boxes),
                  FadeIn(names[1]))
        self.next_line()
        self._score(corner)
        self.next_line()
        self.scaled = Grid(written.scaled, "ink", WIDE, 34).move_to(at(560, -150))
        way = arrow(result, self.scaled, "ink", 24)
        key = "divide" if self.params.scale else "undivided"
        note = VGroup(Label(self.label(key), 32).next_to(way, UP, buff=px(20)),
                      self._below(self.scaled, self.label("scores"), mono=False))
        self.move(12, FadeIn(way), FadeIn(note))
        self.move(36, LaggedStart(*(FadeIn(row, shift=RIGHT * px(20)) for row in
                                    map(self.scaled.row, range(3))), lag_ratio=0.5))
        self.scrap = VGroup(corner, names, turned, axes, way, note, self.line)

    def _score(self, corner):
        """One score as a product line; then the other eight."""
        terms, total = self.story.score
        self.line = ProductLine(terms, total, 44, ("q", "k")).move_to(at(420, 130))
        note = Label(self.label("first_sum"), 30, "muted").next_to(self.line, DOWN, buff=px(34))
        rings = corner.rings(*SCORE)
        self.move(12, FadeIn(rings))
        self.move(36, self.line.fly(*corner.factors(*SCORE), lag=0.8))
        self.move(15, self.line.add_up(), FadeIn(note))
        self.line.add(note)
        self.move(18, self.line.deliver(corner.result.label(*SCORE)))
        others = [corner.result.label(r, c) for r in range(3) for c in range(3) if (r, c) != SCORE]
        self.move(30, FadeOut(rings), LaggedStart(*map(FadeIn, others), lag_ratio=0.3))

    @beat(52, 44, 40, anchors="layers/attention.py:70", keep=True, variant=CAUSAL)
    def mask(self):
        grid, ids = self.scaled, self.params.ids
        self.move(24, FadeOut(self.scrap), grid.animate.scale(1.25).move_to(at(-420, 30)))
        axes = self.axes = self._axes(grid, grid, 36)  # softmax draws them smaller
        names = VGroup(*(Label(self.label(key), 28, role).next_to(grid, side, buff=px(buff))
                         for key, role, side, buff in (("queries", "q", LEFT, 84),
                                                       ("keys", "k", UP, 70))))
        strips = VGroup(*(self._strip(grid.row(i), i, ids) for i in range(3)))
        legend = self._legend(strips)
        for n in range(4 if self.params.causal else 3):
            token = Label(self.label("token", n=n), 26, "muted")
            names.add(token.next_to(strips[0][0][n], UP, buff=px(26)))
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
                for j in range(3 - len(fresh), 3):  # a moving grid would bring them back
                    grid.cell(i, j).remove(grid.label(i, j))
        self.next_line()
        rings = VGroup(*(VGroup(ring(grid.cell(i, i)), ring(strips[i][0][i])) for i in range(3))
                       if self.params.causal else ring(grid))
        for pair in rings:
            self.move(15, FadeIn(pair))
            self.rest(15)
        self.scrap = VGroup(strips, legend, rings, names)

    def _strip(self, row, i, ids) -> VGroup:
        """What query i may read, and what it predicts: cells, and an arrow to the next token."""
        cells = Grid([[*map(str, ids), "?"]], "ink", (84, 72), 34)
        for c, cell in enumerate(cells):
            cell.shift(RIGHT * px(60 * c))
        cells.next_to(row, RIGHT, buff=px(170))
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
                strip.add(Hatch(cell[0].width, cell[0].height, pitch=24).move_to(cell))
                cell[1].set_opacity(0)
        return strip

    def _legend(self, strips) -> VGroup:
        """What the strip's looks mean."""
        looks = {"reads": self._sample("ink"), "predicts": self._sample("d"),
                 "hidden": Hatch(px(40), px(36), pitch=24)}
        items = VGroup(*(
            VGroup(look, Label(self.label(key), 28, "muted").next_to(look, buff=px(16)))
            for key, look in looks.items() if self.params.causal or key == "reads"))
        return items.arrange(RIGHT, buff=px(50)).next_to(strips, DOWN, buff=px(60))

    @staticmethod
    def _sample(role):
        return Grid([[""]], "ink", (40, 36))[0][0].set_stroke(paint(role), 3)

    @staticmethod
    def _hide(cell) -> VGroup:
        """A hatched cell: hidden, its score minus infinity."""
        box = cell[0]
        plate = Hatch(box.width, box.height, pitch=24).move_to(box)
        return VGroup(plate, number("−∞", 42, "ink", "semibold").move_to(box).set_z_index(1))

    @beat(50, 50, 40, anchors="layers/attention.py:67", keep=True)
    def softmax(self):
        written, column = self.story.heads[0], self.story.softened[0]
        masked = VGroup(self.scaled, self.hidden, self.axes)
        exps = Grid(written.exps, "ink", WIDE, 30).move_to(at(-165, 70))
        sums = Grid([[s] for s in written.sums], "ink", WIDE, 30)
        sums.next_to(exps, RIGHT, buff=px(24))
        self.weights = Grid(written.weights, "d", WIDE, 34, self._heat(0)).move_to(at(560, 70))
        middle = self.scaled.get_center()
        self.move(24, FadeOut(self.scrap), masked.animate.scale(
            0.8, about_point=middle).shift(at(-650, 70) - middle))
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
            fresh = [*(exps.label(r, c) for c in range(3)), sums.cell(r, 0), *self.weights.row(r)]
            self.move(24, LaggedStart(*map(FadeIn, fresh), lag_ratio=0.3))
        one = self.weights.axis([self.label("one")] * 3, RIGHT, "focus", 30)
        self.move(12, FadeIn(one))
        self.scrap = VGroup(masked, exps, sums, *names, *ways, *lines, one)

    def _heat(self, head) -> np.ndarray:
        """Fill of a weight's cell: the more it weighs, the stronger."""
        return self.lesson.heads[head].weights * 0.6 + 0.04

    @beat(62, 44, 34, anchors="layers/attention.py:67", keep=True, variant=CAUSAL)
    def mix(self):
        written, v = self.story.heads[0], self.lesson.heads[0].v
        result = Grid(written.output, "v", WIDE, 34).move_to(at(-190, -150))
        corner = Corner(self.weights.copy(), Grid(v.tolist(), "v", WIDE, 34), result, gap=(60, 46))
        self.move(24, FadeOut(self.scrap), self.weights.animate.move_to(corner.left_))
        names = [self._below(corner.left_, self.label("weights") + " [3, 3]", mono=False),
                 self._below(result, self.label("output") + " [3, 2]", mono=False),
                 number("V [3, 2]", 28, "muted").next_to(corner.top_, RIGHT, buff=px(30))]
        self.move(15, FadeIn(corner.top_), FadeIn(result.boxes), *map(FadeIn, names))
        terms, total, equals = self.story.mix
        line = ProductLine(terms, total, 40, ("d", "v"), equals).next_to(result, RIGHT, buff=px(80))
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
        inner = "frac(Q K^T, sqrt(d))" if self.params.scale else "Q K^T"
        whole = Formula(f'"softmax"({inner}) V', 60).move_to(at(460, 170))
        self.move(15, FadeIn(whole))
        self.next_line()
        grids = (corner.left_, corner.top_, result)
        self.move(15, *(FadeIn(ring(g.row(0) if self.params.causal else g)) for g in grids))
