"""Why a score knows only the distance: q and k turn as one."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeOut, VGroup

from scenes.act02_layer.rope import REACH, dials
from scenes.act02_layer.thread import ROOM, closing_scene
from scenes.kit import Label, Plane, Readout, RotaryPairs, SumBar, number, paint, px
from scenes.kit.base.motion import arrive
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, QUICK, VERY_SLOW, Act, all_but, beat

__all__ = ["distance_only"]

SIDE = 960  # px from the left to what is written beside the large clock


@beat(anchors="layers/rotary_embedding.py:12", carries="scene map road clocks hands",
      least={1: 56, 3: 60, 4: 54, 5: 46})
def distance_only(act: Act) -> None:
    # Clock 0 grows to the height of the stage; k's hand comes into it, and both turn.
    one, two = act.story.rope.products
    large = RotaryPairs(one.query.frequencies[:1], 300, REACH).move_to(ROOM.at(440, 0, LEFT))
    plane, clock = large[0], act.kept.clocks[0]
    others = all_but(act, act.kept.map, act.kept.road, clock)
    act.move(FadeOut(others), clock.animate.become(plane), pace=BRISK)
    act.remove(clock)
    act.add(plane)
    where, begun = _open(act, large)
    # The product depends on two lengths and on the angle between them, which turns as one piece.
    spokes = large.spokes[0]
    between, share = large.angles(0.42, width=9), _Share(act)
    act.cue("angle")
    act.move(Create(between[0]), _written(act, 0, plane, spokes), begun[2], pace=EASY)
    act.cue("lengths")
    act.move((spoke.stem.animate.set_stroke(width=18) for spoke in spokes), pace=EASY)
    act.cue("product")
    act.move((spoke.stem.animate.set_stroke(width=10) for spoke in spokes), share, pace=EASY)
    stale = [act.kept.angle, *begun]
    act.add(large.trace(one.query.turned, one.key.turned, 6, 0.34), *spokes, *between)
    shift = two.query.position - one.query.position
    act.cue("on")
    act.move(large.turn(shift, shift, between), _at(act, where, two), map(FadeOut, stale),
             pace=45)
    act.cue("same")
    act.move(_written(act, 1, plane, spokes), pace=BRISK)
    act.move(share[1].animate.set_color(paint("focus")), pace=BRISK)
    _all_pairs(act, plane, where)
    closing_scene(act)


def _open(act: Act, large: RotaryPairs) -> tuple[list[Readout], VGroup]:
    """How the angle comes about: where pair 0 starts, and how far q gets ahead of k."""
    one = act.story.rope.products[0]
    spokes = large.point(one.query.pairs, one.key.pairs, 10)
    where = [Readout(f"{role}: {act.label('at', n=0)}", 60, role).move_to(
        ROOM.at(SIDE, y, UP + LEFT), LEFT) for role, y in (("q", -60), ("k", -160))]
    begun = VGroup(*(number(part, 52, "muted", "semibold") for part in act.story.opening))
    begun.arrange(RIGHT, buff=px(30)).move_to(ROOM.at(SIDE, -285, UP + LEFT), LEFT)
    (first,) = large.angles(0.42, width=9)
    act.cue("start")
    act.move(spokes, where, pace=QUICK)
    act.move(Create(first), begun[0], pace=EASY)
    act.cue("turn")
    act.move(FadeOut(first), pace=QUICK)
    act.move(large.turn(one.query.position, one.key.position), _at(act, where, one), begun[1],
             pace=VERY_SLOW)
    return where, begun


def _written(act: Act, k: int, plane: Plane, spokes: tuple) -> Label:
    """The angle from k to q at position pair k, written inside it."""
    label = number(act.story.angles[k], 48, "focus", "bold").move_to(
        plane.within(*spokes[::-1], 0.78))
    act.keep(angle=label)
    return label


def _at(act: Act, where: list[Readout], product: object) -> list:
    """Animations: where q and k stand now."""
    return [figure.to(f"{role}: {act.label('at', n=turned.position)}") for figure, role, turned
            in zip(where, "qk", (product.query, product.key))]


class _Share(VGroup):
    """Pair 0's product, written large below what it is made of."""

    def __init__(self, act: Act) -> None:
        name = Label(act.label("share"), 52, "muted").move_to(
            ROOM.at(SIDE, 210, DOWN + LEFT), LEFT)
        super().__init__(name, number(act.story.facts["share"], 110, weight="bold").next_to(
            name, DOWN, buff=px(46)).align_to(name, LEFT))


def _all_pairs(act: Act, plane: Plane, where: list[Readout]) -> None:
    """The large clock goes back to its place among four; their products add up."""
    rope, dot = act.story.rope, act.story.shown_dots[1]
    one, two = rope.products
    clocks = dials(act).shift(UP * px(84))
    spokes = clocks.point(two.query.turned, two.key.turned, 8)
    stale = all_but(act, act.kept.map, act.kept.road, plane, *where)
    bar = SumBar(ROOM, ROOM.at(0, 38, DOWN)[1], _largest(act), act.label("score"))
    moved = [Readout(old.value, 60, role).move_to(ROOM.at(x, -36, UP), LEFT)
             for old, role, x in zip(where, "qk", (-560, 100))]
    act.cue("pairs")
    act.move(FadeOut(stale), plane.animate.become(clocks[0]),
             map(FadeOut, where), map(arrive, moved), pace=30)
    act.remove(plane)
    act.add(clocks[0])
    angles = clocks.angles(width=7)
    act.move(clocks[1:], spokes, bar, pace=BRISK)
    # One clock after another adds its share.
    terms = [number(text(term), 48, weight="semibold").next_to(clock, DOWN, buff=px(20))
             for clock, term in zip(clocks, dot.terms)]
    act.cue("add")
    for k, (arc, term) in enumerate(zip(angles, terms)):
        total = dot.total if k == len(clocks) - 1 else sum(dot.terms[:k + 1])
        act.move(Create(arc), term, bar.to(float(sum(two.terms[:k + 1])), text(total)), pace=18)
    # All hands turn together; what they add up to does not move.
    back = one.query.position - two.query.position
    act.cue("all")
    act.move(clocks.turn(back, back, angles), _at(act, moved, one), pace=45)
    act.cue("still")
    act.move(bar.total.to(text(dot.total), "focus"),
             bar.bar.animate.set_stroke(paint("focus"), 6), pace=BRISK)


def _largest(act: Act) -> float:
    """The furthest that the live bar has to reach."""
    one = act.story.rope.products[0]
    return max(abs(sum(one.terms[:k + 1])) for k in range(len(one.terms)))
