"""RoPE turns pairs of numbers by their position, so that a score knows only the distance."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, VGroup

from scenes.act02_layer.same_score import all_pairs
from scenes.act02_layer.thread import look
from scenes.kit import FIGURE, Derivation, Label, PairedHead, Plane, ProductLine, Readout
from scenes.kit import RotaryPairs, Spoke, bracketed, gather, number, px
from scenes.lessons.rope import Rotation
from scenes.lessons.rounding import point_text, shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, VERY_SLOW, Act, beat

__all__ = ["distance_only", "pairs_turn"]

REACH = 2.45  # a little more than the longest pair of the lesson
FEW_TURNS = 6  # more would come round to where the first marks stand


@beat(anchors="layers/rotary_embedding.py:11", carries="stream")
def pairs_turn(act: Act) -> None:
    # Nothing turned yet: q · k is the same wherever the two stand.
    room = look(act, "rope").room
    q = act.story.rope.products[0].query
    pair = q.pairs[0]
    head, name = _head(act, q, "q", "one_head")
    name.move_to(room.at(0, -24, UP + LEFT), LEFT)
    act.cue("head")
    act.move(head, head.places(), name, pace=BRISK)
    problem = _problem(act, head)
    # A pair is one number of each half, here joined by an arc; pair 0 is a point in a plane.
    plane = room.place(Plane(232, REACH), RIGHT, -70, 40)
    spoke = plane.spoke(pair, "q", size=36)
    act.cue("pairs")
    act.move(FadeOut(problem), pace=QUICK)
    act.move(head.links(), pace=45)
    act.cue("point")
    act.move(plane, head.rings(0), pace=QUICK)
    point = number(point_text(pair), 40, "q")
    point.next_to(plane.at(spoke.direction, 1), RIGHT, buff=px(40))
    act.move(gather(head.pair(0), point), spoke, pace=EASY)
    # Position by position, the same turn, away from a pale copy; then as a rule.
    act.add(plane.spoke(pair, "muted", width=4), spoke)
    act.cue("turn")
    _walk(act, plane, spoke, q)
    act.cue("rule")
    _rule(act, q)
    act.keep(plane=plane)


def _head(act: Act, turned: Rotation, role: str, name: str) -> tuple[PairedHead, Label]:
    """A head's numbers, and its name."""
    head = PairedHead([text(shown(v, 0)) for v in turned.x], role)
    head.move_to(act.kept.stream.room.at(0, -185, UP + LEFT), LEFT)
    return head, Label(act.label(name), 36, role, "semibold")


def _stands(act: Act, product: object) -> list[Label]:
    """Where q and where k stands."""
    return [number(f"{role}: {act.label('at', n=turned.position)}", FIGURE, role)
            for role, turned in (("q", product.query), ("k", product.key))]


def _problem(act: Act, head: PairedHead) -> VGroup:
    """One score for two different places of q and k."""
    rope = act.story.rope
    score = f"q · k = {text(shown(rope.unturned, 0))}"
    key, name = _head(act, rope.products[0].key, "k", "one_head_k")
    key.next_to(head, DOWN, buff=px(150))
    name.next_to(key, UP, buff=px(30)).align_to(key, LEFT)
    rows = VGroup(*(VGroup(*_stands(act, dot), number(score, 44, "focus", "bold"))
                    .arrange(DOWN, buff=px(30), aligned_edge=LEFT)
                    for dot in (rope.products[0], rope.elsewhere)))
    rows.arrange(DOWN, buff=px(80), aligned_edge=LEFT)
    rows.move_to(act.kept.stream.room.at(-560, 0, RIGHT), LEFT)
    factors = [*head.labels, *key.labels]
    act.move(key, name, rows[0][:2], pace=BRISK)
    act.cue("score")
    act.move(gather(factors, rows[0][2]), pace=21)
    act.cue("again")
    act.move(FadeIn(rows[1][:2], shift=DOWN * px(16)), pace=QUICK)
    act.move(gather(factors, rows[1][2]), pace=18)
    return VGroup(key, name, rows)


