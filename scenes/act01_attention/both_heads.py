"""Both heads: they share keys and values, and their outputs are merged."""

from collections.abc import Iterable

import numpy as np
from manim import LEFT, RIGHT, UP, Arrow, FadeOut, Mobject

from scenes.act01_attention.matrices import SHADES, integers
from scenes.kit import (FRAME, NOTE, SMALL, Formula, Grid, GridStack, Label, MaskedScores, arrow,
                        caption, px, ring, weight_grid)
from scenes.stage import BRISK, EASY, QUICK, Act, all_but, beat

__all__ = ["merge", "shared_kv"]

MERGED = (132, 72)  # px
HUES = np.array(["v", "e"])  # one a head
ROWS = (190, -190)  # px above the middle: one row a head


@beat("models/qwen3.py:80", least={1: 54, 2: 56}, variant="weighing")
def shared_kv(act: Act) -> None:
    # Each head has its own queries; K stands once, between them.
    lesson, written = act.story.lesson.heads, act.story.heads
    q, q_names = _in_rows(act, (integers(h.q, "q") for h in lesson), -790, "q_head", "q")
    k, v = (FRAME.place(integers(values, role), x=x) for values, role, x in
            ((lesson[0].k, "k", -440), (lesson[0].v, "v", 390)))
    act.move(q, q_names)
    act.move(k, caption(k, "K", 32, role="k", mono=True))
    # Other queries, other scores.
    scores, names = _in_rows(act, (MaskedScores(w.scaled, h.mask) for w, h in zip(written, lesson)),
                             -5, "scores_of")
    made = "Q K^T" + r" \/ sqrt(d)" * act.params.scale + " + M" * act.params.causal
    for asks, grid, name in zip(q, scores, names):
        steps = Formula(made, 38, "muted").move_to(FRAME.at(-440, 228 * np.sign(grid.get_y())))
        act.move(_ways(asks, k, grid, "qk"), steps)
        act.move(grid, name, pace=EASY)
    act.next_line()
    # Scores become weights where they stand, and both mix the same V.
    weights, w_names = _in_rows(act, (weight_grid(w.weights, h.weights)
                                      for w, h in zip(written, lesson)), -5, "weights_of", "d")
    act.move(map(FadeOut, (*scores, *names)), [grid.boxes for grid in weights], pace=BRISK)
    act.move([grid.labels for grid in weights], w_names)
    act.move(v, caption(v, "V", 32, role="v", mono=True))
    outputs = GridStack([w.output for w in written], "v", (120, 72), 30)
    for grid, output, name in zip(weights, *_in_rows(act, outputs, 760, "output_of", "v")):
        act.move(_ways(grid, v, output, "dv"), pace=BRISK)
        act.move(output, name)
    act.next_line()
    # What is stored once and read twice.
    for grid in (k, v):
        act.move(ring(grid, buff=6),
                 caption(grid, act.label("once"), side=UP, role="focus", weight="semibold"))
        act.rest(12)
    act.rest(30)
    act.move(FRAME.place(Label(act.label("one_for_all"), NOTE, "focus"), x=-5, y=-24))
    act.keep(outputs=outputs, leavers=all_but(act, outputs))


def _in_rows(act: Act, grids: Iterable[Mobject], x: float, key: str,
             role: str = "muted") -> tuple[list, list]:
    """A matrix a head, each in its head's row at x px, and their names under them."""
    placed = [FRAME.place(grid, x=x, y=y) for grid, y in zip(grids, ROWS)]
    return placed, [caption(grid, act.label(key, n=n), role=role) for n, grid in enumerate(placed)]


def _ways(own: Mobject, shared: Mobject, target: Mobject, roles: str) -> list[Arrow]:
    """Arrows into one head's matrix: from its own row, and from the one both heads read."""
    side = np.sign(target.get_y()) * UP
    ends = ((own.get_right(), target.get_left()),
            (shared.get_right() + side * px(36), target.get_left() - side * px(56)))
    return [arrow(*pair, role, 14) for pair, role in zip(ends, roles)]


@beat("models/qwen3.py:87", carries="outputs leavers")
def merge(act: Act) -> None:
    # Both outputs come to the left, and their elements are numbered by token.
    outputs, elements, merged = act.kept.outputs, act.story.lesson.elements, act.story.merged
    stack = FRAME.place(GridStack(elements.transposed[0], HUES[:, None, None], MERGED, 34,
                                  SHADES[:, None], gap=90), x=-590, y=10)
    act.move(map(FadeOut, act.kept.leavers),
             [grid.animate.move_to(place) for grid, place in zip(outputs, stack)], pace=21)
    act.move(FadeOut(outputs), [grid.boxes for grid in stack], pace=QUICK)
    heads = [caption(grid, act.label("output_of", n=n), role=role)
             for n, (grid, role) in enumerate(zip(stack, HUES))]
    tokens = [caption(row, act.label("token", n=n), SMALL, LEFT, 16)
              for grid in stack for n, row in enumerate(grid.rows)]
    act.move([grid.labels for grid in stack], tokens, heads)
    # Transposed first: each token's two parts meet in its row.
    ways = elements.merge
    right = _merge(act, stack, ways.right, ways.right_tokens, "right", 198)
    act.next_line()
    # Reshaped only: rows that mix tokens.
    wrong = _merge(act, stack, ways.wrong, ways.wrong_tokens, "wrong", -180)
    act.move([ring(wrong.row(r), "stop", 4) for r in ways.mixed_rows], pace=BRISK)
    act.next_line()
    # This engine needs no transpose; the values come back into their cells.
    act.move(caption(right, act.label("engine"), gap=28, role="ink").align_to(right, LEFT))
    numbered = [*stack, right]
    values = [Grid(texts, "v", MERGED, 32).move_to(grid) for texts, grid in
              zip([*(head.output for head in act.story.heads), merged.right], numbered)]
    act.rest(21)
    act.move([FadeOut(grid.labels) for grid in numbered], pace=BRISK)
    act.move([grid.labels for grid in values],
             caption(heads[1], act.label("values"), gap=28, role="ink"))


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
    act.move(title, sides, pace=BRISK)
    act.move(stack.flow(result, keys.ravel(), 0.5, group=2), pace=54)
    return result[0]
