"""Why RoPE leaves only the distance in a score."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act02_layer.rotation import REACH, pair_text, role_at
from scenes.kit import (
    NOTE,
    SMALL,
    STAGE,
    Formula,
    Label,
    Plane,
    ProductLine,
    RotaryPairs,
    number,
    px,
)
from scenes.lessons.rope import DotProduct, ShownDot
from scenes.lessons.rounding import factor_texts, significant, text
from scenes.stage import BRISK, EASY, QUICK, VERY_SLOW, Act, beat

__all__ = ["distance_only", "same_score"]


@beat(anchors="layers/rotary_embedding.py:12")
def distance_only(act: Act) -> None:
    # Pair 0 of q and of k turns from position 0 to where each stands.
    one, two = act.story.rope.products
    plane = Plane(300, REACH).move_to(STAGE.at(390, -320, UP + LEFT))
    spokes = q, k = [plane.spoke((r.first[0], r.second[0]), role, role, 7, 40)
                     for r, role in ((one.query, "q"), (one.key, "k"))]
    rows = [_score(act, row) for row in (0, 1)]
    act.move(plane, spokes, _before_turning(act, one))
    act.move((plane.turn(spoke, by=float(r.angles[0]))
              for spoke, r in zip(spokes, (one.query, one.key))), rows[0][0], pace=VERY_SLOW)
    act.next_line()
    # The score depends on two lengths and the angle between them.
    angle = plane.between(k, q)
    note = Label(act.label("between"), 34, "focus").next_to(plane, DOWN, buff=px(40))
    degrees = [number(written, 34, "focus", "bold") for written in act.story.angles]

    def inside(label: Label) -> Label:  # outside the arc of their angle, between the vectors
        return label.move_to(plane.at(k.direction + plane.angle(k, q) / 2, 0.62))

    act.move(Create(angle), note, inside(degrees[0]), pace=EASY)
    act.move(FadeIn(rows[0][1], target_position=degrees[0]))
    act.move(rows[0][2], pace=21)
    act.next_line()
    # Both turn on alike, away from pale copies: the angle turns with them, unchanged.
    act.add(*(plane.spoke((r.turned_first[0], r.turned_second[0]), "muted", width=3)
              for r in (one.query, one.key)), plane.between(k, q, 0.34, "muted", 3),
            *spokes, angle)
    by = (two.query.position - one.query.position) * float(one.query.frequencies[0])
    act.move(plane.turn(*spokes, angle, by=by), rows[1][0], FadeOut(degrees[0]), pace=VERY_SLOW)
    act.move(inside(degrees[1]), pace=BRISK)
    act.move(FadeIn(rows[1][1], target_position=degrees[1]))
    act.move(rows[1][2], pace=21)


def _before_turning(act: Act, one: DotProduct) -> VGroup:
    start = VGroup(Label(act.label("before"), 32, "muted"), *(
        number(f"{role} {pair_text(r.first[0], r.second[0])}", 34, role)
        for role, r in (("q", one.query), ("k", one.key)))).arrange(RIGHT, buff=px(36))
    return start.move_to(STAGE.at(860, -40, UP + LEFT), LEFT)


def _score(act: Act, row: int) -> tuple[VGroup, Label, ProductLine]:
    """One position pair: where q and k stand, their angle, and pair 0's product."""
    product, score = act.story.rope.products[row], act.story.shown_pairs[row]
    tag = VGroup(role_at(act, "q", product.query.position), role_at(act, "k", product.key.position))
    tag.arrange(RIGHT, buff=px(60)).move_to(STAGE.at(860, -180 - 280 * row, UP + LEFT), LEFT)
    angle = Label(act.label("angle", n=act.story.angles[row]), 34, "focus")
    angle.next_to(tag, DOWN, buff=px(42)).align_to(tag, LEFT)
    line = ProductLine(factor_texts(score.query[0], score.key[0]), text(score.terms[0]), 42,
                       ("q", "k"), "=" if score.exact[0] else "≈")
    return tag, angle, line.next_to(angle, DOWN, buff=px(46)).align_to(tag, LEFT)


