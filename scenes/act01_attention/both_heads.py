"""Both heads: they share keys and values, and their outputs are merged."""

from collections.abc import Iterable

import numpy as np
from manim import LEFT, RIGHT, UP, Arrow, Mobject

from scenes.act01_attention.matrices import SHADES, integers
from scenes.kit import (FRAME, SMALL, Grid, GridStack, MaskedScores, arrow, caption, px, ring,
                        weight_grid)
from scenes.kit.base.motion import replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["merge", "shared_kv"]

MERGED = (132, 68)  # px
HUES = np.array(["v", "e"])  # one a head
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
    outputs = GridStack([w.output for w in written], "v", (120, 72), 30)
    outputs_, o_names = _in_rows(act, outputs, 760, "output_of", "v")
    act.cue("outputs")
    act.move([_ways(grid, v, output, "dv") for grid, output in zip(weights, outputs_)], pace=BRISK)
    act.move(outputs_, o_names, pace=EASY)
    # What is stored once and read twice.
    for grid, cue in ((k, "once"), (v, "twice")):
        act.cue(cue)
        act.move(ring(grid, buff=6),
                 caption(grid, act.label("once"), side=UP, role="ink", weight="semibold"))
    act.cue("gqa")
    act.move(ring(q[0], "q", 5, 6), pace=EASY)
    act.cue("groups")
    act.move(ring(q[1], "q", 5, 6), pace=EASY)
    act.cue("mqa")
    act.move(caption(k, act.label("one_for_all"), gap=76, role="ink", weight="semibold"))
    act.keep(outputs=outputs, trail=way)


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


@beat("models/qwen3.py:87", carries="outputs trail")
def merge(act: Act) -> None:
    # Both outputs come to the left, and their elements are numbered by token.
    outputs, elements, merged = act.kept.outputs, act.story.lesson.elements, act.story.merged
    stack = FRAME.place(GridStack(elements.transposed[0], HUES[:, None, None], MERGED, 34,
                                  SHADES[:, None], gap=90), x=-590, y=30)
    act.move([grid.animate.move_to(place) for grid, place in zip(outputs, stack)], pace=SLOW)
    heads = [caption(grid, act.label("output_of", n=n), role=role)
             for n, (grid, role) in enumerate(zip(stack, HUES))]
    tokens = [caption(row, act.label("token", n=n), SMALL, LEFT, 16)
              for grid in stack for n, row in enumerate(grid.rows)]
    act.move(heads, tokens, pace=QUICK)
    act.cue("number")
    act.move([replace(old, new) for old, new in zip(outputs, stack)], pace=EASY)
    # Transposed first: each token's two parts meet in its row.
    ways = elements.merge
    act.cue("right")
    right = _merge(act, stack, ways.right, ways.right_tokens, "right", 190)
    # Reshaped only: rows that mix tokens.
    act.cue("wrong")
    wrong = _merge(act, stack, ways.wrong, ways.wrong_tokens, "wrong", -160)
    act.cue("mixed")
    act.move([ring(wrong.row(r), "stop", 4) for r in ways.mixed_rows], pace=BRISK)
    # This engine needs no transpose; the values come back into their cells.
    act.cue("engine")
    act.move(caption(right, act.label("engine"), gap=28, role="ink").align_to(right, LEFT))
    act.cue("flat")
    act.move(ring(right, "focus", 5, 6), pace=EASY)
    act.cue("values")
    values = Grid(merged.right, HUES[np.array([[0, 0, 1, 1]] * 3)], MERGED, 32).move_to(right)
    act.move(replace(right, values), act.kept.trail.take(act.label("output"), stack[0].boxes),
             pace=SLOW)
    act.keep(trail=act.kept.trail)


def _merge(act: Act, stack: GridStack, keys: np.ndarray, tokens: np.ndarray, name: str,
           y: float) -> Grid:
    """The elements flow into one matrix; beside each row, the tokens that it holds."""
    hues = HUES[keys % 4 // 2]  # element n is of head (n mod 4) div 2
    result = GridStack(keys[None], hues, MERGED, 34, SHADES[tokens][None])
    FRAME.place(result, x=190, y=y)
    title = caption(result, act.label(name), 32, UP, 26, weight="semibold",
                    role="ink" if name == "right" else "stop").align_to(result, LEFT)
    held = [sorted(set(row)) for row in tokens]
    sides = [caption(row, act.label("token" if len(ids) == 1 else "tokens", n=ids[0], m=ids[-1]),
                     32, RIGHT, 30, role="ink" if len(ids) == 1 else "stop")
             for row, ids in zip(result[0].rows, held)]
    act.move(title, pace=QUICK)
    act.move(stack.flow(result, keys.ravel(), 0.4, group=2), pace=60)
    act.move(sides, pace=QUICK)
    return result[0]
