"""RoPE turns pairs of numbers by their position: the pairs become hands of clocks."""

from math import degrees

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, GrowFromPoint, LaggedStart

from scenes.act02_layer.thread import ROOM, closing_scene, travel
from scenes.kit import Grid, Label, Plane, Readout, RotaryPairs, Spoke, number, px
from scenes.kit import replace
from scenes.kit.base.motion import vanish
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, STEADY, Act, beat

__all__ = ["REACH", "dials", "pairs_turn"]

REACH = 2.45  # a little more than the longest pair of the lesson
CELL = (150, 108)


def dials(act: Act) -> RotaryPairs:
    """A clock for every pair of a head, strung on the road."""
    clocks = RotaryPairs(act.story.rope.frequencies, 200, REACH, 60)
    return clocks.move_to(ROOM.at(0, 282, DOWN))


@beat(anchors="layers/rotary_embedding.py:11", carries="scene map road", least={1: 66, 3: 67})
def pairs_turn(act: Act) -> None:
    # q above k, eight numbers each: nothing tells where they stand.
    one = act.story.rope.products[0]
    q, k = (Grid([[text(shown(v, 0)) for v in turned.x]], role, CELL, 60, 0.3)
            for turned, role in ((one.query, "q"), (one.key, "k")))
    q.move_to(ROOM.at(-10, -30, UP + RIGHT), UP + RIGHT)
    k.move_to(q).shift(DOWN * px(200))
    names = [number(role, 64, role, "semibold").move_to((ROOM.left + px(60), row.get_y(), 0))
             for role, row in (("q", q), ("k", k))]
    places = [Label(act.label("at", n=n), 44, "muted").next_to(name, RIGHT, buff=px(50))
              for n, name in zip((one.query.position, one.key.position), names)]
    travel(act, "rope", dials(act).get_y(), 0, names[0], q)
    act.cue("head")
    act.move(k, names[1], places, pace=EASY)
    _no_order(act, q, k, places)
    clocks, hands = _hands(act, q, [k, *names])
    _count(act, clocks, hands)
    closing_scene(act)
    act.keep(clocks=clocks, hands=hands)


def _no_order(act: Act, q: Grid, k: Grid, places: list[Label]) -> None:
    """One product, wherever k stands."""
    rope = act.story.rope
    product = number(f"q · k = {act.story.facts['unturned']}", 84, "focus", "bold")
    product.move_to(ROOM.at(0, 110, DOWN)).set_x(q.get_x())
    act.cue("score")
    act.move(FadeIn(product, shift=DOWN * px(60)), pace=EASY)
    moved = [Label(act.label("at", n=n), 44, "focus").move_to(places[1], LEFT)
             for n in (rope.products[1].key.position, rope.products[1].query.position)]
    act.cue("again")
    for old, new in zip((places[1], moved[0]), moved):
        act.move(replace(old, new), pace=STEADY)
    act.cue("lost")
    act.move(vanish(places[0]), vanish(moved[1]), product.animate.scale(1.15), pace=EASY)
    act.keep(problem=[product])


def _hands(act: Act, q: Grid, k: list) -> tuple[RotaryPairs, list[Spoke]]:
    """Number i and number i + d/2 fly together and become the hand of clock i."""
    clocks, pairs = dials(act), act.story.rope.products[0].query.pairs
    hands = clocks.vectors(pairs, "q", 10)
    names = [Label(act.label("pair", i=i, j=i + len(clocks)), 40, "muted").next_to(
        clock, UP, buff=px(26)) for i, clock in enumerate(clocks)]
    act.cue("rope")
    act.move(map(FadeOut, act.kept.problem), map(FadeOut, k), pace=BRISK)
    act.move(LaggedStart(*map(FadeIn, clocks), lag_ratio=0.2), pace=EASY)
    act.cue("pairs")
    flights = [_together(q, i, clock) for i, clock in enumerate(clocks)]
    act.move(flights[0], names[0], pace=SLOW)
    act.move(LaggedStart(*(move for flight in flights[1:] for move in flight), lag_ratio=0.2),
             names[1:], pace=30)
    act.cue("point")
    act.move(LaggedStart(*(GrowFromPoint(hand, clock.centre) for hand, clock in zip(
        hands, clocks)), lag_ratio=0.25), pace=SLOW)
    act.keep(names=names)
    return clocks, hands


def _together(q: Grid, i: int, clock: Plane) -> list[FadeOut]:
    """Animations: both numbers of pair i go into their clock."""
    return [FadeOut(q.cell(0, k).set_z_index(5), target_position=clock, scale=0.4)
            for k in (i, i + q.shape[1] // 2)]


def _count(act: Act, clocks: RotaryPairs, hands: list[Spoke]) -> None:
    """Position by position, in at most five stops, every hand turns at its own speed."""
    q = act.story.rope.products[0].query
    rates = [Label(act.label("rate", n=significant(degrees(rate))), 44).next_to(
        clock, DOWN, buff=px(26)) for rate, clock in zip(q.frequencies, clocks)]
    stops, before = min(q.position, 5), 0
    count = Readout(act.label("at", n=0), 68, "focus", anchor=(0, 0, 0))
    count.move_to(ROOM.at(0, -36, UP))
    act.add(*(clock.spoke(pair, "line", "", 7) for clock, pair in zip(clocks, q.pairs)), *hands)
    act.cue("turn")
    act.move(count, pace=QUICK)
    for k in range(stops):
        stop = round(q.position * (k + 1) / stops)
        turns = [turn for clock, hand, rate in zip(clocks, hands, q.frequencies)
                 for turn in clock.turn(hand, by=(stop - before) * float(rate))]
        act.move(turns, count.to(act.label("at", n=stop)), rates[k:k + 1] if k < 4 else None,
                 pace=max(BRISK, 90 // stops))
        before = stop
    act.cue("rule")
    act.move(rates[stops:] if stops < 4 else None,
             (hand.stem.animate.set_stroke(width=18) for hand in hands), pace=EASY)