@beat(anchors="layers/rotary_embedding.py:29", least={1: 44})
def same_score(act: Act) -> None:
    # Four pairs turn at four speeds; their shares add up to the score.
    (one, two), dots = act.story.rope.products, act.story.shown_dots
    planes = RotaryPairs(act.story.rope.frequencies, reach=REACH)
    planes.move_to(STAGE.at(300, -205, UP + LEFT), LEFT)
    ends = one.query, one.key
    spokes = planes.point(*(list(zip(r.first, r.second)) for r in ends))
    heads, rates, base = _speeds(act, planes)
    act.move(planes, heads, spokes)
    act.move(base, LaggedStart(*map(FadeIn, rates), lag_ratio=0.2))
    act.move(planes.turn(one.query.position, one.key.position), pace=VERY_SLOW)
    angles = planes.angles()
    act.move(map(Create, angles), pace=QUICK)
    _sum(act, planes, one, dots[0], 0)
    act.next_line()
    # Both move on alike, away from pale copies: the same angles, the same score.
    pale = VGroup(*(spoke for r in ends for spoke in planes.vectors(
        list(zip(r.turned_first, r.turned_second)), "muted", 2.5)),
        *planes.angles(0.36, "muted", 3))
    act.add(pale, *spokes, *angles)
    shift = two.query.position - one.query.position
    act.move(planes.turn(shift, shift, angles), pace=42)
    _sum(act, planes, two, dots[1], 1)
    act.next_line()
    # k goes back alone: another distance, another score.
    act.move(map(FadeOut, angles), FadeOut(pale), pace=QUICK)
    act.move(planes.turn(0, one.key.position - two.key.position), pace=30)
    act.move(map(Create, planes.angles(role="stop")), pace=QUICK)
    _sum(act, planes, act.story.elsewhere, dots[2], 2, "stop")


def _speeds(act: Act, planes: RotaryPairs) -> tuple[VGroup, VGroup, VGroup]:
    """Over each plane its pair, under it its speed; on the left the rule."""
    heads = VGroup(*(number(act.label("pair", i=i, j=i + len(planes)), NOTE)
                     .next_to(plane, UP, buff=px(22)) for i, plane in enumerate(planes)))
    rates = VGroup(*(number(f"{significant(rate)} rad", 32).next_to(plane, DOWN, buff=px(26))
                     for plane, rate in zip(planes, planes.rates)))
    base = VGroup(Formula("theta^(-2 i \\/ d)", 84), *(
        Label(act.label(key), NOTE) for key in ("per", "theta", "own", "own_theta")))
    base.arrange(DOWN, buff=px(32), aligned_edge=LEFT)
    return heads, rates, base.move_to([STAGE.left, planes.get_y(), 0], LEFT)


def _sum(act: Act, planes: RotaryPairs, product: DotProduct, dot: ShownDot, row: int,
         role: str = "focus") -> None:
    """One line of the table: positions, each pair's share under its plane, and the score."""
    y = planes.get_bottom()[1] - px(138 + 98 * row)
    places = number(f"({product.query.position}, {product.key.position})", 36,
                    weight="semibold").move_to([STAGE.left, y, 0], LEFT)
    apart = Label(act.label("apart", n=product.distance), SMALL)
    apart.next_to(places, DOWN, buff=px(18)).align_to(places, LEFT)
    terms, signs = planes.sum_line(map(text, dot.terms), y)
    total = number(f"{'=' if dot.adds else '≈'} {text(dot.total)}", 40, role, "bold").move_to(
        [STAGE.right, y, 0], RIGHT)
    act.move(places, apart, LaggedStart(*(FadeIn(term, target_position=plane)
                                          for term, plane in zip(terms, planes)), lag_ratio=0.2),
             signs, pace=BRISK)
    act.move(FadeIn(total, target_position=terms[-1]), pace=BRISK)
