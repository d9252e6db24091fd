"""Why a score knows only the distance: q and k turn as one."""

from manim import DOWN, LEFT, UP, Create, FadeOut, VGroup

from scenes.act02_layer.rope import REACH, dials
from scenes.act02_layer.thread import ROOM, axis, closing_scene
from scenes.kit import Label, Readout, RotaryPairs, SumBar, number, paint, px
from scenes.kit.base.motion import arrive
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, QUICK, VERY_SLOW, Act, all_but, beat

__all__ = ["distance_only"]


@beat(anchors="layers/rotary_embedding.py:12", carries="scene map road clocks hands",
      least={4: 52})
def distance_only(act: Act) -> None:
    # Clock 0 grows to the height of the stage; k's hand comes into it, and both turn.
    one, two = act.story.rope.products
    large = RotaryPairs(one.query.frequencies[:1], 300, REACH).move_to(ROOM.at(440, 0, LEFT))
    plane, clock = large[0], act.kept.clocks[0]
    others = all_but(act, act.kept.map, act.kept.road, clock)
    act.move(FadeOut(others), clock.animate.become(plane),
             act.kept.road.animate.become(axis(plane.get_y(), 0.18)), pace=20)
    act.remove(clock)
    act.add(plane)
    spokes = large.point(one.query.pairs, one.key.pairs, 10, named=True)
    where = [Readout(f"{role}: {act.label('at', n=0)}", 60, role).move_to(
        ROOM.at(960, y, UP + LEFT), LEFT) for role, y in (("q", -80), ("k", -190))]
    act.move(spokes, where, pace=QUICK)
    act.cue("turn")
    act.move(large.turn(one.query.position, one.key.position), _at(act, where, one),
             pace=VERY_SLOW)
    # The product depends on two lengths and on the angle between them, which turns as one piece.
    between, share = large.angles(0.42, width=9), _Share(act)
    written = number(act.story.angles[0], 48, "focus", "bold").move_to(plane.within(*spokes[::-1]))
    act.cue("angle")
    act.move(Create(between[0]), written, pace=EASY)
    act.cue("lengths")
    act.move((spoke.stem.animate.set_stroke(width=18) for spoke in spokes), pace=EASY)
    act.cue("product")
    act.move((spoke.stem.animate.set_stroke(width=10) for spoke in spokes), share, pace=EASY)
    act.add(large.trace(one.query.turned, one.key.turned, 6, 0.34), *spokes, *between)
    shift = two.query.position - one.query.position
    act.cue("on")
    act.move(large.turn(shift, shift, between), _at(act, where, two), FadeOut(written),
             pace=45)
    again = number(act.story.angles[1], 48, "focus", "bold").move_to(plane.within(*spokes[::-1]))
    act.cue("same")
    act.move(again, pace=BRISK)
    act.move(share[1].animate.set_color(paint("focus")), pace=BRISK)
    _all_pairs(act, plane, where)
    closing_scene(act)


def _at(act: Act, where: list[Readout], product: object) -> list:
    """Animations: where q and k stand now."""
    return [figure.to(f"{role}: {act.label('at', n=turned.position)}") for figure, role, turned
            in zip(where, "qk", (product.query, product.key))]


class _Share(VGroup):
    """Pair 0's product, written large."""

    def __init__(self, act: Act) -> None:
        name = Label(act.label("share"), 52, "muted").move_to(ROOM.at(960, 230, DOWN + LEFT), LEFT)
        super().__init__(name, number(act.story.facts["share"], 96, weight="bold").next_to(
            name, DOWN, buff=px(50)).align_to(name, LEFT))


def _all_pairs(act: Act, plane: object, where: list[Readout]) -> None:
    """The large clock goes back to its place among four; their products add up."""
    rope, dot = act.story.rope, act.story.shown_dots[1]
    two, clocks = rope.products[1], dials(act).shift(UP * px(84))
    spokes = clocks.point(two.query.turned, two.key.turned, 8)
    stale = all_but(act, act.kept.map, act.kept.road, plane, *where)
    bar = SumBar(ROOM, ROOM.at(0, 38, DOWN)[1], _largest(act), act.label("score"))
    moved = [Readout(old.value, 60, role).move_to(ROOM.at(x, -36, UP), LEFT)
             for old, role, x in zip(where, "qk", (-560, 100))]
    act.cue("pairs")
    act.move(FadeOut(stale), plane.animate.become(clocks[0]),
             map(FadeOut, where), map(arrive, moved),
             act.kept.road.animate.become(axis(clocks.get_y(), 0.18)), pace=30)
    act.remove(plane)
    act.add(clocks[0])
    angles = clocks.angles(width=7)
    act.move(clocks[1:], spokes, bar, pace=BRISK)
    # One clock after another adds its share.
    terms = _terms(clocks, dot)
    act.cue("add")
    for k, (arc, term) in enumerate(zip(angles, terms)):
        total = dot.total if k == len(clocks) - 1 else sum(dot.terms[:k + 1])
        act.move(Create(arc), term, bar.to(float(sum(two.terms[:k + 1])), text(total)), pace=18)
    _back(act, clocks, moved, bar, [*angles, *terms])


def _back(act: Act, clocks: RotaryPairs, where: list[Readout], bar: SumBar, stale: list) -> None:
    # k goes back alone: another distance, another score.
    rope, dot = act.story.rope, act.story.shown_dots[2]
    one, two = rope.products
    act.cue("back")
    act.move(map(FadeOut, stale), pace=QUICK)
    act.move(clocks.turn(0, one.key.position - two.key.position),
             where[1].to(f"k: {act.label('at', n=one.key.position)}"), bar.total.to("?"),
             pace=VERY_SLOW)
    act.move(map(Create, clocks.angles(width=7)), pace=BRISK)
    act.cue("other")
    act.move(_terms(clocks, dot), bar.to(float(rope.elsewhere.score), text(dot.total), "focus"),
             pace=EASY)


def _terms(clocks: RotaryPairs, dot: object) -> list[Label]:
    """Each pair's share of the score, below its clock."""
    return [number(text(term), 48, weight="semibold").next_to(clock, DOWN, buff=px(20))
            for clock, term in zip(clocks, dot.terms)]


def _largest(act: Act) -> float:
    """The furthest that the live bar has to reach."""
    rope = act.story.rope
    reached = [sum(rope.products[0].terms[:k + 1]) for k in range(len(rope.frequencies))]
    return max(map(abs, (*reached, rope.elsewhere.score)))
