"""One head's scores: every query meets every key, in the table that all else happens in."""

from collections.abc import Sequence
from typing import Any

from manim import (LEFT, RIGHT, UP, AnimationGroup, FadeIn, ReplacementTransform, Transform,
                   VGroup)

from scenes.act01_attention.pieces import LIFT, TABLE, WIDE, heads, large, tokens_in, words_of
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, Corner, Label, ProductLine, caption, in_turn, px, reading_arc, token,
                        weight_arcs)
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

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
    k = FRAME.place(large(lesson.k, "k", (130, 130)), x=ASIDE[0], y=-85)
    names = [Label(text, 70, role, "bold", mono=True).next_to(grid, UP, buff=px(30))
             for text, role, grid in (("Q", "q", q), ("K", "k", k))]
    asking, found = act.kept.tokens, _beside(act, k.rows, LEFT, "k", 92)
    goals = _beside(act, q.rows, LEFT, "q", 92)
    pairs = zip(act.kept.head, q.rows, asking, goals)
    act.cue("q")
    act.move(in_turn([AnimationGroup(*map(ReplacementTransform, old, row), Transform(one, goal))
                      for old, row, one, goal in pairs], 0.5), names[0], pace=39)
    act.move(FadeIn(VGroup(k, *found), shift=LEFT * px(100)), names[1], pace=EASY)
    # One key after another stands up over its column.
    columns = [VGroup(*(k_t.cell(c, n) for c in range(2))) for n in range(3)]
    goals = _beside(act, columns, UP, "k", 66)
    act.cue("turn")
    act.move(leave(names[1]), in_turn([AnimationGroup(
        *map(ReplacementTransform, row, column), Transform(one, goal))
        for row, column, one, goal in zip(k.rows, columns, found, goals)], 0.6), pace=57)
    names[1].scale(0.8).next_to(k_t, RIGHT, buff=px(36))
    act.cue("meets")
    act.move(in_turn(table.boxes, 0.2), names[0].animate.scale(0.8).move_to(
        (q.get_x(), k_t.get_y(), 0)), names[1], pace=SLOW)
    _meet(act, corner)
    # What has been multiplied leaves; the tokens stay beside the table.
    home = table.copy().move_to(FRAME.at(*TABLE))
    act.move(leave(VGroup(q, k_t, *names)), table.animate.move_to(home),
             map(Transform, [*asking, *found], heads(act, home)), pace=SLOW)
    act.keep(table=table, heads=VGroup(*asking, *found))


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
    act.move(line.fly(*corner.factors(*SCORE), lag=0.6, rights_via=px(-140)), pace=45)
    act.cue("add")
    note = caption(line, act.label("first_sum"), 38, gap=46, role="muted")
    act.move(line.add_up(), note, pace=EASY)
    act.cue("put")
    act.move(line.deliver(table.label(*SCORE)), pace=SLOW)
    way = reading_arc(tokens, SCORE[1], SCORE[0], 0.4, "focus")
    act.cue("fit")
    act.move(way, pace=EASY)
    act.cue("rest")
    act.move(leave(VGroup(rings, tokens, way, line, note, asking)),
             in_turn(table.others(*SCORE), 0.3), pace=VERY_SLOW)
