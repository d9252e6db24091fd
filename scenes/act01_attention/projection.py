"""Act 01, second part: from rows to Q, K and V, and a head as a matrix."""

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    FadeIn,
    FadeOut,
    LaggedStart,
    Rectangle,
    TransformFromCopy,
    VGroup,
)

from scenes.act01_look_up import SIZE, LookUp, at
from scenes.act01_story import CELL, ELEMENT
from scenes.kit import (
    Contraction,
    Corner,
    Grid,
    GridStack,
    Label,
    ProductLine,
    arrow,
    number,
    paint,
    px,
    ring,
    transposed,
)
from scenes.kit.base.gather import carry
from scenes.lessons.attention import COLUMNS
from scenes.stage import beat

__all__ = ["SHADES", "Projections"]

SHADES = np.array([0.14, 0.34, 0.56])  # one shade a token
PLACES = (-590, 10, 600)  # px: the middles of Q as it is, viewed and transposed
WAYS = ((-380, -200), (235, 390))  # px: from and to where the arrows between them go
ROLES = [role for role, part in zip("qkv", COLUMNS.values()) for _ in range(8)[part]]


class Projections(LookUp):
    """Beats three to five."""

    def _projection(self):
        """X, W and Y in the corner arrangement; `left_` is a stand-in for the X on screen."""
        lesson = self.lesson.projection
        w, y = (Grid(a.tolist(), ROLES, SIZE, 34) for a in (lesson.w, lesson.y))
        y.move_to(at(-70, -132))
        corner = self.corner = Corner(self.x.copy(), w, y, gap=(60, 46))
        self.heads_of_w = VGroup(*(
            w.header(part.start, range(8)[part][-1], f"{name} {len(range(8)[part])}", role)
            for role, (name, part) in zip("qkv", COLUMNS.items())))
        self.names = VGroup(self._below(corner.left_, "X [3, 4]"),
                            self._below(y, "Y = X · W [3, 8]"),
                            number("W [4, 8]", 28, "muted").next_to(w, RIGHT, buff=px(30)))
        return corner

    @beat(40, 60, 36, anchors="layers/linear.py:73", keep=True)
    def one_cell(self):
        corner = self._projection()
        self.move(24, FadeOut(self.scrap), self.x.animate.move_to(corner.left_))
        self.move(18, FadeIn(corner.top_), FadeIn(self.heads_of_w), FadeIn(corner.result.boxes),
                  FadeIn(self.names))
        rings = self.rings = corner.rings(*CELL)
        self.move(12, FadeIn(rings[0]))
        self.move(12, FadeIn(rings[1]))
        self.next_line()
        line = ProductLine(*self.story.product, size=38, roles=("ink", ROLES[CELL[1]]))
        line.next_to(corner.result, RIGHT, buff=px(50)).set_y(corner.result.cell(0, 0).get_y())
        self.move(66, line.fly(*corner.factors(*CELL), lag=0.8))
        self.move(15, line.add_up(), FadeIn(rings[2]))
        self.move(24, line.deliver(corner.result.label(*CELL)))
        self.next_line()
        self.shapes = Contraction(3, 4, 8, 34).align_to(line, LEFT)
        self.shapes.match_y(corner.result.row(2))
        self.move(12, FadeIn(self.shapes.factors))
        self.move(24, self.shapes.vanish())
        self.line = line

    @beat(46, 50, 42, anchors="layers/linear.py:73", keep=True)
    def all_cells(self):
        x, w, y = self.corner
        self.move(12, FadeOut(self.line), FadeOut(self.shapes), FadeOut(self.rings[1:]))
        row = self.rings[0]
        for r in range(3):
            if r:
                self.move(9, row.animate.move_to(x.row(r)))
            fresh = [y.label(r, c) for c in range(8) if (r, c) != CELL]
            self.move(18, LaggedStart(*map(FadeIn, fresh), lag_ratio=0.3))
        columns = [VGroup(*(y.column(c) for c in range(8)[part])) for part in COLUMNS.values()]
        self.move(9, FadeOut(row), FadeOut(self.names[1]))
        self.move(18, *(part.animate.shift(RIGHT * px(44 * k)) for k, part in enumerate(columns)))
        self.parts = VGroup(*(
            self._below(part, f"{name} [3, {len(range(8)[COLUMNS[name]])}]", role, 32)
            for part, name, role in zip(columns, COLUMNS, "qkv")))
        for part in self.parts:
            self.move(9, FadeIn(part, shift=UP * px(8)))
        self.next_line()
        meaning = self._meaning(columns)
        self.next_line()
        self.move(12, FadeOut(meaning))
        self._linear(w)

    def _meaning(self, columns) -> VGroup:
        """What query, key and value are for, one card each, while its columns are framed."""
        cards = VGroup()
        for key, role in zip(("asks", "offers", "delivers"), "qkv"):
            bar = Rectangle(width=px(8), height=px(120), stroke_width=0, fill_color=paint(role),
                            fill_opacity=1)
            words = VGroup(Label(self.label(key), 38, role, "semibold"),
                           Label(self.label(f"{key}_what"), 30))
            words.arrange(DOWN, buff=px(30), aligned_edge=LEFT).next_to(bar, RIGHT, buff=px(24))
            cards.add(VGroup(bar, words))
        cards.arrange(DOWN, buff=px(60), aligned_edge=LEFT).align_to(at(545, 0), LEFT)
        frame = None
        for card, part, role in zip(cards, columns, "qkv"):
            fresh = ring(part, role, buff=6)
            self.move(18, FadeIn(card, shift=RIGHT * px(16)), FadeIn(fresh),
                      FadeOut(frame) if frame else None)
            self.rest(24)
            frame = fresh
        self.move(9, FadeOut(frame))
        return cards

    def _linear(self, w):
        """`Linear.weight` [8, 4]: every column of W becomes a row."""
        lesson = self.lesson.projection.linear_weight
        stored = Grid(lesson.tolist(), np.array(ROLES)[:, None], (88, 60), 32).move_to(at(700, 50))
        name = VGroup(self._below(stored, "Linear.weight [8, 4]"))
        name.add(transposed("y = x · weight").next_to(name, DOWN, buff=px(30)))
        self.move(9, FadeIn(name))
        self.move(45, LaggedStart(*(carry(w.column(c), stored.row(c)) for c in range(8)),
                                  lag_ratio=0.3))
        self.stored = VGroup(stored, name)

    @beat(44, 54, 44, anchors="models/qwen3.py:79", keep=True)
    def two_heads(self):
        e = self.lesson.elements
        y, places, shapes = self.corner.result, PLACES, (e.flat, e.viewed, e.transposed)
        stacks = [GridStack(a[0] if a.ndim == 4 else a, "q", SIZE, 34, s, gap=20)
                  .move_to(at(x, 40)) for a, s, x in zip(shapes, self._shades(), places)]
        first = stacks[0]
        old = GridStack([self.lesson.projection.q.tolist()], "q", SIZE, 34).move_to(first)
        columns = VGroup(*(y.cell(r, c) for r in range(3) for c in range(4)))
        gone = VGroup(self.x, self.corner.top_, self.heads_of_w, self.names[0], self.names[2],
                      self.parts, self.stored, *(y.column(c) for c in range(4, 8)))
        self.move(18, FadeOut(gone), *(cell.animate.move_to(place)
                                       for cell, place in zip(columns, old[0])))
        self.move(9, FadeOut(columns), FadeIn(first[0].boxes))
        self.move(12, FadeIn(first[0].labels), *map(FadeIn, self._about(first, 0)))
        mark = self._follow(first, 0)
        self.next_line()
        for k, (word, here, there) in enumerate(zip(("view", "transpose"), stacks, stacks[1:])):
            way = arrow(at(WAYS[k][0], 40), at(WAYS[k][1], 40))
            name = number(word, 28, "ink").next_to(way, UP, buff=px(18))
            self.move(9, FadeIn(way), FadeIn(name), *map(FadeIn, self._about(there, k + 1)))
            self.move(36, here.flow(there, group=2, lag=0.4))
            mark = self._follow(there, k + 1, mark)
        self.next_line()
        stop, book = (Label(self.label(key), 28, role).move_to(at(x, -352)) for key, role, x in
                      (("stops", "ink", places[1]), ("textbook", "muted", places[2])))
        self.move(15, FadeIn(book))
        self.rest(45)
        self.move(15, FadeIn(ring(stacks[1], "ink", 4, 8)), FadeIn(stop))

    def _shades(self):
        """One shade a token, in the three shapes: what moves together keeps its shade."""
        flat = np.repeat(SHADES[:, None], 4, axis=1)[None]
        viewed = flat.reshape(3, 2, 2)
        return flat, viewed, viewed.transpose(1, 0, 2)

    def _about(self, stack, stage):
        """Shape above the stack; who its rows are, beside it."""
        shape = ("3, 4]", "3, 2, 2]", "2, 3, 2]")[stage]
        yield self._batched("[", 1, shape, "ink").move_to(at(PLACES[stage], 335))
        if stage == 0:
            yield Label(self.label("batch"), 26, "muted").move_to(at(PLACES[0], -352))
        token = [self.label("token", n=n) for n in range(3)]
        head = [self.label("head", n=n) for n in range(2)]
        rows = [stack[0].row(r) for r in range(3)] if stage == 0 else list(stack)
        for text, row in zip(token if stage < 2 else head, rows):
            yield Label(text, 26, "muted").next_to(row, LEFT, buff=px(24))
        inner = ((), head * 3, token * 2)[stage]
        rows = [grid.row(r) for grid in stack for r in range(grid.shape[0])]
        for text, row in zip(inner, rows):
            yield Label(text, 26, "muted").next_to(row, RIGHT, buff=px(24))

    @staticmethod
    def _batched(opened, batch, rest, role) -> VGroup:
        """A shape or coordinates: the batch axis, which nothing else here draws, is pale."""
        parts = (opened, role), (f"{batch}, ", "muted"), (rest, role)
        return VGroup(*(number(text, 38, r, "semibold") for text, r in parts)).arrange(
            RIGHT, buff=0)

    def _follow(self, stack, stage, mark=None):
        """The followed element, ringed, and its coordinates in this shape; returns the ring."""
        key = ("axes_flat", "axes_viewed", "axes_transposed")[stage]
        element = self.lesson.elements.elements[ELEMENT]
        batch, *way = (element.flat, element.viewed, element.transposed)[stage]
        where = self._batched("(", batch, ", ".join(map(str, way)) + ")", "focus")
        axes = Label(self.label(key), 26, "muted")
        VGroup(where, axes).arrange(DOWN, buff=px(22)).move_to(at(PLACES[stage], -275))
        fresh = ring(stack.cell(ELEMENT))
        self.move(15, FadeIn(fresh) if mark is None else TransformFromCopy(mark, fresh),
                  FadeIn(where), FadeIn(axes))
        return fresh
