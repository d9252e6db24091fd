"""Q holds two heads: a view parts them; a block of memory for each needs a transpose."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import DOWN, RIGHT, UP, CubicBezier, VGroup

from scenes.act01_attention.pieces import large, settle
from scenes.kit import FRAME, Label, caption, carry, in_turn, mix, paint, px, ring
from scenes.kit.base.motion import leave
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["two_heads"]

CELL = (136, 105)  # px
HUES = ("q", "e")  # one a head
SIDES = (-430, 430)  # px: where the heads stand once they are parted
ABOVE, BELOW = 118, -250  # px: heights of the heads and of the strip
GAP = 30  # px that each half of the strip moves when it is cut


@beat("models/qwen3.py:79", carries="q tokens")
def two_heads(act: Act) -> None:
    # Q alone, in the middle; each row holds two heads.
    q, tokens = act.kept.q, act.kept.tokens
    act.move(q.animate.move_to(FRAME.at(0, -20)),
             settle(act, tokens, [(-420, 128 * (1 - n) - 20) for n in range(3)], 104), pace=SLOW)
    heads = [VGroup(*(VGroup(q[2 * h][t], q[2 * h + 1][t]) for t in range(3))) for h in (0, 1)]
    names = [caption(head, act.label("head", n=h), 54, UP, 40, role=hue, weight="semibold")
             for h, (head, hue) in enumerate(zip(heads, HUES))]
    act.cue("two")
    act.move([cell[0].animate.set_fill(mix("e", 0.24)) for pair in heads[1] for cell in pair],
             names, pace=EASY)
    rings = VGroup(*(ring(head, hue, buff=4) for head, hue in zip(heads, HUES)))
    for mark, cue in zip(rings, ("why", "alone")):
        act.cue(cue)
        act.move(mark, pace=EASY)
    # In memory its numbers are one strip, token after token.
    strip = FRAME.place(large([act.story.lesson.projection.q.flatten().tolist()],
                              [HUES[n % 4 // 2] for n in range(12)], CELL, 52), y=BELOW)
    pairs = [VGroup(strip.cell(0, n), strip.cell(0, n + 1)) for n in range(0, 12, 2)]
    places = VGroup(*(Label(n, 32, "muted", mono=True).next_to(strip.cell(0, n), DOWN, px(22))
                      for n in range(12)))
    act.cue("memory")
    small = CELL[0] / 166
    act.move(leave(rings), VGroup(q, *names, tokens).animate.scale(
        small, about_point=q.get_center()).shift(UP * px(ABOVE + 20)), pace=EASY)
    act.move(in_turn((carry(heads[p % 2][p // 2], pair)
                                    for p, pair in enumerate(pairs)), 0.3),
             in_turn(places, 0.2), pace=VERY_SLOW + SLOW)
    _part(act, heads, names, pairs)
    _cut(act, heads, pairs, places)


def _part(act: Act, heads: Sequence[VGroup], names: Sequence[Label],
          pairs: Sequence[VGroup]) -> None:
    """The heads move apart, the strip stays; the kernel skips along it."""
    act.cue("view")
    act.move([VGroup(head, name).animate.shift(RIGHT * (px(at) - head.get_x()))
              for head, name, at in zip(heads, names, SIDES)],
             act.kept.tokens.animate.shift(RIGHT * (px(SIDES[0]) - heads[0].get_x())),
             pace=VERY_SLOW)
    threads = VGroup(*(_thread(pair, p % 2, p // 2, HUES[p % 2]) for p, pair in enumerate(pairs)))
    act.cue("still")
    act.move(in_turn(threads, 0.3), pace=SLOW)
    mark = ring(pairs[0], buff=2)
    act.cue("kernel")
    act.move(mark, pace=EASY)
    act.cue("engine")
    act.move([thread.animate.set_stroke(width=10) for thread in threads[::2]], pace=EASY)
    act.cue("hop")
    for p in (2, 4):
        act.move(mark.animate(path_arc=-1.2).move_to(pairs[p]), pace=EASY)
    act.move(leave(mark), pace=QUICK)
    act.keep(threads=threads)


def _cut(act: Act, heads: list[VGroup], pairs: list[VGroup], places: VGroup) -> None:
    """The strip is cut in half as it lies; then once more, with each head's numbers gathered."""
    threads, order = act.kept.threads, act.story.lesson.elements.transposed[0].flatten()[::2] // 2
    act.cue("books")
    act.move(leave(threads), pace=EASY)
    act.cue("half")
    act.move([VGroup(*pairs[3 * h:3 * h + 3], *places[6 * h:6 * h + 6]).animate.shift(
        RIGHT * px(GAP * (2 * h - 1))) for h in (0, 1)],
        [leave(rows) for rows in (heads[0][1:], heads[1][:2])], pace=SLOW)
    threads = VGroup(*(_thread(pair, p // 3, p % 3, "muted") for p, pair in enumerate(pairs)))
    wrong = [_row(pairs[p], p // 3, p % 3) for p in (1, 2, 3, 4)]
    act.move(threads, in_turn((carry(pairs[p], row) for p, row in zip((1, 2, 3, 4), wrong)), 0.3),
             pace=VERY_SLOW)
    act.cue("wrong")
    rings = [ring(row, "stop", 6, 2) for row in (wrong[0], wrong[3])]
    act.move(rings, [threads[p].animate.set_stroke(paint("stop"), 8) for p in (1, 4)], pace=30)
    # A transpose: the pairs of the first head rise and pass over those of the second.
    slots = [pair.get_center() for pair in pairs]
    up, lift = [p for k, p in enumerate(order) if k < p], UP * px(CELL[1] + 22)
    aside = [p for k, p in enumerate(order) if k > p]
    where = {p: slots[k] for k, p in enumerate(order)}
    act.cue("transpose")
    act.move([leave(thing) for thing in (threads, *rings, *wrong)],
             [pairs[p].animate.shift(lift) for p in up], pace=EASY)
    act.move([pairs[p].animate.move_to(where[p] + lift) for p in up],
             [pairs[p].animate.move_to(where[p]) for p in aside], pace=VERY_SLOW)
    act.move([pairs[p].animate.move_to(where[p]) for p in up], pace=EASY)
    act.cue("right")
    fresh = [_row(pairs[p], k // 3, k % 3) for k, p in enumerate(order) if k % 5]
    act.move([_thread(pairs[p], k // 3, k % 3, HUES[k // 3]) for k, p in enumerate(order)],
             in_turn((carry(pairs[p], row) for p, row in zip(order[1:5], fresh)), 0.2), pace=SLOW)
    act.keep(head=VGroup(heads[0][0], *fresh[:2]), tokens=act.kept.tokens)


def _row(pair: VGroup, h: int, row: int) -> VGroup:
    """A copy of a pair of cells, where row `row` of head h's block stands."""
    return pair.copy().move_to(FRAME.at(SIDES[h], ABOVE + CELL[1] * (1 - row)))


def _thread(pair: VGroup, h: int, row: int, role: str) -> Any:
    """From a pair of the strip up to head h; those of its three rows end side by side."""
    start = pair.get_top()
    end = np.array(FRAME.at(SIDES[h] + 88 * (row - 1), ABOVE - 1.5 * CELL[1]))
    bend = UP * px(90)
    return CubicBezier(start, start + bend, end - bend, end, stroke_width=5,
                       color=paint(role)).set_z_index(-1)
