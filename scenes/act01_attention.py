"""Act 01: attention by hand, every number worked out."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, RoundedRectangle, VGroup

from scenes.act01_head import OneHead
from scenes.act01_projection import SHADES, SIZE, at
from scenes.kit import Grid, GridStack, Label, Remember, arrow, paint, px, ring
from scenes.stage import beat

__all__ = ["Act01"]

SMALL = (104, 72)  # px of a cell with decimals


def WEIGHTS(story):
    """Equal tokens can make the two heads' weights agree."""
    return "other" if story.heads[0].weights != story.heads[1].weights else "equal"


class Act01(OneHead):
    """Beats ten to twelve; the ones before are in `OneHead` and `Projections`."""

    @beat(44, 46, 40, anchors="models/qwen3.py:80", variant=WEIGHTS)
    def shared_kv(self):
        heads, height = self.lesson.heads, 172
        q = [Grid(h.q.tolist(), "q", SIZE, 34).move_to(at(-720, y)) for h, y in
             zip(heads, (height, -height))]
        k, v = (Grid(m.tolist(), role, SIZE, 34) for m, role in
                ((heads[0].k, "k"), (heads[0].v, "v")))
        store = VGroup(k, v).arrange(RIGHT, buff=px(60)).move_to(at(-270, 0))
        frame = RoundedRectangle(corner_radius=px(14), width=store.width + px(70),
                                 height=px(360), stroke_width=2.5, stroke_color=paint("muted"),
                                 fill_color=paint("ground"), fill_opacity=1).move_to(store)
        store.shift(UP * px(16))
        letters = [self._below(k, "K", "k", 32), self._below(v, "V", "v", 32)]
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

    @beat(50, 50, 40, anchors="models/qwen3.py:87", keep=True)
    def merge(self):
        stack, merged = self.outputs, self.lesson.elements.merge
        gone = [m for m in self.mobjects if m not in (*self.frame.shown, *stack, stack)]
        places = stack.copy().arrange(DOWN, buff=px(90)).move_to(at(-560, 20))
        self.move(24, *map(FadeOut, gone), *(grid.animate.move_to(place)
                                             for grid, place in zip(stack, places)))
        heads = [self._below(grid, self.label("output_of", n=n), "v", 28, mono=False)
                 for n, grid in enumerate(stack)]
        self.move(9, *map(FadeIn, heads))
        texts = self.story.merged
        right = self._merged(merged.right, texts.right, merged.right_tokens, 185, "right")
        self.move(48, stack.flow(right, merged.right.ravel().tolist()))
        self.next_line()
        wrong = self._merged(merged.wrong, texts.wrong, merged.wrong_tokens, -165, "wrong")
        self.move(48, stack.flow(wrong, merged.wrong.ravel().tolist()))
        self.move(12, *(FadeIn(ring(wrong[0].row(r), "stop", 4)) for r in merged.mixed_rows))
        self.next_line()
        note = Label(self.label("engine"), 30, "muted").move_to(at(130, -350))
        self.move(15, FadeIn(note, shift=UP * px(10)))

    def _merged(self, keys, texts, tokens, y, name) -> GridStack:
        """An empty result with its way above and, beside each row, the tokens it holds."""
        stack = GridStack([texts.tolist()], "v", SMALL, 28, SHADES[tokens][None], keys)
        stack.move_to(at(130, y))
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
        lines = Remember(self.spoken, self.words.leaves_out)
        for k in range(len(lines)):
            if k:
                self.next_line()
            self.move(15, *lines.line(k))
