"""One head's scores: every query meets every key, in the table that all else happens in."""

from manim import LEFT, RIGHT, UP, FadeIn, ReplacementTransform, VGroup

from scenes.act01_attention.pieces import (CELL, LIFT, QUERY_CELL, TABLE, WIDE, heads, large,
                                           settle)
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, Corner, Label, ProductLine, Turn, caption, in_turn, px,
                        reading_arc, weight_arcs)
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["scores"]


@beat("layers/attention.py:67", carries="head tokens")
def scores(act: Act) -> None:
    # The first head's queries go to the left, the tokens to the right of the table to be.
    lesson, written = act.story.lesson.heads[0], act.story.heads[0]
    table = FRAME.place(large(written.scores), x=TABLE[0], y=TABLE[1])
    q, k_t = large(lesson.q, "q", QUERY_CELL), large(lesson.k.T, "k", (CELL[0], 88))
    corner = Corner(q, k_t, table, gap=(30, 24))
    k = FRAME.place(large(lesson.k, "k", (130, 130)), x=TABLE[0], y=-85)
    names = [Label(text, 70, role, "bold", mono=True).next_to(grid, UP, buff=px(30))
             for text, role, grid in (("Q", "q", q), ("K", "k", k))]
    old = [cell for pair in act.kept.head for cell in pair]
    act.cue("q")
    act.move([ReplacementTransform(*pair) for pair in zip(old, q)],
             FadeIn(k, shift=LEFT * px(580)),
             settle(act, act.kept.tokens, [(at, LIFT) for at in WIDE], bend=-0.5), names,
             pace=VERY_SLOW)
    act.cue("turn")
    act.remove(*k.get_family())
    act.move(Turn(k, k_t), leave(names[1]), pace=57)
    names[1].scale(0.8).next_to(k_t, RIGHT, buff=px(36))
    act.cue("meets")
    act.move(in_turn(table.boxes, 0.2), names[0].animate.scale(0.8).move_to(
        (q.get_x(), k_t.get_y(), 0)), names[1], pace=SLOW)
    _meet(act, corner)
    beside = heads(act, table)
    act.move(leave(VGroup(q, k_t, *names)), pace=BRISK)
    act.move(in_turn(beside, 0.15), pace=EASY)
    act.keep(table=table, heads=beside, tokens=act.kept.tokens)


def _meet(act: Act, corner: Corner) -> None:
    """One score worked out under the tokens that it is about; then all others."""
    table, tokens = corner.result, act.kept.tokens
    rings = corner.rings(*SCORE)
    line = FRAME.place(ProductLine(*act.story.score[:2], 72, ("q", "k")), x=460, y=-225)
    asking = weight_arcs(tokens, [0, 0, 0], "muted")
    act.cue("query")
    act.move(rings[0], in_turn(asking, 0.4), pace=EASY)
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
    act.move(leave(VGroup(rings, way, line, note, asking)), in_turn(table.others(*SCORE), 0.3),
             pace=VERY_SLOW)
