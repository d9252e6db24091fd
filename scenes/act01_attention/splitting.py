"""Q holds two heads: a block of memory for each needs a transpose, a view needs nothing."""

from collections.abc import Sequence

import numpy as np
from manim import (DOWN, RIGHT, UP, AnimationGroup, CubicBezier, ReplacementTransform,
                   VGroup)

from scenes.act01_attention.pieces import large, settle, tokens_in
from scenes.kit import FRAME, Label, caption, carry, in_turn, mix, paint, px, ring
from scenes.kit.base.motion import come, leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["two_heads"]

CELL = (136, 112)  # px
HUES = ("q", "e")  # one a head
SHADES = (0.27, 0.4, 0.54)  # one a token
ABOVE, BELOW = 75, -235  # px: heights of the heads and of memory
GAP = 16  # px that each half is moved from the middle


@beat("models/qwen3.py:79", carries="q tokens")
def two_heads(act: Act) -> None:
    # Q alone, in the middle; each row holds two heads.
    q, tokens = act.kept.q, act.kept.tokens
    act.move(q.animate.scale(1.25).move_to(FRAME.at(85, -40)),
             settle(act, tokens, [(-450, 160 * (1 - n) - 40) for n in range(3)], 124), pace=SLOW)
    heads = [VGroup(*(VGroup(q[2 * h][t], q[2 * h + 1][t]) for t in range(3))) for h in (0, 1)]
    names = VGroup(*(caption(head, act.label("head", n=h), 54, UP, 40, role=hue, weight="semibold")
                     for h, (head, hue) in enumerate(zip(heads, HUES))))
    act.cue("two")
    act.move([cell[0].animate.set_fill(mix(hue, shade)) for head, hue in zip(heads, HUES)
              for pair, shade in zip(head, SHADES) for cell in pair], names, pace=EASY)
    rings = VGroup(*(ring(head, hue, buff=4) for head, hue in zip(heads, HUES)))
    act.cue("alone")
    act.move(in_turn(rings, 0.5), pace=EASY)
    for cue, one, other in (("acts", *rings), ("before", *rings[::-1])):
        act.cue(cue)
        act.move(one.animate.set_stroke(width=12), other.animate.set_stroke(width=4),
                 pace=VERY_SLOW)
    # In memory its numbers are one strip, token after token.
    strip = FRAME.place(large([act.story.lesson.projection.q.flatten().tolist()], [
        HUES[n % 4 // 2] for n in range(12)], CELL, 54), y=BELOW)
    for n, cell in enumerate(strip):
        cell[0].set_fill(mix(HUES[n % 4 // 2], SHADES[n // 4]))
    pairs = [VGroup(strip.cell(0, n), strip.cell(0, n + 1)) for n in range(0, 12, 2)]
    places = [Label(n, 32, "muted", mono=True).next_to(strip.cell(0, n), DOWN, px(22))
              for n in range(12)]
    act.cue("memory")
    act.move(leave(VGroup(rings, names, tokens)), in_turn(_fall(heads, pairs), 0.6), pace=48)
    tokens = tokens_in(act, [(544 * (n - 1), -112) for n in range(3)], 72)
    act.move(in_turn(tokens, 0.4), in_turn(places, 0.2), pace=EASY)
    slots = [_slot(pair, k) for k, pair in enumerate(pairs)]
    _want(act, slots, tokens)
    _cut(act, pairs, slots, VGroup(*places))
    act.keep(head=_gather(act, pairs, slots), tokens=tokens)


def _fall(heads: Sequence[VGroup], pairs: Sequence[VGroup]) -> list[AnimationGroup]:
    """The rows of Q come down one after another, the lowest first."""
    return [AnimationGroup(*(ReplacementTransform(heads[h][t], pairs[2 * t + h]) for h in (0, 1)))
            for t in (2, 1, 0)]


def _want(act: Act, slots: list[VGroup], tokens: VGroup) -> None:
    """A place of its own for each head, with its tokens over it, waits above."""
    names = [Label(act.label("head", n=h), 54, hue, "semibold").move_to(
        FRAME.at(424 * (2 * h - 1), 310)) for h, hue in enumerate(HUES)]
    xs = [slot.get_x() / px(1) for slot in slots]
    twins = tokens_in(act, [(x, ABOVE + 108) for x in xs[3:]], 72)
    act.cue("want")
    act.move(settle(act, tokens, [(x, ABOVE + 108) for x in xs[:3]], 72),
             [come(twin) for twin in twins], names, in_turn(slots, 0.2), pace=VERY_SLOW)

def _cut(act: Act, pairs: list[VGroup], slots: list[VGroup], places: VGroup) -> None:
    """Memory, cut in half as it lies, fills these places wrongly."""
    act.cue("half")
    act.move([VGroup(*pairs[3 * h:3 * h + 3], *places[6 * h:6 * h + 6]).animate.shift(
        RIGHT * px(GAP * (2 * h - 1))) for h in (0, 1)], pace=EASY)
    threads, rows = _read(pairs, slots, "muted")
    act.move(threads, in_turn(map(carry, pairs, rows), 0.2), pace=SLOW)
    strangers = [k for k in range(6) if k // 3 != k % 2]  # from the other head
    rings = [ring(rows[k], "stop", 6, 2) for k in strangers]
    act.cue("wrong")
    act.move(in_turn(rings, 0.3), [threads[k].animate.set_stroke(paint("stop"), 8)
                                   for k in strangers], pace=30)
    act.cue("transpose")
    act.move([leave(thing) for thing in (threads, *rings, *rows)], pace=QUICK)


def _gather(act: Act, pairs: list[VGroup], slots: list[VGroup]) -> VGroup:
    """A transpose gathers each head's numbers; then memory goes back, and is read with skips."""
    home, order = [pair.get_center() for pair in pairs], _order(act)
    gathered = [pairs[p] for p in order]
    _travel(act, pairs, {p: home[k] for k, p in enumerate(order)}, 1)
    threads, rows = _read(gathered, slots)
    act.cue("right")
    act.move(threads, in_turn(map(carry, gathered, rows), 0.15), pace=SLOW)
    act.cue("back")
    act.move(leave(threads), pace=QUICK)
    _travel(act, pairs, dict(enumerate(home)), -1, QUICK)
    threads, _ = _read(gathered, slots)
    act.cue("view")
    act.move(in_turn(threads, 0.3), pace=SLOW)
    mark = ring(gathered[0], buff=2)
    act.cue("hop")
    act.move(mark, [thread.animate.set_stroke(width=10) for thread in threads[:3]], pace=BRISK)
    for pair in gathered[1:3]:
        act.move(mark.animate(path_arc=-1.2).move_to(pair), pace=EASY)
    return VGroup(*rows[:3])


def _order(act: Act) -> list[int]:
    """Which pair of memory belongs to each place of the heads, one head after the other."""
    return [int(n) // 2 for n in act.story.lesson.elements.transposed[0].flatten()[::2]]


def _read(pairs: Sequence[VGroup], slots: Sequence[VGroup],
          role: str = "") -> tuple[VGroup, list[VGroup]]:
    """Threads from pairs of memory to the places of the heads, in their hue, and what comes."""
    threads = VGroup(*(_thread(pair, slot, role or HUES[k // 3])
                       for k, (pair, slot) in enumerate(zip(pairs, slots))))
    return threads, [pair.copy().move_to(slot) for pair, slot in zip(pairs, slots)]


def _travel(act: Act, pairs: list[VGroup], where: dict[int, np.ndarray], way: int,
            pace: int = EASY) -> None:
    """Pairs go to other places; those that go to the left, times `way`, pass above the others."""
    apart = {p: way * (place - pairs[p].get_center())[0] for p, place in where.items()}
    over, lift = [p for p, x in apart.items() if x < -0.01], UP * px(CELL[1] + 12)
    act.move([pairs[p].animate.shift(lift) for p in over], pace=pace)
    act.move([pairs[p].animate.move_to(where[p] + lift * (p in over))
              for p, x in apart.items() if abs(x) > 0.01], pace=2 * pace)
    act.move([pairs[p].animate.move_to(where[p]) for p in over], pace=pace)


def _slot(pair: VGroup, k: int) -> VGroup:
    """The place of two numbers of a head, faint until they come."""
    slot = VGroup(*(box.copy() for box, _ in pair)).set_fill(opacity=0)
    return slot.set_stroke(opacity=0.6).move_to(
        pair.get_center() + UP * px(ABOVE - BELOW) + RIGHT * px(GAP * (1 if k > 2 else -1)))


def _thread(pair: VGroup, slot: VGroup, role: str) -> CubicBezier:
    """From two numbers in memory up to their place in a head."""
    start, end, bend = pair.get_top(), slot.get_bottom(), UP * px(90)
    return CubicBezier(start, start + bend, end - bend, end, stroke_width=5,
                       color=paint(role)).set_z_index(-1)
