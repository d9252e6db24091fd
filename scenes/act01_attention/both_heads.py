"""Both heads: they share keys and values, and their outputs are merged."""

from collections.abc import Iterable

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Arrow, Mobject, ReplacementTransform, VGroup

from scenes.act01_attention.matrices import CELL, integers, numbered
from scenes.kit import (FRAME, LEAD, NOTE, SHAPE, Grid, HeadTree, Label, MaskedScores, arrow,
                        caption, come, in_turn, number, px, ring, weight_grid)
from scenes.kit.base.motion import leave, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["merge", "shared", "shared_kv"]

CUT = 24  # px that a view moves the heads to either side
HUES = ("v", "e")  # one a head
ROWS = (230, -120)  # px above the middle: one row a head


@beat("models/qwen3.py:80", carries="trail", variant="weighing")
def shared_kv(act: Act) -> None:
    # Each head has its own queries; K stands once, between them.
    lesson, written, way = act.story.lesson.heads, act.story.heads, act.kept.trail
    q, q_names = _in_rows(act, (integers(h.q, "q") for h in lesson), -790, "q_head", "q")
    k, v = (FRAME.place(integers(values, role), x=x, y=55) for values, role, x in
            ((lesson[0].k, "k", -440), (lesson[0].v, "v", 390)))
    act.move(q, q_names, pace=EASY)
    act.cue("keys")
    act.move(way.give("K", k.boxes), pace=EASY)
    act.move(k.labels, caption(k, "K", 32, role="k", mono=True), pace=QUICK)
    # Other queries, other scores.
    scores, names = _in_rows(act, (MaskedScores(w.scaled, h.mask) for w, h in zip(written, lesson)),
                             -5, "scores_of")
    act.cue("scores")
    act.move([_ways(asks, k, grid, "qk") for asks, grid in zip(q, scores)], pace=BRISK)
    act.move(scores, names, pace=EASY)
    # Scores become weights where they stand, and both mix the same V.
    weights, w_names = _in_rows(act, (weight_grid(w.weights, h.weights)
                                      for w, h in zip(written, lesson)), -5, "weights_of", "d")
    act.cue("weights")
    act.move([replace(old, new) for old, new in zip([*scores, *names], [*weights, *w_names])],
             pace=SLOW)
    act.cue("values")
    act.move(way.give("V", v.boxes), pace=EASY)
    act.move(v.labels, caption(v, "V", 32, role="v", mono=True), pace=QUICK)
    outputs, o_names = _in_rows(act, (Grid(w.output, "v", (120, 72), 30) for w in written), 760,
                                "output_of", "v")
    act.cue("outputs")
    act.move([_ways(grid, v, output, "dv") for grid, output in zip(weights, outputs)], pace=BRISK)
    act.move(outputs, o_names, pace=EASY)
    act.keep(trail=way)


@beat("models/qwen3.py:80", carries="trail")
def shared(act: Act) -> None:
    # Four query heads, each over a K/V head of its own; then two of them share one.
    alone, grouped = (HeadTree(reads, (190, 120), 44, 170, 40)
                      for reads in (range(4), (0, 0, 1, 1)))
    for tree in (alone, grouped):
        tree.move_to(FRAME.at(-345, 40))
    act.move(alone.queries, FRAME.place(Label(act.label("query_heads"), NOTE), x=-345, y=300),
             pace=EASY)
    act.cue("own")
    act.move(alone.ways, alone.stores, pace=SLOW)
    kind, count = _kind(act, "mha", 4), _kept(act, 4)
    act.cue("keeps")
    act.move(kind, count, pace=EASY)
    # Neighbours meet over one K and V; what they kept twice is gone.
    act.cue("share")
    act.move([ReplacementTransform(way, new) for way, new in zip(alone.ways, grouped.ways)],
             [ReplacementTransform(alone.stores[2 * n + k][half][0],
                                   grouped.stores[n][half][0].copy() if k else
                                   grouped.stores[n][half][0])
              for n in range(2) for k in range(2) for half in range(2)],
             [leave(half[1]) for store in alone.stores for half in store],
             [come(half[1]) for store in grouped.stores for half in store], pace=VERY_SLOW)
    act.cue("half")
    act.move(replace(count, _kept(act, 2)), pace=EASY)
    act.cue("gqa")
    act.move(replace(kind, _kind(act, "gqa", 2)), pace=EASY)
    act.cue("ours")
    act.move(ring(VGroup(*grouped.queries[:2], grouped.stores[0]), buff=16), pace=EASY)
    act.keep(trail=act.kept.trail)


