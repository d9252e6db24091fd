"""Act 03, first part: from a prompt to one row of logits."""

import numpy as np
from manim import DOWN, LEFT, ORIGIN, RIGHT, UP, VGroup
from manim import FadeIn, LaggedStart, Line, Rectangle

from scenes.act03_story import ROWS, Params, tell
from scenes.kit import (
    STAGE,
    Bars,
    Chips,
    Frame,
    Label,
    Node,
    Paragraph,
    Readout,
    Stepper,
    TitleCard,
    arrow,
    mix,
    number,
    paint,
    place,
    px,
    ring,
    visible,
)
from scenes.stage import Act, beat

__all__ = ["Logits", "across"]


def across(x: float, y: float) -> list:
    """A point of the stage: px from its left edge, manim units from the middle of the frame."""
    return [STAGE.left + px(x), y, 0]


class Logits(Act):
    number = 3
    Params = Params
    Frame = Frame
    tell = staticmethod(tell)

    @beat(30, 39, header=False)
    def the_question(self):
        texts = self.story.prompt["texts"]
        chips = Chips(texts[-7:], "k", "q", 1500, 34, 68)
        before = [number("…", 34, "muted")] if len(texts) > 7 else []
        motif = VGroup(*before, chips, place(96, 68, "focus")).arrange(RIGHT, buff=px(8))
        other = "en" if self.language == "zh" else "zh"
        card = TitleCard(self.frame.act_line, self.beat.title[self.language],
                         self.beat.title[other], motif)
        self.add(card.act)
        card.shift(UP * px(90))
        self.move(30, card.rise())
        self.next_line()
        self._three_ways(card.get_left()[0])

    @beat(40, 46, anchors="engine/llm_engine.py:49",
          steps=lambda story: range(1, len(story.steps) + 1))
    def read_once(self):
        story, known = self.story, self.story.facts["known"]
        prompt = Chips(story.texts[:known], "k", "q", 1780, 36, 84)
        answer = Chips(story.texts[known:], "k", "q", 1780, 36, 84)
        lines = VGroup(prompt, answer).arrange(DOWN, buff=px(130), aligned_edge=LEFT)
        lines.move_to([STAGE.left, STAGE.center[1] + px(50), 0], LEFT)
        for key, chips in (("prompt", prompt), ("written", answer)):
            chips.caption = Label(self.label(key), 28, "muted").next_to(chips, UP, buff=px(30))
            chips.caption.align_to(chips, LEFT)
        stepper = Stepper(self.label("step"))
        stepper.move_to([STAGE.left, STAGE.bottom + px(60), 0], LEFT)
        read = Readout(self.label("reads", n=known), 34, "focus", "medium")
        read.next_to(stepper, RIGHT, buff=px(60)).align_to(stepper.chips["prefill"], DOWN)
        read.shift(UP * px(18))
        legend = Label(self.label("legend"), 28, "muted")
        legend.move_to([STAGE.right, read.get_y(), 0], RIGHT)
        self.move(18, FadeIn(prompt), FadeIn(prompt.caption), FadeIn(stepper), FadeIn(legend))
        self.move(18, *prompt.to("s" * known), *stepper.show(1, "prefill"), FadeIn(read))
        self.rest(15)
        self.move(18, *prompt.to("c" * known), FadeIn(answer.caption), FadeIn(answer[0]))
        self.next_line()
        for k in range(1, len(answer)):
            self.move(10, *answer[k - 1].to("s"), *stepper.show(k + 1, "decode"),
                      *read.to(self.label("reads_one"), "focus"))
            self.move(12, *answer[k - 1].to("c"), FadeIn(answer[k], shift=RIGHT * px(20)))

    def _three_ways(self, left):
        """Concept, source, run: every act offers all three."""
        cards = VGroup(*(self._way(key, role) for key, role in
                         (("concept", "q"), ("source", "k"), ("run", "v"))))
        cards.arrange(RIGHT, buff=px(38)).move_to([left, STAGE.bottom + px(100), 0], LEFT)
        self.move(45, LaggedStart(*(FadeIn(c, shift=UP * px(14)) for c in cards), lag_ratio=0.5))

    def _way(self, key, role):
        """One of the three ways: what it is, and where it is found."""
        card = Node(self.label(key), self.label(key + "_note"), role, 520, 196, size=36)
        card[1].shift(UP * px(32))
        where = number(self.label(key + "_at"), 28).move_to(card.box.get_bottom())
        return VGroup(card, where.shift(UP * px(42)).set_z_index(1))

    @beat(36, 40, 40, anchors="layers/embed_head.py:59", steps=(1,))
    def only_the_last_row(self):
        story, hidden = self.story, self.story.facts["hidden"]
        texts = story.prompt["texts"][-12:]
        rows, following = self._rows(texts, min(46, 560 / len(texts)))
        size = number(f"{story.shape('final norm')}", 30).next_to(rows, DOWN, buff=px(30))
        size.set_x(rows[0][1].get_x())
        self.move(30, LaggedStart(*(FadeIn(row, shift=RIGHT * px(16)) for row in rows),
                                  lag_ratio=0.08), FadeIn(size))
        self.next_line()
        head_ = Label(self.label("next_token"), 28, "muted").next_to(following, UP, buff=px(24))
        self.move(24, FadeIn(head_), LaggedStart(*(FadeIn(t, shift=RIGHT * px(16))
                                                   for t in following), lag_ratio=0.08))
        self.move(15, FadeIn(self._kept(rows)))
        self.move(15, FadeIn(ring(rows[-1][1], buff=4)),
                  *(row[1].animate.set_opacity(0.3) for row in rows[:-1]))
        taken = rows[-1][1].copy().set_z_index(1)
        y = taken.get_y()
        head = Node("LM head", "", "muted", 250, 110).move_to(across(1335, y))
        way = arrow(across(1125, y), head.get_left(), "focus")
        one = number(f"[1, {hidden}]", 30, "focus").move_to(across(960, y + px(50)))
        self.move(30, taken.animate.move_to(across(960, y)))
        self.move(12, FadeIn(one), FadeIn(head), FadeIn(way))
        self.next_line()
        column, names = self._in_order(y)
        out = arrow(head.get_right(), across(1572, y), "focus")
        self.move(18, taken.copy().animate.move_to(head).scale(0.3).set_opacity(0), head.light())
        self.move(24, FadeIn(out), FadeIn(column, shift=RIGHT * px(30)), FadeIn(names),
                  head.calm())

    def _kept(self, rows):
        """Why the rows above are computed at all: a bracket over them, and what they leave."""
        group = VGroup(*(row[1] for row in rows[:-1]))
        x = STAGE.left + px(800)
        bracket = Line([x, group.get_top()[1], 0], [x, group.get_bottom()[1], 0], stroke_width=4,
                       color=paint("k"))
        note = Paragraph(self.label("leave_kv"), 34, "ink", 960, weight="medium")
        y = max(group.get_y(), rows[-1].get_y() + px(240))
        return VGroup(bracket, note.move_to([x + px(40), y, 0], LEFT))

    def _in_order(self, y):
        """The recorded logits in the order of the vocabulary: a column of thin bars, its names."""
        order = np.argsort(self.story.steps[0]["top_ids"])
        column = Bars([], [self.story.logits[k] for k in order], roles="muted", length=210,
                      thickness=2.6, pitch=3.6).move_to(across(1687, y))
        shape = number(f"{self.story.shape('logits')}", 30, "focus").next_to(column, UP, px(26))
        note = Label(self.label("by_id"), 26, "muted").next_to(shape, UP, buff=px(24))
        note.move_to([STAGE.right, note.get_y(), 0], RIGHT)
        return column, VGroup(shape, note)

    def _rows(self, texts, pitch):
        """One hidden vector a position, and the token that follows; at last an empty place."""
        rows, following = VGroup(), VGroup()
        for k, token in enumerate(texts):
            y = [STAGE.left + px(210), STAGE.center[1] + px(20 + pitch * (len(texts) / 2 - k)), 0]
            box = Rectangle(width=px(330), height=px(pitch * 0.72), stroke_width=2,
                            stroke_color=paint("q"), fill_color=mix("q", 0.3), fill_opacity=1)
            box.move_to(y, LEFT)
            name = number(visible(token), 28).next_to(box, LEFT, buff=px(20))
            rows.add(VGroup(name, box))
            known = k + 1 < len(texts)
            after = (number(visible(texts[k + 1]), 28, "muted") if known
                     else place(84, pitch * 0.72, "focus"))
            following.add(after.next_to(box, RIGHT, buff=px(50)))
        return rows, following

    @beat(40, 40, anchors="layers/embed_head.py:56", steps=(1,))
    def the_logits(self):
        story = self.story
        names = [visible(t) for t in story.tokens[:ROWS]]
        logits = story.logits[:ROWS]
        roles = ["q", "k"] + ["muted"] * (ROWS - 2)
        chart = Bars(names, [0] * ROWS, roles="muted", length=1080, thickness=38, pitch=60,
                     full=max(logits), size=30)
        chart.move_to([STAGE.left, STAGE.center[1] + px(14), 0], LEFT)
        chart.shift(RIGHT * px(260) + RIGHT * (STAGE.left - chart.axis.get_x()))
        note = Label(self.label("tokens_more"), 28, "muted").next_to(chart, DOWN, buff=px(30))
        note.align_to(chart.axis, LEFT)
        self.move(12, FadeIn(chart.axis), FadeIn(chart.names))
        self.add(chart)
        self.move(36, *chart.to(logits, [story.logit(k) for k in range(ROWS)]), FadeIn(note))
        self.next_line()
        self.move(15, *chart.repaint(roles))
        lead = chart.bars[0].get_right()[0] - chart.bars[1].get_right()[0]
        span = Line(ORIGIN, RIGHT * lead, stroke_width=6, color=paint("focus"))
        span.next_to(chart.bars[0], DOWN, buff=px(8)).align_to(chart.bars[0], RIGHT)
        ahead = Label(self.label("ahead"), 34, "focus", "medium")
        ahead.next_to(chart.figures[0], RIGHT, buff=px(50))
        self.move(18, FadeIn(span), FadeIn(ahead))
