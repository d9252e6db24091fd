"""Both heads: they share keys and values, and their outputs are merged."""

from collections.abc import Iterable, Sequence

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Arrow, Mobject, ReplacementTransform, VGroup

from scenes.act01_attention.matrices import integers, numbered
from scenes.kit import (FRAME, LEAD, NOTE, Grid, HeadTree, Label, MaskedScores, arrow,
                        caption, come, number, px, ring, weight_grid)
from scenes.kit.base.motion import leave, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["merge", "shared", "shared_kv"]

CUT, GROWN = 24, 1.45  # px between a token's heads and the middle; enlarged
HUES = ("v", "e")  # one a head
ROWS = (230, -120)  # px above the middle: one row a head


@beat("models/qwen3.py:80", carries="trail", variant="weighing")
def shared_kv(act: Act) -> None:
    # Each head has its own queries; K stands once, between them.
    lesson, written, way = act.story.lesson.heads, act.story.heads, act.kept.trail
    q, q_names = _in_rows(act, (integers(h.q, hue) for h, hue in zip(lesson, "qe")), -790,
                          "q_head", "qe")
    k, v = (FRAME.place(integers(values, role), x=x, y=55) for values, role, x in
            ((lesson[0].k, "k", -440), (lesson[0].v, "v", 390)))
    act.move(q, q_names, pace=BRISK)
    act.move(way.give("K", k.boxes), pace=EASY)
    act.cue("keys")
    act.move(k.labels, caption(k, "K", 32, role="k", mono=True), pace=QUICK)
    # Other queries, other scores.
    scores, names = _in_rows(act, (MaskedScores(w.scaled, h.mask) for w, h in zip(written, lesson)),
                             -5, "scores_of")
    act.cue("scores")
    act.move([_ways(asks, k, grid, roles) for asks, grid, roles in zip(q, scores, ("qk", "ek"))],
             pace=BRISK)
    act.move(scores, names, pace=EASY)
    # Scores become weights where they stand, and both mix the same V.
    weights, w_names = _in_rows(act, (weight_grid(w.weights, h.weights)
                                      for w, h in zip(written, lesson)), -5, "weights_of", "dd")
    act.cue("weights")
    act.move([replace(old, new) for old, new in zip([*scores, *names], [*weights, *w_names])],
             pace=SLOW)
    act.cue("values")
    act.move(way.give("V", v.boxes), pace=EASY)
    act.move(v.labels, caption(v, "V", 32, role="v", mono=True), pace=QUICK)
    outputs, o_names = _in_rows(act, (Grid(w.output, "v", (120, 72), 30) for w in written), 760,
                                "output_of", "vv")
    act.cue("outputs")
    act.move([_ways(grid, v, output, "dv") for grid, output in zip(weights, outputs)], pace=BRISK)
    act.move(outputs, o_names, pace=EASY)
    act.keep(queries=VGroup(*q), trail=way)


@beat("models/qwen3.py:80", carries="queries trail")
def shared(act: Act) -> None:
    # Our two heads and two more, each over a K/V head of its own; then two of them share one.
    alone, grouped = (HeadTree(reads, (190, 120), 44, 170, 40)
                      for reads in (range(4), (0, 0, 1, 1)))
    for tree in (alone, grouped):
        tree.move_to(FRAME.at(-345, 40))
    ours = act.kept.queries
    act.move([ReplacementTransform(head.boxes, box) for head, (box, _) in zip(ours, alone.queries)],
             [leave(head.labels) for head in ours], alone.queries[2:],
             [come(label) for _, label in alone.queries[:2]],
             FRAME.place(Label(act.label("query_heads"), NOTE), x=-345, y=300), pace=BRISK)
    act.cue("own")
    act.move(alone.ways, alone.stores, pace=SLOW)
    kind, count = _kind(act, "mha", 4), _kept(act, 4)
    act.cue("keeps")
    act.move(kind, count, pace=EASY)
    # Neighbours meet over one K and V; what they kept twice is gone.
    act.cue("share")
    merging = [(alone.stores[kv][half][0], grouped.stores[kv // 2][half][0]) for kv in (0, 2)
               for half in range(2)]
    for box, _ in merging:
        box.set_z_index(0.5)  # over the neighbour that goes
    ends = [new.copy() for _, new in merging]
    act.move([ReplacementTransform(way, new) for way, new in zip(alone.ways, grouped.ways)],
             [ReplacementTransform(old, end) for (old, _), end in zip(merging, ends)],
             [leave(half[1]) for store in alone.stores[::2] for half in store],
             [leave(store) for store in alone.stores[1::2]],
             [come(half[1]) for store in grouped.stores for half in store],
             leave(kind), leave(count), pace=VERY_SLOW)
    act.remove(*ends)
    act.add(*grouped.stores)
    act.cue("half")
    act.move(_kept(act, 2), pace=EASY)
    act.cue("gqa")
    act.move(_kind(act, "gqa", 2), pace=EASY)
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
             roles: Sequence[str] = ("muted", "muted")) -> tuple[list, list]:
    """A matrix a head, each in its head's row at x px, and their names, in `roles`, under them."""
    placed = [FRAME.place(grid, x=x, y=y) for grid, y in zip(grids, ROWS)]
    return placed, [caption(grid, act.label(key, n=n), role=role)
                    for n, (grid, role) in enumerate(zip(placed, roles))]


def _ways(own: Mobject, shared: Mobject, target: Mobject, roles: str) -> list[Arrow]:
    """Arrows into one head's matrix: from its own row, and from the one both heads read."""
    side = np.sign(target.get_y() - shared.get_y()) * UP
    ends = ((own.get_right(), target.get_left()),
            (shared.get_right() + side * px(36), target.get_left() - side * px(56)))
    return [arrow(*pair, role, 14) for pair, role in zip(ends, roles)]


@beat("models/qwen3.py:87", carries="trail")
def merge(act: Act) -> None:
    # Both heads' outputs beside each other: a token, a row.
    way, places = act.kept.trail, act.story.lesson.elements.flat[0]
    values = FRAME.place(numbered(places, "v", [
        a + b for a, b in zip(*(w.output for w in act.story.heads))], 32), y=30).scale(GROWN)
    halves = [VGroup(values.column(c), values.column(c + 1)).shift(side * px(CUT * GROWN))
              for c, side in ((0, LEFT), (2, RIGHT))]
    names = [caption(half, act.label("head", n=n), 44, UP, role=role)
             for n, (half, role) in enumerate(zip(halves, HUES))]
    tokens = [caption(row, act.label("token", n=n), LEAD, LEFT, role="muted")
              for n, row in enumerate(values.rows)]
    shape = caption(values, "[3, 2, 2]", 38, gap=34, role="muted", mono=True)
    grown = VGroup(*(values.cell(r, c)[0] for r in range(3) for c in (0, 1)))
    act.move(way.give(act.label("output"), grown), pace=SLOW)
    act.remove(grown)
    act.move(values, names, tokens, pace=QUICK)
    act.cue("side")
    frame = ring(values.row(0), "focus", 5, 8)
    act.move(shape, frame, pace=EASY)
    # Flattened, the cut closes: this is all that the engine does.
    flat = caption(values, "[3, 4]", 38, gap=34, role="muted", mono=True)
    act.cue("flat")
    act.move([VGroup(half, name).animate.shift(side * px(CUT * GROWN)) for half, name, side in
              zip(halves, names, (RIGHT, LEFT))],
             leave(frame), replace(shape, flat), pace=VERY_SLOW)
    act.cue("engine")
    act.move(ring(values, buff=6), pace=EASY)
    act.keep(trail=way)
