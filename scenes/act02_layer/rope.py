"""RoPE turns pairs of numbers by their position, so that a score knows only the distance."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.kit import FIGURE, STAGE, Derivation, Label, PairedHead, Plane, ProductLine, Readout
from scenes.kit import RotaryPairs, Spoke, arrive, bracketed, number, px
from scenes.lessons.rope import DotProduct, Rotation
from scenes.lessons.rounding import point_text, shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["distance_only", "pairs_turn", "same_score"]

REACH = 2.45  # a little more than the longest pair of the lesson
FEW_TURNS = 6  # more would come round to where the first marks stand


@beat(anchors="layers/rotary_embedding.py:6")
def pairs_turn(act: Act) -> None:
    # Nothing turned yet: q · k is the same wherever the two stand.
    q = act.story.rope.products[0].query
    pair = q.pairs[0]
    head, name = _head(act, q, "q", "one_head")
    name.move_to(STAGE.at(0, -20, UP + LEFT), LEFT)
    act.move(head, head.places(), name, pace=BRISK)
    problem = _problem(act, head)
    act.next_line()
    # A pair is one number of each half, here joined by an arc; pair 0 is a point in a plane.
    plane = STAGE.place(Plane(285, REACH), RIGHT, -60, 45)
    spoke = plane.spoke(pair, "q", size=36)
    act.move(FadeOut(problem), pace=7)  # first: the plane takes its place
    act.move(plane, pace=8)
    act.move(head.links(), pace=VERY_SLOW)
    point = number(point_text(pair), 40, "q")
    point.next_to(plane.at(spoke.direction, 1), RIGHT, buff=px(48))
    act.move(head.rings(0), pace=BRISK)
    act.move(arrive(head.pair(0), point), spoke, pace=SLOW)
    act.next_line()
    # Position by position, the same turn, away from a pale copy; then as a rule.
    act.add(plane.spoke(pair, "muted", width=4), spoke)
    _walk(act, plane, spoke, q)
    _rule(act, q)


def _stands(act: Act, product: DotProduct) -> list[Label]:
    """Where q and where k stands."""
    return [number(f"{role}: {act.label('at', n=turned.position)}", FIGURE, role)
            for role, turned in (("q", product.query), ("k", product.key))]


def _head(act: Act, turned: Rotation, role: str, name: str) -> tuple[PairedHead, Label]:
    """A head's numbers, and its name."""
    head = PairedHead([text(shown(v, 0)) for v in turned.x], role)
    head.move_to(STAGE.at(0, -230, UP + LEFT), LEFT)
    return head, Label(act.label(name), 36, role, "semibold")


def _problem(act: Act, head: PairedHead) -> VGroup:
    """One score for two different places of q and k."""
    rope = act.story.rope
    score = f"q · k = {text(shown(rope.unturned, 0))}"
    key, name = _head(act, rope.products[0].key, "k", "one_head_k")
    key.next_to(head, DOWN, buff=px(150))
    name.next_to(key, UP, buff=px(34)).align_to(key, LEFT)
    rows = VGroup(*(VGroup(*_stands(act, dot), number(score, 44, "focus", "bold"))
                    .arrange(DOWN, buff=px(30), aligned_edge=LEFT)
                    for dot in (rope.products[0], rope.elsewhere)))
    rows.arrange(DOWN, buff=px(90), aligned_edge=LEFT)
    rows.move_to([STAGE.at(-560, 0, RIGHT)[0], head.get_top()[1], 0], UP + LEFT)
    factors = [*head.labels, *key.labels]
    act.move(key, name, rows[0][:2], pace=BRISK)
    act.move(arrive(factors, rows[0][2]), pace=27)
    act.rest(21)
    act.move(FadeIn(rows[1][:2], shift=DOWN * px(16)))
    act.move(arrive(factors, rows[1][2]), pace=27)
    return VGroup(key, name, rows)


