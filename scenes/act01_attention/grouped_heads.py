"""Two query heads read the same keys and values."""

from collections.abc import Iterable

import numpy as np
from manim import UP, Arrow, FadeOut, Mobject

from scenes.act01_attention.matrices import integers
from scenes.kit import (FRAME, NOTE, Formula, GridStack, Label, MaskedScores, arrow, caption, px,
                        ring, weight_grid)
from scenes.stage import BRISK, EASY, Act, all_but, beat

__all__ = ["shared_kv"]

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
        steps = FRAME.place(Formula(made, 38, "muted"), x=-440,
                            y=228 * np.sign(grid.get_y()))
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
