"""Act 02, third part: RoPE as a rotation, and why only the distance counts."""

from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    VGroup,
)

from scenes.act02_inside import Inside
from scenes.act02_story import factor
from scenes.kit import (
    STAGE,
    Formula,
    Grid,
    Label,
    Plane,
    ProductLine,
    Readout,
    arc,
    gather,
    number,
    px,
    ring,
)
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import beat

__all__ = ["Rope"]

REACH = 2.45  # a little more than the longest pair of the lesson


def pair_text(pair) -> str:
    return f"({text(pair[0])}, {text(pair[1])})"


class Rope(Inside):
    @beat(26, 46, anchors="layers/rotary_embedding.py:6")
    def pairs_turn(self):
        q = self.story.rope.products[0].query
        half = len(q.first)
        head = Grid([[text(shown(v, 0)) for v in q.x]], "q", (104, 96), 44)
        head.move_to([STAGE.left + px(70), STAGE.center[1] + px(50), 0], LEFT)
        places = head.axis(map(str, range(2 * half)), DOWN, size=28)
        name = Label(self.label("one_head"), 36, "q", "semibold").next_to(head, UP, buff=px(190))
        name.align_to(head, LEFT)
        links = [arc(head.cell(0, i).get_top(), head.cell(0, i + half).get_top(), -0.9,
                     "focus" if i == 0 else "muted", 4 if i == 0 else 2.5) for i in range(half)]
        links = VGroup(*(link[0] for link in links))
        plane = Plane(300, REACH).move_to([STAGE.right - px(330), STAGE.center[1] + px(35), 0])
        rate = Label(self.label("rate", n=significant(q.frequencies[0])), 32, "focus")
        rate.next_to(plane, DOWN, buff=px(34))
        spoke = plane.spoke((q.first[0], q.second[0]), "q", size=36)
        point = number(pair_text((shown(q.first[0], 0), shown(q.second[0], 0))), 44, "q")
        self.move(15, FadeIn(head), FadeIn(places), FadeIn(name))
        self.move(24, LaggedStart(*map(Create, links), lag_ratio=0.3))
        self.next_line()
        rings = VGroup(*(ring(head.cell(0, i)) for i in (0, half)))
        point.next_to(places, DOWN, buff=px(60)).align_to(head, LEFT)
        self.move(12, FadeIn(rings), FadeIn(plane))
        self.move(24, gather([head.label(0, i) for i in (0, half)], point),
                  FadeIn(spoke))
        self.add(plane.spoke((q.first[0], q.second[0]), "muted", width=4), spoke)
        self._walk(plane, spoke, point, q, rate)
        turned = (shown(q.turned_first[0]), shown(q.turned_second[0]))
        after = number("→ " + pair_text(turned), 44, "focus")
        after.next_to(point, RIGHT, buff=px(24))
        self.move(18, FadeIn(after, shift=RIGHT * px(12)))

    def _walk(self, plane, spoke, point, q, rate):
        """Position by position, at most five at a time: the same turn again and again."""
        steps = min(q.position, 5)
        word = Label(self.label("position"), 40, "muted").next_to(point, DOWN, buff=px(60))
        word.align_to(point, LEFT)
        count = Readout("0", 44).next_to(word, RIGHT, buff=px(28))
        self.move(9, FadeIn(word), FadeIn(count), FadeIn(rate))
        marks = [round(q.position * (k + 1) / steps) for k in range(steps)]
        before = 0
        for mark in marks:
            by = (mark - before) * float(q.frequencies[0])
            path = plane.path(spoke, by, 0.32 + 0.09 * marks.index(mark))
            self.move(max(12, 60 // steps), *plane.turn(spoke, by=by), Create(path),
                      *count.to(mark))
            before = mark

    @beat(36, 30, 34, anchors="layers/rotary_embedding.py:12")
    def distance_only(self):
        one, two = self.story.rope.products
        plane = Plane(320, REACH).move_to([STAGE.left + px(390), STAGE.center[1], 0])
        spokes = [plane.spoke((r.first[0], r.second[0]), role, role, 7, 40)
                  for r, role in ((one.query, "q"), (one.key, "k"))]
        right = STAGE.left + px(860)
        tags, lines = self._scores(right)
        self.move(15, FadeIn(plane), *map(FadeIn, spokes))
        self.move(36, *self._to(plane, spokes, one), FadeIn(tags[0]))
        self.next_line()
        angle = plane.between(spokes[1], spokes[0])
        note = Label(self.label("between"), 32, "focus").move_to(
            [right, STAGE.top - px(40), 0], LEFT)
        self.move(12, Create(angle), FadeIn(note))
        self.move(24, FadeIn(lines[0]))
        self.next_line()
        by = (two.query.position - one.query.position) * float(one.query.frequencies[0])
        self.move(39, *plane.turn(*spokes, angle, by=by), FadeIn(tags[1]))
        self.move(24, FadeIn(lines[1]))

    def _to(self, plane, spokes, product):
        """Both vectors turn from position 0 to where they stand."""
        angles = product.query.angles[0], product.key.angles[0]
        return [turn for spoke, by in zip(spokes, angles)
                for turn in plane.turn(spoke, by=float(by))]

    def _scores(self, left):
        """For both position pairs: a heading, and the first pair's share of the score."""
        tags, lines = [], []
        for k, (product, score) in enumerate(zip(self.story.rope.products, self.story.shown_dots)):
            top = STAGE.top - px(150 + 300 * k)
            tag = VGroup(*(number(f"{name}: " + self.label("at", n=turned.position), 34, role,
                                  "semibold")
                           for name, role, turned in (("q", "q", product.query),
                                                      ("k", "k", product.key))))
            tag.arrange(RIGHT, buff=px(60)).move_to([left, top, 0], LEFT)
            terms = [(text(a) if not n else factor(a), factor(b))
                     for n, (a, b) in enumerate(zip(score.query[0], score.key[0]))]
            line = ProductLine(terms, text(score.terms[0]), 42, ("q", "k"),
                               "=" if score.exact[0] else "≈")
            line.next_to(tag, DOWN, buff=px(56)).align_to(tag, LEFT)
            tags.append(tag)
            lines.append(line)
        return tags, lines

    @beat(50, 42, 38, anchors="layers/rotary_embedding.py:29")
    def same_score(self):
        lesson = self.story.rope
        planes = VGroup(*(Plane(155, REACH) for _ in lesson.frequencies)).arrange(
            RIGHT, buff=px(54)).move_to([STAGE.left + px(230), STAGE.top - px(205), 0], LEFT)
        one, two = lesson.products
        spokes = [[plane.spoke((r.first[i], r.second[i]), role, width=5)
                   for r, role in ((one.query, "q"), (one.key, "k"))]
                  for i, plane in enumerate(planes)]
        heads, rates, base = self._speeds(planes)
        flat = [spoke for both in spokes for spoke in both]
        self.move(15, FadeIn(planes), FadeIn(heads), *map(FadeIn, flat))
        self.move(15, FadeIn(base), LaggedStart(*map(FadeIn, rates), lag_ratio=0.2))
        self._turn_all(planes, spokes, (0, 0), (one.query.position, one.key.position), 36)
        self._sum(planes, one, 0)
        self.next_line()
        arcs = [plane.between(k, q, 0.5, width=4) for plane, (q, k) in zip(planes, spokes)]
        self.move(9, *map(Create, arcs))
        shift = two.query.position - one.query.position
        self._turn_all(planes, [(q, k, a) for (q, k), a in zip(spokes, arcs)], (0,) * 3,
                       (shift,) * 3, 36)
        self._sum(planes, two, 1)
        self.next_line()
        self.move(9, *map(FadeOut, arcs))
        back = one.key.position - two.key.position
        self._turn_all(planes, spokes, (0, 0), (0, back), 30)
        self.move(9, *(Create(plane.between(k, q, 0.5, "stop", 4))
                       for plane, (q, k) in zip(planes, spokes)))
        self._sum(planes, self.story.elsewhere, 2)

    def _speeds(self, planes):
        """Over each plane its pair, under it its speed; on the left the rule."""
        heads = VGroup(*(number(self.label("pair", i=i, j=i + len(planes)), 28, "muted")
                         .next_to(plane, UP, buff=px(22)) for i, plane in enumerate(planes)))
        rates = VGroup(*(number(f"{significant(rate)} rad", 32)
                         .next_to(plane, DOWN, buff=px(26))
                         for plane, rate in zip(planes, self.story.rope.frequencies)))
        base = VGroup(Formula("theta^(-2 i \\/ d)", 66), Label(self.label("per"), 28, "muted"),
                      number(self.label("theta"), 28, "muted"))
        base.arrange(DOWN, buff=px(36), aligned_edge=LEFT)
        return heads, rates, base.move_to([STAGE.left, planes.get_y(), 0], LEFT)

    def _turn_all(self, planes, spokes, starts, ends, frames):
        """Every pair turns at its own speed, from positions `starts` to `ends`."""
        rates = self.story.rope.frequencies
        self.move(frames, *(turn for plane, group, rate in zip(planes, spokes, rates)
                            for spoke, a, b in zip(group, starts, ends)
                            for turn in plane.turn(spoke, by=(b - a) * float(rate))))

    def _sum(self, planes, product, row):
        """One line of the table: positions, each pair's share under its plane, and the score."""
        dot = self.story.shown_dots[row]
        y = planes.get_bottom()[1] - px(138 + 98 * row)
        places = number(f"({product.query.position}, {product.key.position})", 36, "ink",
                        "semibold").move_to([STAGE.left, y, 0], LEFT)
        apart = Label(self.label("apart", n=product.distance), 26, "muted")
        apart.next_to(places, DOWN, buff=px(18)).align_to(places, LEFT)
        terms = VGroup(*(number(text(t), 36).move_to([plane.get_x(), y, 0])
                         for t, plane in zip(dot.terms, planes)))
        signs = VGroup(*(number("+", 36, "muted").move_to([(a.get_x() + b.get_x()) / 2, y, 0])
                         for a, b in pairwise(planes)))
        role = "focus" if row < 2 else "stop"
        total = number(f"= {text(dot.total)}", 44, role, "bold").move_to(
            [STAGE.right, y, 0], RIGHT)
        self.move(12, FadeIn(places), FadeIn(apart), LaggedStart(
            *(FadeIn(t, target_position=p) for t, p in zip(terms, planes)), lag_ratio=0.2),
            FadeIn(signs))
        self.move(12, gather(terms, total))
