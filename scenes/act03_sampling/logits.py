"""From the last position's hidden vector to a logit for every token of the vocabulary."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Line, Rectangle,
                   ReplacementTransform, VGroup)

from scenes.act03_sampling.rows import FOOT, PITCH, ROLES, lower, name_rows, row_bars
from scenes.act03_sampling.story import ROWS
from scenes.kit import (LEAD, NOTE, STAGE, KVCell, Label, Node, Slot, arrow, mix, number, paint, px,
                        ring)
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["only_the_last_row", "the_logits"]

_LOW = 716  # px under the stage's top: where the columns of all logits stand


@beat("layers/embed_head.py:59", steps=(1,), carries="prompt hole", least={3: 34, 4: 46})
def only_the_last_row(act: Act) -> None:
    journey, prompt, hole = act.story.journey, act.kept.prompt, act.kept.hole
    # Under every token the vector that its position holds.
    bars = VGroup(*(_vector(chip) for chip in prompt))
    *earlier, last = bars
    size = number(journey.shape("final norm"), 30, "muted").next_to(bars, RIGHT, buff=px(150))
    # Where the last one will go stands there from the start.
    head = Node(act.label("lm_head"), "", "muted", 250, 84).move_to(
        [last.get_x(), lower(440)[1], 0])
    floor = Line(lower(_LOW), lower(_LOW, STAGE.width / px(1)), color=mix("muted", 0.5))
    act.move(hole, head, floor, pace=QUICK)
    act.cue("vectors")
    act.move(LaggedStart(*(FadeIn(bar, shift=UP * px(16)) for bar in bars), lag_ratio=0.08), size,
             pace=54)
    # What each could predict is known, but for the last.
    act.cue("predict")
    ways = [arrow(bar.get_top(), goal.get_bottom(), buff=4)
            for bar, goal in zip(bars, [*prompt[1:], hole])]
    act.move(LaggedStart(*map(FadeIn, ways[:-1]), lag_ratio=0.1), pace=32)
    act.cue("open")
    act.move(FadeIn(arrow(last.get_top(), hole.get_bottom(), "focus", 4)), ring(last, buff=4))
    # All leave K and V; the earlier vectors are done.
    act.cue("kv")
    cells = VGroup(*(KVCell(Slot.CACHED, 48).next_to(bar, DOWN, buff=px(16)) for bar in bars))
    note = Label(act.label("leaves"), NOTE, "ink").next_to(cells, RIGHT, buff=px(60))
    act.move(LaggedStart(*(FadeIn(cell, shift=DOWN * px(40)) for cell in cells), lag_ratio=0.06),
             [bar.animate.set_opacity(0.25) for bar in earlier], note, pace=60)
    _project(act, last, head)


def _vector(chip: VGroup) -> Rectangle:
    bar = Rectangle(width=px(36), height=px(170), stroke_width=2.5, stroke_color=paint("muted"),
                    fill_color=mix("muted", 0.4), fill_opacity=1)
    return bar.next_to(chip, DOWN, buff=px(56))


def _project(act: Act, last: Rectangle, head: Node) -> None:
    """The last vector alone goes to the LM head; a logit for each token comes out of it."""
    story = act.story
    one = number(f"[1, {story.facts['hidden']}]", 30, "muted").next_to(head, LEFT, buff=px(40))
    taken = last.copy().set_z_index(2)
    act.cue("head")
    act.move(taken.animate.scale(0.3).move_to(head.get_top()), one, pace=SLOW)
    act.move(head.light(), FadeOut(taken), pace=BRISK)
    columns = _by_id(act)
    shape = number(story.journey.shape("logits"), 30, "muted").next_to(head, RIGHT, buff=px(40))
    note = Label(act.label("by_id"), NOTE).move_to(lower(520), LEFT)
    out = arrow(head.get_bottom(), [head.get_x(), lower(540)[1], 0], "muted", 4)
    act.cue("logits")
    act.move(LaggedStart(*(FadeIn(c, target_position=head) for c in columns), lag_ratio=0.01),
             shape, note, out, head.calm(), pace=SLOW)
    act.keep(columns=columns)


def _by_id(act: Act) -> VGroup:
    """The recorded logits in the order of the vocabulary, as columns over the stage's width."""
    story = act.story
    order, best = np.argsort(story.journey.steps[0]["top_ids"]), max(story.logits)
    step = STAGE.width / len(order)
    columns = VGroup(*(Rectangle(width=step * 0.7, height=max(px(150) * logit / best, px(3)),
                                 stroke_width=0, fill_color=paint("muted"), fill_opacity=1)
                       for logit in story.logits))
    for at, k in enumerate(order):
        columns[k].move_to(lower(_LOW) + RIGHT * step * (at + 0.5), DOWN)
    return columns


@beat("layers/embed_head.py:61", steps=(1,), carries="prompt hole columns", least={1: 48})
def the_logits(act: Act) -> None:
    story, columns = act.story, act.kept.columns
    best, others = columns[:ROWS], columns[ROWS:]
    # The best ten stand out, and are sorted into rows.
    act.move([column.animate.set_fill(paint(role)) for column, role in zip(
        best, [*ROLES[:2], *["ink"] * ROWS])], others.animate.set_opacity(0.4), pace=SLOW)
    act.cue("sort")
    logits, names = story.logits[:ROWS], name_rows(story.tokens[:ROWS])
    chart = row_bars(logits, 1180)
    note = Label(act.label("tokens_more"), NOTE).move_to(
        lower(PITCH * ROWS - FOOT[1] + 10, FOOT[0]), LEFT)
    flying = (ReplacementTransform(column, bar) for column, bar in zip(best, chart.bars))
    act.move(FadeOut(others), LaggedStart(*flying, lag_ratio=0.1), pace=36)
    act.add(chart)
    act.move(chart.axis, names, note, pace=EASY)
    act.cue("score")
    act.move(chart.to(logits, [story.logit(k) for k in range(ROWS)]), pace=SLOW)
    # By how much the best one leads.
    act.cue("lead")
    ahead = Label(act.label("ahead"), LEAD, "focus").next_to(chart.figures[0], RIGHT, buff=px(50))
    act.move(chart.lead(0, 1), ahead, pace=EASY)
    act.keep(names=names, chart=chart)
