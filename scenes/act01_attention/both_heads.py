"""Act 01: attention by hand, every number worked out."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act01_head import CAUSAL, WIDE, OneHead
from scenes.act01_look_up import SIZE, at
from scenes.act01_projection import SHADES
from scenes.act01_story import QUERY
from scenes.kit import (
    Contraction,
    Corner,
    Formula,
    Grid,
    GridStack,
    Label,
    ProductLine,
    Remember,
    arrow,
    number,
    px,
    ring,
)
from scenes.stage import beat

__all__ = ["Act01"]

SMALL = (120, 72)  # px of a cell with decimals, six matrices in one picture
MERGED = (132, 72)
HUES = np.array([[["v"]], [["e"]]])  # one a head
HIGH = 190  # px above and below the middle: one row a head


def WEIGHTS(story):
    """Equal tokens can make the two heads' weights agree."""
    return "other" if story.heads[0].weights != story.heads[1].weights else "equal"


class Act01(OneHead):
    """Beats nine to twelve; the ones before are in the base classes."""

    @beat(62, 44, 34, anchors="layers/attention.py:67", keep=True, variant=CAUSAL)
    def mix(self):
        written, v = self.story.heads[0], self.lesson.heads[0].v
        result = Grid(written.output, "v", WIDE, 36).move_to(at(-262, -160))
        corner = Corner(self.weights.copy(), Grid(v.tolist(), "v", WIDE, 36), result, gap=(60, 46))
        self.move(24, FadeOut(self.scrap), self.weights.animate.move_to(corner.left_))
        names = [self._below(corner.left_, self.label("weights") + " [3, 3]", mono=False),
                 self._below(result, self.label("output") + " [3, 2]", mono=False),
                 number("V [3, 2]", 28, "muted").next_to(corner.top_, RIGHT, buff=px(30))]
        self.move(15, FadeIn(corner.top_), FadeIn(result.boxes), *map(FadeIn, names))
        terms, total, equals = self.story.mix
        line = ProductLine(terms, total, 46, ("d", "v"), equals).next_to(result, RIGHT, buff=px(80))
        line.set_y(result.cell(QUERY, 0).get_y())
        rings = corner.rings(QUERY, 0)
        self.move(12, FadeIn(rings))
        self.move(48, line.fly(*corner.factors(QUERY, 0), lag=0.8))
        self.move(15, line.add_up())
        self.move(18, line.deliver(result.label(QUERY, 0)))
        self.next_line()
        shapes = Contraction(3, 3, 2, 46).next_to(line, UP, buff=px(80)).align_to(line, LEFT)
        self.move(12, FadeIn(shapes.factors), FadeOut(rings))
        self.move(24, shapes.vanish())
        others = [result.label(r, c) for r in range(3) for c in range(2) if (r, c) != (QUERY, 0)]
        self.move(30, LaggedStart(*map(FadeIn, others), lag_ratio=0.4))
        self.move(15, FadeIn(self._whole().move_to(at(450, 185))))
        self.next_line()
        grids = (corner.left_, corner.top_, result)
        self.move(15, *(FadeIn(ring(g.row(0) if self.params.causal else g)) for g in grids))

    def _scored(self) -> Formula:
        """How a head's scores are made, small."""
        return Formula("Q K^T" + r" \/ sqrt(d)" * self.params.scale + " + M" * self.params.causal,
                       38, "muted")

    def _whole(self) -> VGroup:
        """The beats so far as one formula, and what its letters stand for."""
        params = self.params
        inner = "frac(Q K^T, sqrt(d))" if params.scale else "Q K^T"
        whole = VGroup(Formula(f'"softmax"({inner}{" + M" * params.causal}) V', 68))
        notes = [Label(self.label(key), 30, "muted") for key, said in
                 (("mask_is", params.causal), ("width", params.scale)) if said]
        if notes:
            whole.add(VGroup(*notes).arrange(RIGHT, buff=px(60)))
        return whole.arrange(DOWN, buff=px(36))

    @beat(54, 56, 40, anchors="models/qwen3.py:80", variant=WEIGHTS)
    def shared_kv(self):
        heads = self.lesson.heads
        k, v = (Grid(m.tolist(), role, SIZE, 34).move_to(at(x, 0)) for m, role, x in
                ((heads[0].k, "k", -440), (heads[0].v, "v", 390)))
        q = [Grid(h.q.tolist(), "q", SIZE, 34).move_to(at(-790, y)) for h, y in
             zip(heads, (HIGH, -HIGH))]
        names = [self._below(grid, self.label("q_head", n=n), "q", mono=False)
                 for n, grid in enumerate(q)]
        self.move(15, *map(FadeIn, q), *map(FadeIn, names))
        self.move(15, FadeIn(k), FadeIn(self._below(k, "K", "k", 32)))
        scores = [self._masked(n).move_to(at(-5, y)) for n, y in enumerate((HIGH, -HIGH))]
        names = [self._below(grid, self.label("scores_of", n=n), mono=False)
                 for n, grid in enumerate(scores)]
        for asks, grid, name, side in zip(q, scores, names, (1, -1)):
            steps = self._scored().move_to(at(-440, (HIGH + 38) * side))
            self.move(15, *self._ways(asks, k, grid, "qk"), FadeIn(steps))
            self.move(18, FadeIn(grid), FadeIn(name))
        self.next_line()
        weights = self._weigh(scores, names)
        self.move(15, FadeIn(v), FadeIn(self._below(v, "V", "v", 32)))
        self._output(weights, v)
        self.next_line()
        for grid in (k, v):
            once = Label(self.label("once"), 28, "focus", "semibold")
            once.next_to(grid, UP, buff=px(24))
            self.move(15, FadeIn(ring(grid, buff=6)), FadeIn(once))
            self.rest(12)
        self.rest(30)
        self.move(15, FadeIn(Label(self.label("one_for_all"), 28, "focus").move_to(at(-5, -24))))

    def _masked(self, n) -> VGroup:
        """Scores of head n, the hidden ones hatched as in the beat of the mask."""
        mask, written = self.lesson.heads[n].mask, self.story.heads[n].scaled
        grid = Grid([[text if seen else "" for text, seen in zip(*rows)]
                     for rows in zip(written, mask)], "ink", SMALL, 30)
        return VGroup(grid, *(self._hide(grid.cell(*where), 34) for where in np.argwhere(~mask)))

    @staticmethod
    def _ways(own, shared, target, roles) -> list:
        """Arrows into one head's matrix: from its own row, and from the one both heads read."""
        side = np.sign(target.get_y()) * UP
        ends = ((own.get_right(), target.get_left()),
                (shared.get_right() + side * px(36), target.get_left() - side * px(56)))
        return [FadeIn(arrow(*pair, role, 14)) for pair, role in zip(ends, roles)]

    def _weigh(self, scores, names) -> list[Grid]:
        """Both heads' scores become weights in their place."""
        weights = [Grid(text.weights, "d", SMALL, 30, self._heat(n)).move_to(scores[n])
                   for n, text in enumerate(self.story.heads)]
        self.move(12, *map(FadeOut, (*scores, *names)), *(FadeIn(w.boxes) for w in weights))
        fresh = [self._below(grid, self.label("weights_of", n=n), "d", mono=False)
                 for n, grid in enumerate(weights)]
        self.move(15, *(FadeIn(w.labels) for w in weights), *map(FadeIn, fresh))
        return weights

    def _output(self, weights, v):
        """Weights and V make each head's output."""
        self.outputs = GridStack([text.output for text in self.story.heads], "v", SMALL, 30)
        for n, (grid, y) in enumerate(zip(self.outputs, (HIGH, -HIGH))):
            name = self._below(grid.move_to(at(760, y)), self.label("output_of", n=n), "v",
                               mono=False)
            self.move(12, *self._ways(weights[n], v, grid, "dv"))
            self.move(15, FadeIn(grid), FadeIn(name))

    @beat(55, 50, 44, anchors="models/qwen3.py:87", keep=True)
    def merge(self):
        e = self.lesson.elements
        stack = GridStack(e.transposed[0], HUES, MERGED, 34, SHADES[None, :, None], gap=90)
        stack.move_to(at(-590, 10))
        gone = [m for m in self.mobjects if m not in (*self.frame.shown, *self.outputs)]
        self.move(21, *map(FadeOut, gone), *(grid.animate.move_to(place)
                                             for grid, place in zip(self.outputs, stack)))
        self.move(9, FadeOut(self.outputs), *(FadeIn(grid.boxes) for grid in stack))
        tags = [tag for grid in stack for tag in
                self._tags(grid.axis, [self.label("token", n=n) for n in range(3)])]
        heads = [self._below(grid, self.label("output_of", n=n), "ve"[n], 28, mono=False)
                 for n, grid in enumerate(stack)]
        self.move(15, *(FadeIn(grid.labels) for grid in stack), *map(FadeIn, (*tags, *heads)))
        right = self._merged(e.merge.right, e.merge.right_tokens, 198, "right")
        self.move(54, stack.flow(right, e.merge.right.ravel().tolist(), 0.5, group=2))
        self.next_line()
        wrong = self._merged(e.merge.wrong, e.merge.wrong_tokens, -180, "wrong")
        self.move(54, stack.flow(wrong, e.merge.wrong.ravel().tolist(), 0.5, group=2))
        self.move(12, *(FadeIn(ring(wrong[0].row(r), "stop", 4)) for r in e.merge.mixed_rows))
        self.next_line()
        note = Label(self.label("engine"), 28, "ink")
        self.move(15, FadeIn(note.next_to(right, DOWN, buff=px(28)).align_to(right, LEFT)))
        numbered = [*stack, right[0]]
        rows = [head.output for head in self.story.heads] + [self.story.merged.right.tolist()]
        values = [Grid(shown, "v", MERGED, 32).move_to(grid) for shown, grid in zip(rows, numbered)]
        again = Label(self.label("values"), 28, "ink").next_to(heads[1], DOWN, buff=px(28))
        self.rest(21)
        self.move(12, *(FadeOut(grid.labels) for grid in numbered))
        self.move(15, *(FadeIn(grid.labels) for grid in values), FadeIn(again))

    @staticmethod
    def _tags(axis, texts) -> list:
        """One small name a row, left of it, in the face of words."""
        return [Label(text, 26, "muted").move_to(place, RIGHT)
                for text, place in zip(texts, axis(texts))]

    def _merged(self, keys, tokens, y, name) -> GridStack:
        """An empty result with its way above and, beside each row, the tokens it holds."""
        hues = HUES.ravel()[keys % 4 // 2]  # element n is of head (n mod 4) div 2
        stack = GridStack(keys[None], hues, MERGED, 34, SHADES[tokens][None])
        stack.move_to(at(190, y))
        good = name == "right"
        title = Label(self.label(name), 32, "ink" if good else "stop", "semibold")
        title.next_to(stack, UP, buff=px(26)).align_to(stack, LEFT)
        rows = [sorted(set(row)) for row in tokens.tolist()]
        sides = VGroup(*(
            Label(self.label("token" if len(row) == 1 else "tokens", n=row[0], m=row[-1]), 32,
                  "ink" if len(row) == 1 else "stop").next_to(stack[0].row(r), RIGHT, buff=px(30))
            for r, row in enumerate(rows)))
        self.move(12, FadeIn(title), FadeIn(sides))
        return stack

    @beat(20, 20, 20)
    def remember(self):
        self.recall(Remember)
