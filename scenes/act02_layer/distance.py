"""Act 02, fourth part: why RoPE leaves only the distance in a score."""

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

from scenes.act02_pairs import REACH, Pairs, pair_text
from scenes.act02_story import factors
from scenes.kit import (
    STAGE,
    Formula,
    Label,
    Plane,
    ProductLine,
    number,
    px,
)
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import beat

__all__ = ["Rope"]

class Rope(Pairs):
    @beat(42, 34, 40, anchors="layers/rotary_embedding.py:12")
    def distance_only(self):
        one, two = self.story.rope.products
        plane = Plane(300, REACH).move_to([STAGE.left + px(390), STAGE.top - px(320), 0])
        spokes = [plane.spoke((r.first[0], r.second[0]), role, role, 7, 40)
                  for r, role in ((one.query, "q"), (one.key, "k"))]
        start, tags, lines, angles = self._scores(STAGE.left + px(860))
        self.move(15, FadeIn(plane), *map(FadeIn, spokes), FadeIn(start))
        self.move(36, *self._to(plane, spokes, one), FadeIn(tags[0]))
        self.next_line()
        angle = plane.between(spokes[1], spokes[0])
        note = Label(self.label("between"), 34, "focus").next_to(plane, DOWN, buff=px(40))
        degrees = [number(written, 34, "focus", "bold") for written in self.story.angles]
        self.move(18, Create(angle), FadeIn(note), FadeIn(self._inside(plane, spokes, degrees[0])))
        self.move(15, FadeIn(angles[0], target_position=degrees[0]))
        self.move(21, FadeIn(lines[0]))
        self.next_line()
        self.add(*(plane.spoke((r.turned_first[0], r.turned_second[0]), "muted", width=3)
                   for r in (one.query, one.key)),
                 plane.between(spokes[1], spokes[0], 0.34, "muted", 3), *spokes, angle)
        by = (two.query.position - one.query.position) * float(one.query.frequencies[0])
        self.move(36, *plane.turn(*spokes, angle, by=by), FadeIn(tags[1]), FadeOut(degrees[0]))
        self.move(12, FadeIn(self._inside(plane, spokes, degrees[1])))
        self.move(15, FadeIn(angles[1], target_position=degrees[1]))
        self.move(21, FadeIn(lines[1]))

    @staticmethod
    def _inside(plane, spokes, label):
        """`label` between the two vectors, outside the arc of their angle."""
        q, k = spokes
        return label.move_to(plane.at(k.direction + plane.angle(k, q) / 2, 0.62))

    def _to(self, plane, spokes, product):
        """Both vectors turn from position 0 to where they stand."""
        angles = product.query.angles[0], product.key.angles[0]
        return [turn for spoke, by in zip(spokes, angles)
                for turn in plane.turn(spoke, by=float(by))]

    def _scores(self, left):
        """The pairs before they turn, and for both position pairs a heading, score and angle."""
        one = self.story.rope.products[0]
        start = VGroup(Label(self.label("before"), 32, "muted"), *(
            number(f"{name} {pair_text((shown(r.first[0], 0), shown(r.second[0], 0)))}", 34, name)
            for name, r in (("q", one.query), ("k", one.key)))).arrange(RIGHT, buff=px(36))
        start.move_to([left, STAGE.top - px(40), 0], LEFT)
        tags, lines, angles = [], [], []
        for k, (product, score) in enumerate(zip(self.story.rope.products, self.story.shown_pairs)):
            tag = VGroup(*(number(f"{name}: " + self.label("at", n=turned.position), 34, role,
                                  "semibold")
                           for name, role, turned in (("q", "q", product.query),
                                                      ("k", "k", product.key))))
            tag.arrange(RIGHT, buff=px(60)).move_to([left, STAGE.top - px(180 + 280 * k), 0], LEFT)
            line = ProductLine(factors(score.query[0], score.key[0]), text(score.terms[0]), 42,
                               ("q", "k"), "=" if score.exact[0] else "≈")
            angle = Label(self.label("angle", n=self.story.angles[k]), 34, "focus").next_to(
                tag, DOWN, buff=px(42)).align_to(tag, LEFT)
            line.next_to(angle, DOWN, buff=px(46)).align_to(tag, LEFT)
            tags.append(tag)
            lines.append(line)
            angles.append(angle)
        return start, tags, lines, angles

    @beat(44, 42, 38, anchors="layers/rotary_embedding.py:29")
    def same_score(self):
        lesson = self.story.rope
        planes = VGroup(*(Plane(152, REACH) for _ in lesson.frequencies)).arrange(
            RIGHT, buff=px(38)).move_to([STAGE.left + px(300), STAGE.top - px(205), 0], LEFT)
        one, two = lesson.products
        spokes = [[plane.spoke((r.first[i], r.second[i]), role, width=5)
                   for r, role in ((one.query, "q"), (one.key, "k"))]
                  for i, plane in enumerate(planes)]
        heads, rates, base = self._speeds(planes)
        flat = [spoke for both in spokes for spoke in both]
        self.move(15, FadeIn(planes), FadeIn(heads), *map(FadeIn, flat))
        self.move(15, FadeIn(base), LaggedStart(*map(FadeIn, rates), lag_ratio=0.2))
        self._turn_all(planes, spokes, (0, 0), (one.query.position, one.key.position), 36)
        arcs = self._arcs(planes, spokes, 0.5, "focus", 5)
        self.move(9, *map(Create, arcs))
        self._sum(planes, one, 0)
        self.next_line()
        pale = VGroup(*(plane.spoke((r.turned_first[i], r.turned_second[i]), "muted", width=2.5)
                        for r in (one.query, one.key) for i, plane in enumerate(planes)),
                      *self._arcs(planes, spokes, 0.36, "muted", 3))
        self.add(pale, *flat, *arcs)
        shift = two.query.position - one.query.position
        self._turn_all(planes, [(q, k, a) for (q, k), a in zip(spokes, arcs)], (0,) * 3,
                       (shift,) * 3, 42)
        self._sum(planes, two, 1)
        self.next_line()
        self.move(9, *map(FadeOut, arcs), FadeOut(pale))
        back = one.key.position - two.key.position
        self._turn_all(planes, spokes, (0, 0), (0, back), 30)
        self.move(9, *map(Create, self._arcs(planes, spokes, 0.5, "stop", 5)))
        self._sum(planes, self.story.elsewhere, 2)

    @staticmethod
    def _arcs(planes, spokes, share, role, width):
        """In every plane the angle from k to q."""
        return [plane.between(k, q, share, role, width) for plane, (q, k) in zip(planes, spokes)]

    def _speeds(self, planes):
        """Over each plane its pair, under it its speed; on the left the rule."""
        heads = VGroup(*(number(self.label("pair", i=i, j=i + len(planes)), 28, "muted")
                         .next_to(plane, UP, buff=px(22)) for i, plane in enumerate(planes)))
        rates = VGroup(*(number(f"{significant(rate)} rad", 32)
                         .next_to(plane, DOWN, buff=px(26))
                         for plane, rate in zip(planes, self.story.rope.frequencies)))
        base = VGroup(Formula("theta^(-2 i \\/ d)", 84),
                      *(Label(self.label(key), 28, "muted")
                        for key in ("per", "theta", "own", "own_theta")))
        base.arrange(DOWN, buff=px(32), aligned_edge=LEFT)
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
        total = number(f"{'=' if dot.adds else '≈'} {text(dot.total)}", 40, role, "bold").move_to(
            [STAGE.right, y, 0], RIGHT)
        self.move(12, FadeIn(places), FadeIn(apart), LaggedStart(
            *(FadeIn(t, target_position=p) for t, p in zip(terms, planes)), lag_ratio=0.2),
            FadeIn(signs))
        self.move(12, FadeIn(total, target_position=terms[-1]))
