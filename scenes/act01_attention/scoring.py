"""One head's scores: every query meets every key, in the table that all else happens in."""

from collections.abc import Sequence
from typing import Any

from manim import (LEFT, RIGHT, UP, AnimationGroup, FadeIn, ReplacementTransform, Transform,
                   VGroup)

from scenes.act01_attention.pieces import (CENTRED, LIFT, TABLE, WIDE, heads, large,
                                           tokens_in, words_of)
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, Corner, Label, ProductLine, caption, in_turn, px, reading_arc, token,
                        weight_arcs)
from scenes.kit.base.motion import arrive, leave, vanish
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["scores"]

ASIDE = (-245, -122)  # px: the middle of the table while its factors need room
QUERY_CELL, KEY_CELL = (84, 172), (210, 62)  # px


@beat("layers/attention.py:67", carries="head tokens")
def scores(act: Act) -> None:
    # The first head's queries, with their tokens, go to the left of the table to be.
    lesson, written = act.story.lesson.heads[0], act.story.heads[0]
    table = FRAME.place(large(written.scores), x=ASIDE[0], y=ASIDE[1])
    q, k_t = large(lesson.q, "q", QUERY_CELL), large(lesson.k.T, "k", KEY_CELL)
    corner = Corner(q, k_t, table, gap=(20, 24))
    k = FRAME.place(large(lesson.k, "k", (160, 150)), x=500, y=ASIDE[1])
    names = [Label(text, 70, role, "bold", mono=True).next_to(grid, UP, buff=px(30))
             for text, role, grid in (("Q", "q", q), ("K", "k", k))]
    asking, found = (_beside(act, grid.rows, LEFT, role, 92) for grid, role in ((q, "q"), (k, "k")))
    act.cue("q")
    act.move(leave(act.kept.tokens), in_turn([AnimationGroup(*map(ReplacementTransform, old, row))
             for old, row in [*zip(act.kept.head, q.rows)][::-1]], 0.8), pace=26)
    act.move(in_turn(asking, 0.3), names[0], pace=QUICK)
    act.cue("k")
    act.move(FadeIn(VGroup(k, *found), shift=LEFT * px(100)), names[1], pace=EASY)
    # One key after another comes over its column; there they stand up.
    columns = [VGroup(*(k_t.cell(c, n) for c in range(2))) for n in range(3)]
    goals = _beside(act, columns, UP, "k", 66)
    flat = [large([key], "k", (100, 90)).move_to(column) for key, column in zip(lesson.k, columns)]
    act.cue("turn")
    act.move(leave(names[1]), *map(vanish, found), in_turn([AnimationGroup(
        *map(ReplacementTransform, row, key), arrive(goal))
        for row, key, goal in zip(k.rows, flat, goals)], 0.8), pace=48)
    act.move([ReplacementTransform(*cells) for key, column in zip(flat, columns)
              for cells in zip(key, column)], pace=EASY)
    names[1].scale(0.8).next_to(k_t, RIGHT, buff=px(36))
    act.cue("meets")
    act.move(in_turn(table.boxes, 0.2), names[0].animate.scale(0.8).move_to(
        (q.get_x(), k_t.get_y(), 0)), names[1], pace=SLOW)
    _meet(act, corner)
    # What has been multiplied leaves; the tokens stay beside the table.
    home = table.copy().move_to(FRAME.at(TABLE[0] + CENTRED, TABLE[1]))
    act.move(leave(VGroup(q, k_t, *names)), table.animate.move_to(home),
             map(Transform, [*asking, *goals], heads(act, home)), pace=SLOW)
    act.keep(table=table, heads=VGroup(*asking, *goals))


def _beside(act: Act, things: Sequence[VGroup], side: Any, role: str, size: float) -> list[VGroup]:
    """The tokens as words, one beside each row or column."""
    return [token(word, size, role).next_to(thing, side, buff=px(20 if role == "q" else 8))
            for word, thing in zip(words_of(act), things)]


def _meet(act: Act, corner: Corner) -> None:
    """One score worked out under the tokens that it is about; then all others."""
    table, tokens = corner.result, tokens_in(act, [(at, LIFT) for at in WIDE])
    rings = corner.rings(*SCORE)
    line = FRAME.place(ProductLine(*act.story.score[:2], 72, ("q", "k")), x=460, y=-225)
    asking = weight_arcs(tokens, [0, 0, 0], "muted")
    act.cue("query")
    act.move(rings[0], tokens, in_turn(asking, 0.4), pace=EASY)
    act.cue("key")
    act.move(rings[1], rings[2], pace=BRISK)
    act.cue("fly")
    # Factors fly along their row and, down their column, along the edge above that row.
    row = table.row(SCORE[0])
    act.move(line.fly(*corner.factors(*SCORE), lag=0.6, via=row.get_y(),
                      rights_via=row.get_top()[1]), pace=45)
    act.cue("add")
    note = caption(line, act.label("first_sum"), 38, gap=46, role="muted")
    act.move(line.add_up(), note, pace=EASY)
    act.cue("put")
    act.move(line.deliver(table.label(*SCORE), px(-150)), pace=SLOW)
    way = reading_arc(tokens, SCORE[1], SCORE[0], 0.4, "focus")
    act.cue("fit")
    act.move(way, pace=EASY)
    act.cue("rest")
    act.move(leave(VGroup(rings, tokens, way, line, note, asking)),
             in_turn(table.others(*SCORE), 0.3), pace=SLOW)
