"""Merging the heads: transpose first, then join."""

import numpy as np
from manim import LEFT, RIGHT, UP, FadeOut

from scenes.act01_attention.matrices import SHADES
from scenes.kit import FRAME, SMALL, Grid, GridStack, caption, ring
from scenes.stage import BRISK, QUICK, Act, beat

__all__ = ["merge"]

CELL = (132, 72)  # px
HUES = np.array(["v", "e"])  # one a head


@beat("models/qwen3.py:87", carries="outputs leavers")
def merge(act: Act) -> None:
    # Both outputs come to the left, and their elements are numbered by token.
    outputs, elements, merged = act.kept.outputs, act.story.lesson.elements, act.story.merged
    stack = GridStack(elements.transposed[0], HUES[:, None, None], CELL, 34, SHADES[:, None],
                      gap=90)
    FRAME.place(stack, x=-590, y=10)
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
    values = [Grid(texts, "v", CELL, 32).move_to(grid) for texts, grid in
              zip([*(head.output for head in act.story.heads), merged.right], numbered)]
    act.rest(21)
    act.move([FadeOut(grid.labels) for grid in numbered], pace=BRISK)
    act.move([grid.labels for grid in values],
             caption(heads[1], act.label("values"), gap=28, role="ink"))


def _merge(act: Act, stack: GridStack, keys: np.ndarray, tokens: np.ndarray, name: str,
           y: float) -> Grid:
    """The elements flow into one matrix; beside each row, the tokens that it holds."""
    hues = HUES[keys % 4 // 2]  # element n is of head (n mod 4) div 2
    result = GridStack(keys[None], hues, CELL, 34, SHADES[tokens][None])
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