def _kind(act: Act, key: str, heads: int) -> VGroup:
    """What this way of sharing is called, right of the heads."""
    lines = VGroup(*(Label(act.label(f"{key}{n}"), 44, weight="semibold") for n in ("_a", "_b")))
    return lines.arrange(DOWN, buff=px(22)).move_to(FRAME.at(560, 150))


def _kept(act: Act, heads: int) -> VGroup:
    """How many K/V heads the cache keeps."""
    return VGroup(number(heads, 120, "focus", "bold"), Label(act.label("kept_heads"), 36)).arrange(
        DOWN, buff=px(34)).move_to(FRAME.at(560, -90))


def _in_rows(act: Act, grids: Iterable[Mobject], x: float, key: str,
             role: str = "muted") -> tuple[list, list]:
    """A matrix a head, each in its head's row at x px, and their names under them."""
    placed = [FRAME.place(grid, x=x, y=y) for grid, y in zip(grids, ROWS)]
    return placed, [caption(grid, act.label(key, n=n), role=role) for n, grid in enumerate(placed)]


def _ways(own: Mobject, shared: Mobject, target: Mobject, roles: str) -> list[Arrow]:
    """Arrows into one head's matrix: from its own row, and from the one both heads read."""
    side = np.sign(target.get_y() - shared.get_y()) * UP
    ends = ((own.get_right(), target.get_left()),
            (shared.get_right() + side * px(36), target.get_left() - side * px(56)))
    return [arrow(*pair, role, 14) for pair, role in zip(ends, roles)]


@beat("models/qwen3.py:87", carries="trail")
def merge(act: Act) -> None:
    # Both outputs side by side: a token, a row. Then their elements, numbered as memory holds them.
    way, elements = act.kept.trail, act.story.lesson.elements
    merged = FRAME.place(numbered(elements.flat[0], "v"), x=-510, y=90)
    values = Grid([a + b for a, b in zip(*(w.output for w in act.story.heads))],
                  ["v", "v", "e", "e"], CELL, 34).move_to(merged)
    halves = [[VGroup(grid.column(c), grid.column(c + 1)) for c in (0, 2)]
              for grid in (values, merged)]
    for pair in halves:
        for half, side in zip(pair, (LEFT, RIGHT)):
            half.shift(side * px(CUT))
    names = [caption(half, act.label("head", n=n), LEAD, UP, role=role)
             for n, (half, role) in enumerate(zip(halves[0], HUES))]
    tokens = [caption(row, act.label("token", n=n), side=LEFT)
              for n, row in enumerate(values.rows)]
    shape = caption(merged, "[3, 2, 2]", SHAPE, gap=30)
    grown = VGroup(*(values.cell(r, c)[0] for r in range(3) for c in (0, 1)))
    act.move(way.give(act.label("output"), grown), pace=SLOW)
    act.remove(grown)
    act.move(values, names, tokens, pace=QUICK)
    act.cue("number")
    act.move(replace(values, merged), shape, pace=SLOW)
    # Flattened, the cut closes: this is all that the engine does.
    act.cue("flat")
    act.move([VGroup(half, name).animate.shift(side * px(CUT)) for half, name, side in
              zip(halves[1], names, (RIGHT, LEFT))],
             replace(shape, Label("[3, 4]", SHAPE).move_to(shape)), pace=VERY_SLOW)
    act.cue("engine")
    act.move(ring(merged, buff=6), caption(merged, act.label("engine"), gap=84, role="ink"),
             pace=EASY)
    _heads_first(act)
    act.keep(trail=way)


def _heads_first(act: Act) -> None:
    """The same flatten where the heads come first: rows that mix tokens."""
    elements = act.story.lesson.elements
    ways = elements.merge
    stack = [FRAME.place(numbered(block, "v"), x=60, y=y)
             for block, y in zip(elements.transposed[0], (172, -152))]
    wrong = FRAME.place(numbered(ways.wrong, "v"), x=600, y=10)
    names = [caption(grid, act.label("head", n=n), NOTE, UP, 16, role=role)
             for n, (grid, role) in enumerate(zip(stack, HUES))]
    act.cue("heads")
    act.move(stack, names, pace=SLOW)
    act.cue("wrong")
    act.move(arrow(FRAME.at(190, 10), FRAME.at(370, 10), "stop"),
             in_turn([VGroup(wrong.cell(r, c), wrong.cell(r, c + 1)) for r in range(3)
                      for c in (0, 2)], 0.5), pace=50)
    act.cue("mixed")
    act.move([ring(wrong.row(r), "stop", 4) for r in ways.mixed_rows],
             caption(wrong, act.label("mixed"), LEAD, UP, 30, role="stop"), pace=BRISK)
