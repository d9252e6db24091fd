"""Act 01, first part: the question, and from ids to rows of a table."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act01_story import QUERY, Params, tell
from scenes.kit import Frame, Grid, Label, TitleCard, arc, arrow, number, px, ring
from scenes.kit.base.gather import carry
from scenes.stage import Act, beat

__all__ = ["SIZE", "LookUp", "at"]

SIZE = (96, 72)  # px of a cell with a whole number


def at(x: float, y: float) -> list:
    """A point of the frame, in px from its middle."""
    return [px(x), px(y), 0]


class LookUp(Act):
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
        other = "en" if self.language == "zh" else "zh"
        card = TitleCard(self.frame.act_line, self.beat.title[self.language],
                         self.beat.title[other], self._motif())
        arcs = card[-1][1:]
        card[-1].remove(*arcs)
        self.add(card.act)
        self.move(30, card.rise())
        for way in arcs:
            self.move(15, FadeIn(way))

    def _motif(self) -> VGroup:
        """Three tokens; the last one gathers from both others, as strongly as it weighs them."""
        tokens = Grid([self.params.ids], "ink", (150, 110), 52)
        for c, cell in enumerate(tokens):
            cell.shift(RIGHT * px(240 * c))
        tops = [cell.get_top() + UP * px(10) for cell in tokens]
        weights = self.lesson.heads[0].weights[QUERY]
        return VGroup(tokens, *(
            arc(tops[j], tops[QUERY] + RIGHT * px(50 * j - 40), -1.3, "d", 3 + 12 * weights[j])
            for j in range(QUERY)))

    @beat(36, 54, 36, anchors="layers/embed_head.py:38")
    def look_up(self):
        table = Grid(self.lesson.look_up.table.tolist(), "ink", SIZE, 34).move_to(at(-170, 20))
        ids = Grid([[i] for i in self.params.ids], "ink", SIZE, 34).move_to(at(-700, 20))
        self.x = Grid(self.lesson.look_up.x.tolist(), "ink", SIZE, 34).move_to(at(640, 20))
        rows = table.axis(range(len(table) // 4))
        names = [self._below(ids, "ids [3]"), self._below(table, "E [6, 4]"),
                 self._below(self.x, "X [3, 4]")]
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
            self.move(24, FadeIn(ways[1]), carry(table.row(index), self.x.row(token)))
            self.move(9, FadeOut(rings))
            self.scrap.add(*ways)
        self.next_line()
        ints = self._below(names[0], self.label("ints"), "focus", 40, 40, mono=False)
        floats = self._below(names[2], self.label("floats"), "focus", 40, 40, mono=False)
        self.move(12, FadeOut(toy), FadeIn(ints, shift=UP * px(10)))
        self.move(12, FadeIn(floats, shift=UP * px(10)))
        self.scrap.add(ints, floats, names[2])

