"""Act 01, first part: from ids to rows, from rows to Q, K and V, and a head as a matrix."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, TransformFromCopy, VGroup

from scenes.act01_story import CELL, ELEMENT, Params, tell
from scenes.kit import (
    Contraction,
    Corner,
    Frame,
    Grid,
    GridStack,
    Label,
    ProductLine,
    TitleCard,
    arrow,
    number,
    px,
    ring,
    transposed,
)
from scenes.lessons.attention import COLUMNS
from scenes.stage import Act, beat

__all__ = ["SHADES", "SIZE", "Projections", "at"]

SIZE = (84, 72)  # px of a cell with a whole number
SHADES = np.array([0.14, 0.34, 0.56])  # one shade a token
ROLES = [role for role, part in zip("qkv", COLUMNS.values()) for _ in range(8)[part]]


def at(x: float, y: float) -> list:
    """A point of the frame, in px from its middle."""
    return [px(x), px(y), 0]


class Projections(Act):
    number = 1
    Params = Params
    Frame = Frame
    tell = staticmethod(tell)

    def prepare(self):
        self.lesson = self.story.lesson

    def _below(self, mobject, text, role="muted", size=28, buff=24, mono=True):
        """A caption under a mobject: a shape, or words in the act's language."""
        make = number if mono else Label
        return make(text, size, role).next_to(mobject, DOWN, buff=px(buff))

    @beat(36, header=False)
    def the_question(self):
        ids = Grid([self.params.ids], "ink", SIZE, 34)
        head = self.lesson.heads[0]
        heat = Grid([[""] * 3] * 3, "d", (60, 36), share=head.weights * 0.9 * head.mask + 0.06)
        motif = VGroup(ids, arrow(at(0, 0), at(110, 0)), heat).arrange(RIGHT, buff=px(36))
        other = "en" if self.language == "zh" else "zh"
        card = TitleCard(self.frame.act_line, self.beat.title[self.language],
                         self.beat.title[other], motif)
        self.add(card.act)
        self.move(30, card.rise())

    @beat(36, 54, 36, anchors="layers/embed_head.py:38")
    def look_up(self):
        table = Grid(self.lesson.look_up.table.tolist(), "ink", SIZE, 34).move_to(at(-170, 10))
        ids = Grid([[i] for i in self.params.ids], "ink", SIZE, 34).move_to(at(-690, 10))
        self.x = Grid(self.lesson.look_up.x.tolist(), "ink", SIZE, 34).move_to(at(600, 10))
        rows = table.axis(range(len(table) // 4))
        names = [self._below(ids, "ids [1, 3]"), self._below(table, "E [6, 4]"),
                 self._below(self.x, "X [1, 3, 4]")]
        toy = Label(self.label("toy"), 26, "muted").next_to(names[0], DOWN, buff=px(30))
        toy.align_to(at(-896, 0), LEFT)
        self.move(15, FadeIn(ids), FadeIn(names[0]), FadeIn(toy))
        self.move(15, FadeIn(table), FadeIn(rows), FadeIn(names[1]))
        self.next_line()
        self.scrap = VGroup(table, ids, rows, *names[:2])
        self.move(9, FadeIn(names[2]))
        for token, index in enumerate(self.params.ids):
            ways = [arrow(ids.cell(token, 0).get_right(), rows[index].get_left()),
                    arrow(table.row(index).get_right(), self.x.row(token).get_left())]
            rings = VGroup(ring(ids.cell(token, 0)), ring(table.row(index)))
            self.move(12, FadeIn(ways[0]), FadeIn(rings))
            self.move(24, FadeIn(ways[1]), self._row(table.row(index), self.x.row(token)))
            self.move(9, FadeOut(rings))
            self.scrap.add(*ways)
        self.next_line()
        ints = self._below(names[0], self.label("ints"), "focus", 40, 40, mono=False)
        floats = self._below(names[2], self.label("floats"), "focus", 40, 40, mono=False)
        self.move(12, FadeOut(toy), FadeIn(ints, shift=UP * px(10)))
        self.move(12, FadeIn(floats, shift=UP * px(10)))
        self.scrap.add(ints, floats, names[2])

    @staticmethod
    def _row(source, target):
        """Animation: the cells of one row or column travel to another."""
        return LaggedStart(*map(TransformFromCopy, source, target), lag_ratio=0.15)

    def _projection(self):
        """X, W and Y in the corner arrangement; `left_` is a stand-in for the X on screen."""
        lesson = self.lesson.projection
        w, y = (Grid(a.tolist(), ROLES, SIZE, 34) for a in (lesson.w, lesson.y))
        y.move_to(at(-148, -152))
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
        line = ProductLine(*self.story.product, roles=("ink", ROLES[CELL[1]]))
        line.next_to(corner.result, RIGHT, buff=px(70)).set_y(corner.result.cell(0, 0).get_y())
        self.move(66, line.fly(*corner.factors(*CELL), lag=0.8))
        self.move(15, line.add_up(), FadeIn(rings[2]))
        self.move(24, line.deliver(corner.result.label(*CELL)))
        self.next_line()
        self.shapes = Contraction(3, 4, 8).move_to(line).set_y(corner.result.cell(2, 0).get_y())
        self.move(12, FadeIn(self.shapes.factors))
        self.move(24, self.shapes.vanish())
        self.line = line

    @beat(36, 40, 44, anchors="layers/linear.py:73", keep=True)
    def all_cells(self):
        x, w, y = self.corner
        self.move(12, FadeOut(self.line), FadeOut(self.shapes), FadeOut(self.rings[1:]))
        row = self.rings[0]
        for r in range(3):
            if r:
                self.move(9, row.animate.move_to(x.row(r)))
            fresh = [y.label(r, c) for c in range(8) if (r, c) != CELL]
            self.move(21, LaggedStart(*map(FadeIn, fresh), lag_ratio=0.3))
        self.next_line()
        columns = [VGroup(*(y.column(c) for c in range(8)[part])) for part in COLUMNS.values()]
        self.move(9, FadeOut(row), FadeOut(self.names[1]))
        self.move(18, *(part.animate.shift(RIGHT * px(44 * k)) for k, part in enumerate(columns)))
        self.parts = VGroup(*(
            self._below(part, f"{name} [3, {len(range(8)[COLUMNS[name]])}]", role, 32)
            for part, name, role in zip(columns, COLUMNS, "qkv")))
        for part in self.parts:
            self.move(9, FadeIn(part, shift=UP * px(8)))
        self.next_line()
        self._linear(w)

    def _linear(self, w):
        """`Linear.weight` [8, 4]: every column of W becomes a row."""
        lesson = self.lesson.projection.linear_weight
        stored = Grid(lesson.tolist(), np.array(ROLES)[:, None], SIZE, 34).move_to(at(680, 60))
        name = VGroup(self._below(stored, "Linear.weight [8, 4]"))
        name.add(transposed("y = x · weight").next_to(name, DOWN, buff=px(30)))
        self.move(9, FadeIn(name))
        self.move(45, LaggedStart(*(self._row(w.column(c), stored.row(c)) for c in range(8)),
                                  lag_ratio=0.3))
        self.stored = VGroup(stored, name)

    @beat(44, 54, 44, anchors="models/qwen3.py:79", keep=True)
    def two_heads(self):
        e = self.lesson.elements
        y, places = self.corner.result, (-600, 10, 610)
        stacks = [GridStack(a[0] if a.ndim == 4 else a, "q", SIZE, 34, s).move_to(at(x, 20))
                  for a, s, x in zip((e.flat, e.viewed, e.transposed), self._shades(), places)]
        first = stacks[0]
        old = GridStack([self.lesson.projection.q.tolist()], "q", SIZE, 34).move_to(first)
        columns = VGroup(*(y.cell(r, c) for r in range(3) for c in range(4)))
        gone = VGroup(self.x, self.corner.top_, self.heads_of_w, self.names[0], self.names[2],
                      self.parts, self.stored, *(y.column(c) for c in range(4, 8)))
        self.move(18, FadeOut(gone), *(cell.animate.move_to(place)
                                       for cell, place in zip(columns, old[0])))
        self.move(15, FadeOut(columns), FadeIn(first), *map(FadeIn, self._about(first, 0)))
        self.next_line()
        for k, (word, here, there) in enumerate(zip(("view", "transpose"), stacks, stacks[1:])):
            way = arrow(at(places[k] + 210, 20), at(places[k + 1] - 250, 20))
            name = number(word, 28, "ink").next_to(way, UP, buff=px(18))
            self.move(9, FadeIn(way), FadeIn(name), *map(FadeIn, self._about(there, k + 1)))
            self.move(48, here.flow(there))
        self.next_line()
        self._follow(stacks)

    def _shades(self):
        """One shade a token, in the three shapes: what moves together keeps its shade."""
        flat = np.repeat(SHADES[:, None], 4, axis=1)[None]
        viewed = flat.reshape(3, 2, 2)
        return flat, viewed, viewed.transpose(1, 0, 2)

    def _about(self, stack, stage):
        """Shape above the stack; who its rows are, beside it."""
        shape = ("[1, 3, 4]", "[1, 3, 2, 2]", "[1, 2, 3, 2]")[stage]
        yield number(shape, 34, "ink", "semibold").move_to(at(0, 325)).set_x(stack.get_x())
        token = [self.label("token", n=n) for n in range(3)]
        head = [self.label("head", n=n) for n in range(2)]
        rows = [stack[0].row(r) for r in range(3)] if stage == 0 else list(stack)
        for text, row in zip(token if stage < 2 else head, rows):
            yield Label(text, 26, "muted").next_to(row, LEFT, buff=px(20))
        inner = ((), head * 3, token * 2)[stage]
        rows = [grid.row(r) for grid in stack for r in range(grid.shape[0])]
        for text, row in zip(inner, rows):
            yield Label(text, 26, "muted").next_to(row, RIGHT, buff=px(20))

    def _follow(self, stacks):
        """The followed element, ringed, and its coordinates in each shape."""
        keys = ("axes_flat", "axes_viewed", "axes_transposed")
        element = self.lesson.elements.elements[ELEMENT]
        ways = (element.flat, element.viewed, element.transposed)
        mark = None
        for stack, key, way in zip(stacks, keys, ways):
            where = number(str(way), 40, "focus", "semibold").move_to(at(0, -310))
            axes = Label(self.label(key), 26, "muted").next_to(where, DOWN, buff=px(24))
            VGroup(where, axes).set_x(stack.get_x())
            fresh = ring(stack.cell(ELEMENT))
            self.move(18, FadeIn(fresh) if mark is None else TransformFromCopy(mark, fresh),
                      FadeIn(where), FadeIn(axes))
            mark = fresh
            self.rest(9)
