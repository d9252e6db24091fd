"""From the last position's hidden vector to a logit for every token of the vocabulary."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Animation, FadeIn, LaggedStart, Line, Rectangle, VGroup

from scenes.act03_sampling.story import ROWS
from scenes.kit import (LEAD, NOTE, SMALL, STAGE, Bars, Label, Node, Paragraph, Positions, arrow,
                        number, paint, place, px, ring, visible)
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["only_the_last_row", "the_logits"]


@beat("layers/embed_head.py:59", steps=(1,))
def only_the_last_row(act: Act) -> None:
    journey, hidden = act.story.journey, act.story.facts["hidden"]
    # After the last layer every position holds a vector.
    texts = list(map(visible, journey.prompt["texts"][-12:]))
    pitch = min(46, 560 / len(texts))
    rows = Positions(texts, pitch).shift(STAGE.at(210, 20 + pitch * len(texts) / 2, LEFT))
    *earlier, last = rows.bars
    size = number(journey.shape("final norm")).next_to(rows, DOWN, buff=px(30)).set_x(last.get_x())
    act.move(_cascade(rows), size, pace=30)
    # What follows is known for all but the last; the others leave K and V, and are done.
    act.next_line()
    following = VGroup(*(number(text, NOTE) for text in texts[1:]),
                       place(84, pitch * 0.72, "focus"))
    for token, bar in zip(following, rows.bars):
        token.next_to(bar, RIGHT, buff=px(50))
    heading = Label(act.label("next_token"), NOTE).next_to(following, UP, buff=px(24))
    act.move(heading, _cascade(following), pace=SLOW)
    act.move(_left_for_later(act, VGroup(*earlier), last))
    act.move(ring(last, buff=4), [bar.animate.set_opacity(0.3) for bar in earlier])
    # The last row alone goes to the LM head.
    low = 20 + pitch * (1 - len(texts) / 2)  # px above the stage's middle
    taken = last.copy().set_z_index(1)
    head = Node("LM head", "", "muted", 250, 110).move_to(STAGE.at(1335, low, LEFT))
    way = arrow(STAGE.at(1125, low, LEFT), head.get_left(), "focus")
    one = number(f"[1, {hidden}]", role="focus").move_to(STAGE.at(960, low + 50, LEFT))
    act.move(taken.animate.move_to(STAGE.at(960, low, LEFT)), pace=30)
    act.move(one, head, way, pace=BRISK)
    # Out comes a logit for each token of the vocabulary.
    act.next_line()
    column, notes = _by_id(act, low)
    out = arrow(head.get_right(), STAGE.at(1572, low, LEFT), "focus")
    act.move(taken.copy().animate.move_to(head).scale(0.3).set_opacity(0), head.light(), pace=EASY)
    act.move(out, FadeIn(column, shift=RIGHT * px(30)), notes, head.calm(), pace=SLOW)


def _cascade(rows: list | VGroup) -> Animation:
    return LaggedStart(*(FadeIn(row, shift=RIGHT * px(16)) for row in rows), lag_ratio=0.08)


def _left_for_later(act: Act, earlier: VGroup, last: Rectangle) -> VGroup:
    """Why the rows above are computed at all: a bracket over them, and what they leave."""
    bracket = Line(earlier.get_corner(UP), earlier.get_corner(DOWN), stroke_width=4,
                   color=paint("k")).set_x(STAGE.left + px(800))
    note = Paragraph(act.label("leave_kv"), 34, width=960, weight="medium")
    y = max(earlier.get_y(), last.get_y() + px(240))
    return VGroup(bracket, note.move_to([STAGE.left + px(840), y, 0], LEFT))


def _by_id(act: Act, low: float) -> tuple[Bars, VGroup]:
    """The recorded logits in the order of the vocabulary: a column of thin bars, its notes."""
    story = act.story
    order = np.argsort(story.journey.steps[0]["top_ids"])
    column = Bars([], [story.logits[k] for k in order], roles="muted", length=210,
                  thickness=2.6, pitch=3.6).move_to(STAGE.at(1687, low, LEFT))
    shape = number(story.journey.shape("logits"), role="focus").next_to(column, UP, px(26))
    note = Label(act.label("by_id"), SMALL).next_to(shape, UP, buff=px(24))
    note.move_to([STAGE.right, note.get_y(), 0], RIGHT)
    return column, VGroup(shape, note)


@beat("layers/embed_head.py:56", steps=(1,), least={1: 40})
def the_logits(act: Act) -> None:
    story = act.story
    # The best rows of the vocabulary, and how many lie below.
    names, logits = [visible(t) for t in story.tokens[:ROWS]], story.logits[:ROWS]
    chart = Bars(names, [0] * ROWS, roles="muted", length=1080, thickness=38, pitch=60,
                 full=max(logits), size=30)
    chart.stand(STAGE.at(260, 14 + 60 * (ROWS - 1) / 2, LEFT))
    note = Label(act.label("tokens_more"), NOTE).next_to(chart, DOWN, buff=px(30))
    note.align_to(chart.axis, LEFT)
    act.move(chart.axis, chart.names, pace=BRISK)
    act.add(chart)
    act.move(chart.to(logits, [story.logit(k) for k in range(ROWS)]), note, pace=36)
    # By how much the best one leads.
    act.next_line()
    act.move(chart.repaint(["q", "k"] + ["muted"] * (ROWS - 2)))
    ahead = Label(act.label("ahead"), LEAD, "focus", "medium")
    ahead.next_to(chart.figures[0], RIGHT, buff=px(50))
    act.move(chart.lead(0, 1), ahead, pace=EASY)