def _walk(act: Act, plane: Plane, spoke: Spoke, q: Rotation) -> None:
    """Position by position, at most five stops: the same turn again and again."""
    rate, stops, before = float(q.frequencies[0]), min(q.position, 5), 0
    room = act.kept.stream.room
    word = Label(act.label("position"), 36, "muted").move_to(room.at(0, -345, UP + LEFT), LEFT)
    turns = f"{{0}}: φ = {{0}} × {significant(rate)} rad".format
    count = Readout(turns(0), 36).next_to(word, RIGHT, buff=px(20))
    speed = Label(act.label("rate", n=significant(rate)), 34, "focus")
    act.move(word, count, speed.next_to(plane, DOWN, buff=px(40)), pace=QUICK)
    for stop in (round(q.position * (k + 1) / stops) for k in range(stops)):
        by = (stop - before) * rate
        path = plane.path(spoke, by, 0.45)
        act.move(plane.turn(spoke, by=by), Create(path), count.to(turns(stop)),
                 pace=max(BRISK, 65 // stops))
        if q.position <= FEW_TURNS:
            act.add(number(stop, 28, "focus", "semibold").move_to(plane.at(spoke.direction, 1.1)))
        before = stop


def _rule(act: Act, q: Rotation) -> None:
    """The rotation rule, and the pair's own numbers in it."""
    x, y = (text(shown(v, 0)) for v in q.pairs[0])
    turned_x, turned_y = (text(shown(v)) for v in q.turned[0])
    turn = significant(q.angles[0], 6)
    rows = Derivation([
        ("x′ = x cos φ − y sin φ", f"{x} cos {turn} − {y} sin {turn}", turned_x),
        ("y′ = y cos φ + x sin φ", f"{y} cos {turn} + {x} sin {turn}", turned_y)], 36)
    act.move(rows.move_to(act.kept.stream.room.at(0, 90, DOWN + LEFT), LEFT).appear(), pace=EASY)


@beat(anchors="layers/rotary_embedding.py:12", carries="stream plane")
def distance_only(act: Act) -> None:
    # Pair 0 of q and of k turns from position 0 to where each stands.
    room = look(act, "rope").room
    one, two = act.story.rope.products
    planes = RotaryPairs(one.query.frequencies[:1], 232, REACH)
    plane = planes.move_to(room.at(330, 30, LEFT))[0]
    spokes = q, k = planes.point(one.query.pairs, one.key.pairs, 7, named=True)
    stands, angles, lines = zip(_score(act, 0), _score(act, 1))
    act.move(act.kept.plane.animate.move_to(plane), pace=BRISK)
    act.remove(act.kept.plane)
    act.add(plane)
    act.move(spokes, pace=BRISK)
    act.cue("turn")
    act.move(planes.turn(one.query.position, one.key.position), stands[0], pace=VERY_SLOW)
    # The score depends on two lengths and the angle between them.
    between = planes.angles(0.42)
    written = [number(angle, 34, "focus", "bold") for angle in act.story.angles]
    act.cue("angle")
    act.move(Create(between[0]), written[0].move_to(plane.within(k, q)), pace=EASY)
    act.move(FadeIn(angles[0], target_position=written[0]), pace=BRISK)
    act.cue("product")
    act.move(lines[0], pace=21)
    # Both turn on alike, away from pale copies: the angle turns with them, unchanged.
    act.add(planes.trace(one.query.turned, one.key.turned, 3, 0.34), *spokes, *between)
    shift = two.query.position - one.query.position
    act.cue("on")
    act.move(planes.turn(shift, shift, between), stands[1], FadeOut(written[0]), pace=VERY_SLOW)
    act.cue("same")
    act.move(written[1].move_to(plane.within(k, q)), pace=QUICK)
    act.move(FadeIn(angles[1], target_position=written[1]), pace=BRISK)
    act.move(lines[1], pace=21)
    all_pairs(act, plane)


def _score(act: Act, row: int) -> tuple[VGroup, Label, ProductLine]:
    """One position pair: where q and k stand, their angle, and pair 0's product."""
    product, score = act.story.rope.products[row], act.story.shown_pairs[row]
    stands = VGroup(*_stands(act, product)).arrange(RIGHT, buff=px(60))
    stands.move_to(act.kept.stream.room.at(820, -60 - 270 * row, UP + LEFT), LEFT)
    angle = Label(act.label("angle", n=act.story.angles[row]), 34, "focus")
    angle.next_to(stands, DOWN, buff=px(40)).align_to(stands, LEFT)
    terms = bracketed(*(map(text, pairs[0]) for pairs in (score.query, score.key)))
    line = ProductLine(terms, text(score.terms[0]), 44, ("q", "k"),
                       "=" if score.exact[0] else "≈")
    return stands, angle, line.next_to(angle, DOWN, buff=px(42)).align_to(stands, LEFT)
