"""One head's scores: every query meets every key."""

from manim import DOWN, RIGHT, ReplacementTransform

from scenes.act01_attention.matrices import large
from scenes.act01_attention.story import SCORE
from scenes.kit import (FRAME, LEAD, SHAPE, Corner, Grid, Label, ProductLine, Turn, caption,
                        in_turn, px, query_key_axes, transposed)
from scenes.kit.base.motion import leave, replace
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["scores"]


@beat("layers/attention.py:67", carries="head trail")
def scores(act: Act) -> None:
    # The first head's queries come to the left; K turns about its diagonal above the scores to be.
    head, written, kept = act.story.lesson.heads[0], act.story.heads[0], act.kept
    q, k, k_t, result = (large(values, role, 38) for values, role in (
        (head.q, "q"), (head.k, "k"), (head.k.T, "k"), (written.scores, "ink")))
    corner = Corner(q, k_t, FRAME.place(result, x=-270, y=-130), gap=(60, 56))
    k.move_to(k_t, DOWN)
    k_name = caption(k, "K [3, 2]", SHAPE, RIGHT, 40)
    _bring(act, q, k, k_name)
    act.move(caption(q, "Q [3, 2]", SHAPE), pace=QUICK)
    act.cue("turn")
    act.remove(*k.get_family(), k.boxes, k.labels)
    act.move(Turn(k, k_t), leave(k_name), pace=57)
    act.move(transposed("K", "[2, 3]").next_to(k_t, RIGHT, buff=px(30)), query_key_axes(q, k_t),
             pace=BRISK)
    act.cue("meets")
    act.move(result.boxes, caption(result, "S [3, 3]", SHAPE), pace=SLOW)
    # One score worked out.
    line = FRAME.place(ProductLine(*act.story.score[:2], 60, ("q", "k")), x=500, y=150)
    rings = corner.rings(*SCORE)
    act.cue("query")
    act.move(rings[0], pace=BRISK)
    act.cue("key")
    act.move(rings[1], rings[2], pace=BRISK)
    act.cue("fly")
    act.move(line.fly(*corner.factors(*SCORE), lag=0.6), pace=36)
    act.cue("add")
    act.move(line.add_up(), caption(line, act.label("first_sum"), 32, gap=36, role="muted"))
    act.move(line.deliver(result.label(*SCORE)), pace=SLOW)
    # What a score says; the other eight likewise.
    act.cue("fit")
    act.move(FRAME.place(Label(act.label("fits"), LEAD), x=500, y=-20), pace=EASY)
    act.cue("rest")
    act.move(leave(rings), in_turn(result.others(*SCORE)), pace=SLOW)
    act.move(kept.trail.take(act.label("scores"), result.boxes), pace=EASY)
    act.keep(result=result, trail=kept.trail)


def _bring(act: Act, q: Grid, k: Grid, k_name: Label) -> None:
    """The places in memory give way to the values, with which the queries move; K comes too."""
    head = act.kept.head
    values = [new.copy().move_to(old) for new, old in zip(q.labels, head.labels)]
    act.move([replace(*pair) for pair in zip(head.labels, values)],
             act.kept.trail.give("K", k.boxes), pace=EASY)
    act.move(ReplacementTransform(head.boxes, q.boxes),
             [ReplacementTransform(*pair) for pair in zip(values, q.labels)], k.labels, k_name,
             pace=SLOW)
    act.remove(*head.get_family(), *values)