def _walk(act: Act, plane: Plane, spoke: Spoke, q: Rotation) -> None:
    """Position by position, at most five stops: the same turn again and again."""
    rate, stops, before = float(q.frequencies[0]), min(q.position, 5), 0
    word = Label(act.label("position"), 36, "muted").move_to(STAGE.at(0, -410, UP + LEFT), LEFT)
    turns = f"{{0}}: φ = {{0}} × {significant(rate)} rad".format
    count = Readout(turns(0), 36).next_to(word, RIGHT, buff=px(20))
    speed = Label(act.label("rate", n=significant(rate)), 34, "focus")
    act.move(word, count, speed.next_to(plane, DOWN, buff=px(58)), pace=QUICK)
    for stop in (round(q.position * (k + 1) / stops) for k in range(stops)):
        by = (stop - before) * rate
        path = plane.path(spoke, by, 0.45)
        act.move(plane.turn(spoke, by=by), Create(path), count.to(turns(stop)),
                 pace=max(EASY, 90 // stops))
        if q.position <= FEW_TURNS:
            act.add(number(stop, 28, "focus", "semibold").move_to(plane.at(spoke.direction, 1.09)))
        before = stop


def _rule(act: Act, q: Rotation) -> None:
    """The rotation rule, and the pair's own numbers in it."""
    x, y = (text(shown(v, 0)) for v in q.pairs[0])
    turned_x, turned_y = (text(shown(v)) for v in q.turned[0])
    turn = significant(q.angles[0], 6)
    rows = Derivation([
        ("x′ = x cos φ − y sin φ", f"{x} cos {turn} − {y} sin {turn}", turned_x),
        ("y′ = y cos φ + x sin φ", f"{y} cos {turn} + {x} sin {turn}", turned_y)])
    act.move(rows.move_to(STAGE.at(0, -550, UP + LEFT), LEFT).appear(), pace=EASY)


@beat(anchors="layers/rotary_embedding.py:12")
def distance_only(act: Act) -> None:
    # Pair 0 of q and of k turns from position 0 to where each stands.
    one, two = act.story.rope.products
    planes = RotaryPairs(one.query.frequencies[:1], 300, REACH)
    plane = planes.move_to(STAGE.at(390, -320, UP + LEFT))[0]
    spokes = q, k = planes.point(one.query.pairs, one.key.pairs, 7, named=True)
    stands, angles, lines = zip(_score(act, 0), _score(act, 1))
    before = VGroup(Label(act.label("before"), 32, "muted"), *(
        number(f"{role} {point_text(turned.pairs[0])}", 34, role)
        for role, turned in (("q", one.query), ("k", one.key)))).arrange(RIGHT, buff=px(36))
    act.move(plane, spokes, before.move_to(STAGE.at(860, -40, UP + LEFT), LEFT))
    act.move(planes.turn(one.query.position, one.key.position), stands[0], pace=VERY_SLOW)
    act.next_line()
    # The score depends on two lengths and the angle between them.
    between = planes.angles(0.42)
    written = [number(angle, 34, "focus", "bold") for angle in act.story.angles]
    note = Label(act.label("between"), 34, "focus").next_to(plane, DOWN, buff=px(40))
    act.move(Create(between[0]), note, written[0].move_to(plane.within(k, q)), pace=EASY)
    act.move(FadeIn(angles[0], target_position=written[0]))
    act.move(lines[0], pace=21)
    act.next_line()
    # Both turn on alike, away from pale copies: the angle turns with them, unchanged.
    act.add(planes.trace(one.query.turned, one.key.turned, 3, 0.34), *spokes, *between)
    shift = two.query.position - one.query.position
    act.move(planes.turn(shift, shift, between), stands[1], FadeOut(written[0]), pace=VERY_SLOW)
    act.move(written[1].move_to(plane.within(k, q)), pace=BRISK)
    act.move(FadeIn(angles[1], target_position=written[1]))
    act.move(lines[1], pace=21)


def _score(act: Act, row: int) -> tuple[VGroup, Label, ProductLine]:
    """One position pair: where q and k stand, their angle, and pair 0's product."""
    product, score = act.story.rope.products[row], act.story.shown_pairs[row]
    stands = VGroup(*_stands(act, product)).arrange(RIGHT, buff=px(60))
    stands.move_to(STAGE.at(860, -180 - 280 * row, UP + LEFT), LEFT)
    angle = Label(act.label("angle", n=act.story.angles[row]), 34, "focus")
    angle.next_to(stands, DOWN, buff=px(42)).align_to(stands, LEFT)
    terms = bracketed(*(map(text, pairs[0]) for pairs in (score.query, score.key)))
    line = ProductLine(terms, text(score.terms[0]), 42, ("q", "k"),
                       "=" if score.exact[0] else "≈")
    return stands, angle, line.next_to(angle, DOWN, buff=px(46)).align_to(stands, LEFT)


@beat(anchors="layers/rotary_embedding.py:29", least={1: 44})
def same_score(act: Act) -> None:
    # Four pairs turn at four speeds; their shares add up to the score.
    rope = act.story.rope
    one, two = rope.products
    planes = RotaryPairs(rope.frequencies, reach=REACH)
    planes.move_to(STAGE.at(300, -205, UP + LEFT), LEFT)
    spokes = planes.point(one.query.pairs, one.key.pairs)
    names, rates = planes.speeds([act.label("pair", i=i, j=i + len(planes))
                                  for i in range(len(planes))], map(significant, rope.frequencies))
    rule = planes.rule([act.label(key) for key in ("per", "theta", "own", "own_theta")], STAGE.left)
    act.move(planes, names, spokes)
    act.move(rule, LaggedStart(*map(FadeIn, rates), lag_ratio=0.2))
    act.move(planes.turn(one.query.position, one.key.position), pace=VERY_SLOW)
    angles = planes.angles()
    act.move(map(Create, angles), pace=QUICK)
    _table_row(act, planes, 0, one)
    act.next_line()
    # Both move on alike, away from pale copies: the same angles, the same score.
    pale = planes.trace(one.query.turned, one.key.turned, 2.5, 0.36)
    act.add(pale, *spokes, *angles)
    shift = two.query.position - one.query.position
    act.move(planes.turn(shift, shift, angles), pace=42)
    _table_row(act, planes, 1, two)
    act.next_line()
    # k goes back alone: another distance, another score.
    act.move(map(FadeOut, angles), FadeOut(pale), pace=QUICK)
    act.move(planes.turn(0, one.key.position - two.key.position), pace=30)
    act.move(map(Create, planes.angles(role="stop")), pace=QUICK)
    _table_row(act, planes, 2, rope.elsewhere, "stop")


def _table_row(act: Act, planes: RotaryPairs, k: int, product: DotProduct,
               role: str = "focus") -> None:
    """One line below the planes: positions, each pair's share, and the score."""
    dot = act.story.shown_dots[k]
    terms, total = list(map(text, dot.terms)), f"{'=' if dot.adds else '≈'} {text(dot.total)}"
    place = f"({product.query.position}, {product.key.position})"
    apart, edges = act.label("apart", n=product.distance), (STAGE.left, STAGE.right)
    for movement in planes.score(k, terms, total, role, place, apart, edges):
        act.move(movement, pace=BRISK)
