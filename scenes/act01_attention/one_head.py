"""Act 01, third part: one head, from scores through mask and softmax to its weights."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Rectangle, VGroup

from scenes.act01_look_up import at
from scenes.act01_projection import Projections
from scenes.act01_story import QUERY, SCORE
from scenes.kit import (
    Corner,
    Grid,
    Hatch,
    Label,
    ProductLine,
    arrow,
    gather,
    number,
    paint,
    px,
    ring,
    transposed,
)
from scenes.kit.base.gather import carry
from scenes.stage import beat

__all__ = ["CAUSAL", "GROWN", "WIDE", "OneHead"]

WIDE = (128, 92)  # px of a cell with decimals
GROWN = 1.2  # the scores while they are masked


def CAUSAL(story):
    return "causal" if story.params.causal else "open"


def SCALED(story):
    return "scaled" if story.params.scale else "plain"


class OneHead(Projections):
    """Beats six to eight."""

    @staticmethod
    def _axes(rows, columns, size=28) -> VGroup:
        """q0 q1 q2 beside the rows of one grid, k0 k1 k2 above the columns of another."""
        sides = ((rows, LEFT, "q"), (columns, UP, "k"))
        return VGroup(*(name for grid, side, letter in sides for name in
                        grid.axis([f"{letter}{n}" for n in range(3)], side, letter, size)))

    @beat(44, 54, 44, anchors="layers/attention.py:67", variant=SCALED)
    def scores(self):
        head, written = self.lesson.heads[0], self.story.heads[0]
        q, k, k_t = (Grid(m.tolist(), role, WIDE, 38) for m, role in
                     ((head.q, "q"), (head.k, "k"), (head.k.T, "k")))
        result = Grid(written.scores, "ink", WIDE, 38).move_to(at(-270, -150))
        corner = Corner(q, k_t, result, gap=(60, 56))
        k.align_to(corner.left_, LEFT).align_to(corner.top_, DOWN)
        k_name = number("K [3, 2]", 28, "muted").next_to(k, UP, buff=px(20))
        names = VGroup(self._below(corner.left_, "Q [3, 2]"), self._below(result, "S [3, 3]"))
        turned = transposed("K", "[2, 3]").next_to(corner.top_, RIGHT, buff=px(30))
        axes = self._axes(corner.left_, corner.top_)
        self.move(15, FadeIn(corner.left_), FadeIn(names[0]), FadeIn(k), FadeIn(k_name))
        self.move(30, FadeIn(turned), LaggedStart(
            *(carry(k.row(j), corner.top_.column(j)) for j in range(3)), lag_ratio=0.3))
        self.move(12, FadeOut(k), FadeOut(k_name), FadeIn(axes), FadeIn(result.boxes),
                  FadeIn(names[1]))
        self.next_line()
        self._score(corner)
        self.next_line()
        self.scaled = Grid(written.scaled, "ink", WIDE, 34).move_to(at(600, -150))
        way = arrow(result, self.scaled, "ink", 24)
        key = "divide" if self.params.scale else "undivided"
        note = VGroup(Label(self.label(key), 32).next_to(way, UP, buff=px(20)),
                      self._below(self.scaled, self.label("scores"), mono=False))
        self.move(12, FadeIn(way), FadeIn(note))
        for r in range(3):
            self.move(18, FadeIn(self.scaled.row(r), shift=RIGHT * px(20)))
            self.rest(12)
        self.scrap = VGroup(corner, names, turned, axes, way, note, self.line)

    def _score(self, corner):
        """One score as a product line; then the other eight."""
        terms, total = self.story.score
        self.line = ProductLine(terms, total, 56, ("q", "k")).move_to(at(510, 180))
        note = Label(self.label("first_sum"), 32, "muted").next_to(self.line, DOWN, buff=px(36))
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
        self.move(24, FadeOut(self.scrap), grid.animate.scale(GROWN).move_to(at(-475, -10)))
        axes = self.axes = self._axes(grid, grid, 36)  # softmax draws them smaller
        names = VGroup(*(Label(self.label(key), 28, role).next_to(grid, side, buff=px(buff))
                         for key, role, side, buff in (("queries", "q", LEFT, 84),
                                                       ("keys", "k", UP, 70))))
        strips = VGroup(*(self._strip(grid.row(i), i, ids) for i in range(3)))
        legend = self._legend(strips)
        for column, axis in zip(strips[0][0], axes[3:]):
            names.add(number(axis.text, 36, "k").move_to(column).match_y(axis))
        inside = Label(self.label("ids_inside"), 28, "muted").align_to(strips, LEFT)
        names.add(inside.match_y(names[1]))
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
        cells = Grid([[*map(str, ids), "?"]], "ink", (104, 80), 38)
        for c, cell in enumerate(cells):  # as far apart as the columns of the scores
            cell.shift(RIGHT * px((GROWN * WIDE[0] - 104) * c))
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
                continue
            strip.add(Hatch(cell[0].width, cell[0].height, pitch=24).move_to(cell))
            if c == i + 1:
                strip.add(ring(cell[0], "d", 5, 3), arrow(cells[c - 1], cell, "d", 5, 4))
        return strip

    def _legend(self, strips) -> VGroup:
        """What the strip's looks mean."""
        looks = {"reads": self._sample("ink"), "hidden": Hatch(px(40), px(36), pitch=24),
                 "predicts": ring(Rectangle(width=px(40), height=px(36)), "d", 5)}
        items = VGroup(*(
            VGroup(look, Label(self.label(key), 28, "muted").next_to(look, buff=px(16)))
            for key, look in looks.items() if self.params.causal or key == "reads"))
        return items.arrange(RIGHT, buff=px(50)).next_to(strips, DOWN, buff=px(70))

    @staticmethod
    def _sample(role):
        return Grid([[""]], "ink", (40, 36))[0][0].set_stroke(paint(role), 3)

    @staticmethod
    def _hide(cell, size=42) -> VGroup:
        """A hatched cell: hidden, its score minus infinity."""
        box = cell[0]
        plate = Hatch(box.width, box.height, pitch=24).move_to(box)
        return VGroup(plate, number("−∞", size, "ink", "semibold").move_to(box).set_z_index(1))

    @beat(50, 50, 52, anchors="layers/attention.py:67", keep=True, variant=CAUSAL)
    def softmax(self):
        written, column = self.story.heads[0], self.story.softened[0]
        masked = VGroup(self.scaled, self.hidden, self.axes)
        exps = Grid(written.exps, "ink", WIDE, 34).move_to(at(-150, 90))
        sums = Grid([[s] for s in written.sums], "ink", WIDE, 34)
        sums.next_to(exps, RIGHT, buff=px(24))
        self.weights = Grid(written.weights, "d", WIDE, 36, self._heat(0)).move_to(at(530, 90))
        middle = self.scaled.get_center()
        self.move(24, FadeOut(self.scrap), masked.animate.scale(
            1 / GROWN, about_point=middle).shift(at(-634, 90) - middle))
        names = [self._below(grid, self.label(key), mono=False) for grid, key in (
            (self.scaled, "scores"), (exps, "exps"), (sums, "sums"), (self.weights, "weights"))]
        ways = [arrow(a, b, "muted", 16) for a, b in ((self.scaled, exps), (sums, self.weights))]
        rings = [ring(grid.cell(QUERY, column)) for grid in (self.scaled, exps, self.weights)]
        lines = [number(self.story.facts[key], 44, "ink").move_to(at(0, -190)).set_x(x)
                 for key, x in (("exp", px(-230)), ("share", self.weights.get_x()))]
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
        if self.params.causal:
            lines += self._vanish(exps, lines)
        for r in (r for r in range(3) if r != QUERY):
            seen = [exps.label(r, c) for c in range(3) if self.lesson.heads[0].mask[r, c]]
            fresh = [*seen, sums.cell(r, 0), *self.weights.row(r)]
            self.move(24, LaggedStart(*map(FadeIn, fresh), lag_ratio=0.3))
        one = self.weights.axis([self.label("one")] * 3, RIGHT, "focus", 30)
        self.move(12, FadeIn(one))
        self.scrap = VGroup(masked, exps, sums, *names, *ways, *lines, one)

    def _vanish(self, exps, above) -> list:
        """Every minus infinity travels to the 0 that e makes of it; both equations, in words."""
        lines = [number(self.story.facts[key], 44, "stop").next_to(line, DOWN, buff=px(50))
                 for key, line in zip(("gone", "nothing"), above)]
        hidden = np.argwhere(~self.lesson.heads[0].mask)
        self.move(9, FadeIn(lines[0]))
        self.move(24, *(gather([plate[1]], exps.label(*where))
                        for plate, where in zip(self.hidden, hidden)))
        self.move(9, FadeIn(lines[1]))
        return lines

    def _heat(self, head) -> np.ndarray:
        """Fill of a weight's cell: the more it weighs, the stronger."""
        return self.lesson.heads[head].weights * 0.6 + 0.04
