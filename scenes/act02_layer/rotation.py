"""Act 02, third part: RoPE turns pairs of numbers."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act02_inside import Inside, arrive
from scenes.kit import STAGE, Grid, Label, Plane, Readout, arc, number, px, ring
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import beat

__all__ = ["REACH", "Pairs", "pair_text"]

REACH = 2.45  # a little more than the longest pair of the lesson


def pair_text(pair) -> str:
    """A point as written: (1, 2)."""
    return f"({text(pair[0])}, {text(pair[1])})"


class Pairs(Inside):
    @beat(46, 40, 46, anchors="layers/rotary_embedding.py:6")
    def pairs_turn(self):
        q = self.story.rope.products[0].query
        half = len(q.first)
        head = Grid([[text(shown(v, 0)) for v in q.x]], "q", (112, 96), 44)
        head.move_to([STAGE.left, STAGE.top - px(230), 0], LEFT)
        places = head.axis(map(str, range(2 * half)), DOWN, size=28)
        name = Label(self.label("one_head"), 36, "q", "semibold").move_to(
            [head.get_left()[0], STAGE.top - px(20), 0], LEFT)
        links = [arc(head.cell(0, i).get_top(), head.cell(0, i + half).get_top(), -0.75,
                     "focus" if i == 0 else "muted", 4 if i == 0 else 2.5) for i in range(half)]
        links = VGroup(*(link[0] for link in links))
        plane = Plane(285, REACH).move_to([STAGE.right - px(345), STAGE.center[1] + px(45), 0])
        rate = Label(self.label("rate", n=significant(q.frequencies[0])), 34, "focus")
        rate.next_to(plane, DOWN, buff=px(58))
        spoke = plane.spoke((q.first[0], q.second[0]), "q", size=36)
        self.move(12, FadeIn(head), FadeIn(places), FadeIn(name))
        problem = self._problem(head)
        self.next_line()
        self.move(7, FadeOut(problem))  # first: the plane takes its place
        self.move(8, FadeIn(plane))
        self.move(36, LaggedStart(*map(Create, links), lag_ratio=0.4))
        rings = VGroup(*(ring(head.cell(0, i)) for i in (0, half)))
        point = number(pair_text((shown(q.first[0], 0), shown(q.second[0], 0))), 40, "q")
        point.next_to(plane.at(spoke.direction, 1), RIGHT, buff=px(48))
        self.move(12, FadeIn(rings))
        self.move(24, arrive([head.label(0, i) for i in (0, half)], point), FadeIn(spoke))
        self.next_line()
        self.add(plane.spoke((q.first[0], q.second[0]), "muted", width=4), spoke)
        self._walk(plane, spoke, head, q, rate)
        self._rule(head, q)

    def _problem(self, head):
        """Nothing turned yet: the same q · k wherever the two stand."""
        one = self.story.rope.products[0]
        key = Grid([[text(shown(v, 0)) for v in one.key.x]], "k", (112, 96), 44)
        key.next_to(head, DOWN, buff=px(150))
        name = Label(self.label("one_head_k"), 36, "k", "semibold").next_to(
            key, UP, buff=px(34)).align_to(key, LEFT)
        rows = VGroup(*(VGroup(
            *(number(f"{role}: " + self.label("at", n=turned.position), 34, role, "semibold")
              for role, turned in (("q", dot.query), ("k", dot.key))),
            number(f"q · k = {self.story.unturned}", 44, "focus", "bold"))
            for dot in (one, self.story.elsewhere)))
        for row in rows:
            row.arrange(DOWN, buff=px(30), aligned_edge=LEFT)
        rows.arrange(DOWN, buff=px(90), aligned_edge=LEFT)
        rows.move_to([STAGE.right - px(560), head.get_top()[1], 0], UP + LEFT)
        self.move(12, FadeIn(key), FadeIn(name), FadeIn(rows[0][:2]))
        self.move(27, arrive([*head.labels, *key.labels], rows[0][2]))
        self.rest(21)
        self.move(15, FadeIn(rows[1][:2], shift=DOWN * px(16)))
        self.move(27, arrive([*head.labels, *key.labels], rows[1][2]))
        return VGroup(key, name, rows)

    def _walk(self, plane, spoke, head, q, rate):
        """Position by position, at most five at a time: the same turn again and again."""
        steps = min(q.position, 5)
        word = Label(self.label("position"), 36, "muted").move_to(
            [head.get_left()[0], STAGE.top - px(410), 0], LEFT)
        turns = f"{{}}: φ = {{}} × {significant(q.frequencies[0])} rad".format
        count = Readout(turns(0, 0), 36).next_to(word, RIGHT, buff=px(20))
        self.move(9, FadeIn(word), FadeIn(count), FadeIn(rate))
        marks = [round(q.position * (k + 1) / steps) for k in range(steps)]
        before = 0
        for mark in marks:
            by = (mark - before) * float(q.frequencies[0])
            path = plane.path(spoke, by, 0.45)
            self.move(max(18, 90 // steps), *plane.turn(spoke, by=by), Create(path),
                      *count.to(turns(mark, mark)))
            if q.position <= 6:  # more would come round to where the first ones stand
                beyond = plane.at(spoke.direction, 1.09)
                self.add(number(mark, 28, "focus", "semibold").move_to(beyond))
            before = mark

    def _rule(self, head, q):
        """The rotation rule, and the pair's own numbers in it."""
        x, y = text(shown(q.first[0], 0)), text(shown(q.second[0], 0))
        turn = significant(q.angles[0], 6)
        results = [text(shown(v)) for v in (q.turned_first[0], q.turned_second[0])]
        rows = VGroup()
        for rule, a, sign, b, result in (("x′ = x cos φ − y sin φ", x, "−", y, results[0]),
                                         ("y′ = y cos φ + x sin φ", y, "+", x, results[1])):
            row = VGroup(number(rule, 32, "muted"),
                         number(f"= {a} cos {turn} {sign} {b} sin {turn} =", 32),
                         number(result, 36, "focus", "bold"))
            rows.add(row.arrange(RIGHT, buff=px(20), aligned_edge=DOWN))
        rows.arrange(DOWN, buff=px(44), aligned_edge=LEFT)
        rows.move_to([head.get_left()[0], STAGE.top - px(550), 0], LEFT)
        self.move(18, LaggedStart(*(FadeIn(row, shift=RIGHT * px(12)) for row in rows),
                                  lag_ratio=0.5))
