"""RoPE turns pairs of numbers: a head's four pairs, and one of them as a point in a plane."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.kit import FIGURE, STAGE, Grid, Label, Plane, Readout, arc, arrive, number, px, ring
from scenes.kit.tensor.plane import Spoke
from scenes.lessons.rope import Rotation
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["REACH", "pair_text", "pairs_turn", "role_at"]

REACH = 2.45  # a little more than the longest pair of the lesson
FEW_TURNS = 6  # more would come round to where the first marks stand


@beat(anchors="layers/rotary_embedding.py:6")
def pairs_turn(act: Act) -> None:
    # Nothing turned yet: q · k is the same wherever the two stand.
    q = act.story.rope.products[0].query
    half = len(q.first)
    head, name = _head(act, q, "q", "one_head")
    name.move_to(STAGE.at(0, -20, UP + LEFT), LEFT)
    places = head.axis(map(str, range(2 * half)), DOWN, size=28)
    act.move(head, places, name, pace=BRISK)
    problem = _problem(act, head)
    act.next_line()
    # A pair is one number of each half; pair 0 is a point in a plane.
    plane = STAGE.place(Plane(285, REACH), RIGHT, -60, 45)
    spoke = plane.spoke((q.first[0], q.second[0]), "q", size=36)
    act.move(FadeOut(problem), pace=7)  # first: the plane takes its place
    act.move(plane, pace=8)
    act.move(LaggedStart(*map(Create, _links(head, half)), lag_ratio=0.4), pace=VERY_SLOW)
    point = number(pair_text(q.first[0], q.second[0]), 40, "q")
    point.next_to(plane.at(spoke.direction, 1), RIGHT, buff=px(48))
    act.move(VGroup(*(ring(head.cell(0, i)) for i in (0, half))), pace=BRISK)
    act.move(arrive([head.label(0, i) for i in (0, half)], point), spoke, pace=SLOW)
    act.next_line()
    # Position by position, the same turn; a pale copy stays where it started.
    act.add(plane.spoke((q.first[0], q.second[0]), "muted", width=4), spoke)
    _walk(act, plane, spoke, q)
    _rule(act, q)


def pair_text(x: float, y: float) -> str:
    """A point as written: (1, 2)."""
    return f"({text(shown(x, 0))}, {text(shown(y, 0))})"


def role_at(act: Act, role: str, position: int) -> Label:
    """Where q or k stands."""
    return number(f"{role}: {act.label('at', n=position)}", FIGURE, role)


def _head(act: Act, turned: Rotation, role: str, name: str) -> tuple[Grid, Label]:
    """A head's numbers on the left, and its name."""
    head = Grid([[text(shown(v, 0)) for v in turned.x]], role, (112, 96), 44)
    head.move_to(STAGE.at(0, -230, UP + LEFT), LEFT)
    return head, Label(act.label(name), 36, role, "semibold")


def _links(head: Grid, half: int) -> list:
    """An arc over each pair, pair 0 in focus; no tips."""
    return [arc(head.cell(0, i).get_top(), head.cell(0, i + half).get_top(), -0.75,
                *(("muted", 2.5) if i else ("focus", 4)))[0] for i in range(half)]


def _problem(act: Act, head: Grid) -> VGroup:
    """One score for two different places of q and k."""
    one, elsewhere = act.story.rope.products[0], act.story.elsewhere
    key, name = _head(act, one.key, "k", "one_head_k")
    key.next_to(head, DOWN, buff=px(150))
    name.next_to(key, UP, buff=px(34)).align_to(key, LEFT)
    rows = VGroup(*(VGroup(
        role_at(act, "q", dot.query.position), role_at(act, "k", dot.key.position),
        number(f"q · k = {act.story.unturned}", 44, "focus", "bold"),
    ).arrange(DOWN, buff=px(30), aligned_edge=LEFT) for dot in (one, elsewhere)))
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
    rate, stops = float(q.frequencies[0]), min(q.position, 5)
    word = Label(act.label("position"), 36, "muted").move_to(STAGE.at(0, -410, UP + LEFT), LEFT)
    turns = f"{{0}}: φ = {{0}} × {significant(rate)} rad".format
    count = Readout(turns(0), 36).next_to(word, RIGHT, buff=px(20))
    speed = Label(act.label("rate", n=significant(rate)), 34, "focus")
    act.move(word, count, speed.next_to(plane, DOWN, buff=px(58)), pace=QUICK)
    before = 0
    for stop in (round(q.position * (k + 1) / stops) for k in range(stops)):
        by = (stop - before) * rate
        path = plane.path(spoke, by, 0.45)
        act.move(plane.turn(spoke, by=by), Create(path), count.to(turns(stop)),
                 pace=max(EASY, 90 // stops))
        if q.position <= FEW_TURNS:
            act.add(number(stop, 28, "focus", "semibold")
                    .move_to(plane.at(spoke.direction, 1.09)))
        before = stop


def _rule(act: Act, q: Rotation) -> None:
    """The rotation rule, and the pair's own numbers in it."""
    x, y = (text(shown(v, 0)) for v in (q.first[0], q.second[0]))
    turn = significant(q.angles[0], 6)
    rows = VGroup(*(
        VGroup(number(rule, 32, "muted"),
               number(f"= {a} cos {turn} {sign} {b} sin {turn} =", 32),
               number(text(shown(result[0])), 36, "focus", "bold"))
        .arrange(RIGHT, buff=px(20), aligned_edge=DOWN)
        for rule, a, sign, b, result in (("x′ = x cos φ − y sin φ", x, "−", y, q.turned_first),
                                         ("y′ = y cos φ + x sin φ", y, "+", x, q.turned_second))))
    rows.arrange(DOWN, buff=px(44), aligned_edge=LEFT)
    rows.move_to(STAGE.at(0, -550, UP + LEFT), LEFT)
    act.move(LaggedStart(*(FadeIn(row, shift=RIGHT * px(12)) for row in rows), lag_ratio=0.5),
             pace=EASY)
