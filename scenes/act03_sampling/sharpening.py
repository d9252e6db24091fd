"""Act 03, second part: temperature, and what cuts the tail."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Line, Rectangle, VGroup

from scenes.act03_contest import LANES, figures
from scenes.act03_logits import Logits, across
from scenes.act03_story import ROWS
from scenes.kit import (
    STAGE,
    Bars,
    Formula,
    Label,
    Node,
    Paragraph,
    number,
    paint,
    px,
    visible,
)
from scenes.stage import beat

__all__ = ["Heated", "computed"]


def computed(story):
    return story.computed


class Heated(Logits):
    """One row of logits at three temperatures; greedy, top-k and top-p."""

    @beat(40, 40, 45, anchors="layers/sampler.py:9", source=computed)
    def temperature(self):
        story, heats = self.story, self.story.heats
        values = [[float(p) for p in story.runners(heat.temperature)] for heat in heats]
        most = max(max(row) for row in values)
        names = VGroup(*(number(visible(t), 30) for t in story.tokens[:LANES]),
                       number(self.label("others_row", n=story.facts["rest"]), 30, "muted"))
        logits = VGroup(*(number(story.logit(k), 30, "muted")
                          for k in range(LANES)))
        roles = ["q", "k"] + ["muted"] * (LANES - 1)
        charts = [Bars([], [0] * (LANES + 1), roles=roles, length=290, thickness=36, pitch=50,
                       full=most) for _ in heats]
        top = STAGE.top - px(104)
        for chart, x in zip(charts, (480, 930, 1380)):
            chart.shift(across(x, top) - chart.at(0))
        for column, x in ((names, 230), (logits, 390)):
            for k, figure in enumerate(column):
                figure.move_to(across(x, charts[0].at(k)[1]), RIGHT)
        heads = VGroup(Label(self.label("logit"), 28, "muted"),
                       *(number(self.label("at", t=f"{heat.temperature:g}"), 34, "ink", "semibold")
                         for heat in heats))
        heads[0].move_to(across(390, top + px(66)), RIGHT)
        for head, chart in zip(heads[1:], charts):
            head.move_to(chart.at(0) + UP * px(66), LEFT)
        note = Paragraph(self.label("left_out"), 26, "muted", 1790)
        note.move_to(across(0, STAGE.bottom + px(14)), LEFT)
        self.rule = Formula('p = e^("logit" \\/ T) / (sum e^("logit" \\/ T))', 56)
        self.rule.move_to(across(0, STAGE.bottom + px(94)), LEFT)
        self.move(18, FadeIn(names), FadeIn(logits), FadeIn(heads[0]), FadeIn(note))
        self.move(15, FadeIn(self.rule))
        texts = [figures(row) for row in values]
        self.add(charts[1])
        self.move(30, FadeIn(heads[2]), *charts[1].to(values[1], texts[1]))
        self.next_line()
        for k in (0, 2):  # from the lengths at the middle T; name and figures are those of its own
            self.add(charts[k])
            self.move(12, *charts[k].to(values[1]))
            self.move(24, FadeIn(heads[k + 1]), *charts[k].to(values[k], texts[k]))
        self.next_line()
        self._second_best(charts)

    def _second_best(self, charts):
        """A band over the second row, and how often it comes for each hundred of the best."""
        band = Rectangle(width=STAGE.width, height=px(48), stroke_width=2.5,
                         stroke_color=paint("focus"), fill_opacity=0)
        band.move_to([0, charts[0].at(1)[1], 0])
        low = charts[0].at(LANES)[1] - px(70)
        ratio = Formula(f'"100" times e^(-{self.story.lead} \\/ T) approx', 50, "k")
        ratio.move_to(across(446, low), RIGHT)
        rows = VGroup()
        for chart, key in zip(charts, ("r0", "r1", "r2")):
            line = VGroup(number(f"{self.story.facts[key]}", 40, "k", "bold"),
                          Label(self.label("per_hundred"), 28, "muted"))
            line.arrange(RIGHT, buff=px(16), aligned_edge=DOWN)
            rows.add(line.move_to([chart.at(0)[0], low, 0], LEFT))
        self.move(15, FadeIn(band))
        self.move(15, FadeIn(ratio))
        for row in rows:
            self.move(12, FadeIn(row, shift=UP * px(12)))

    @beat(40, 50, 40, anchors="sampling_params.py:11", source=computed)
    def the_cut(self):
        story = self.story
        p = [float(x) for x in story.p[:ROWS]]
        rest, (shares, sums) = max(1 - sum(p), 0), story.running
        names = [*map(visible, story.tokens[:ROWS]),
                 self.label("others_row", n=len(story.p) - ROWS)]
        chart = Bars(names, [*p, rest], shares, "q", length=470,
                     thickness=36, pitch=56, size=28)
        chart.shift(across(262, STAGE.top - px(96)) - chart.at(0))
        self.move(24, FadeIn(chart))
        rules = [("greedy", "kept_one", {}),
                 ("top_k", "kept", {"n": story.top_k.count, "mass": story.facts["k_mass"]}),
                 ("top_p", "kept", {"n": story.top_p.count, "mass": story.facts["p_mass"]})]
        cards = VGroup(*(Node(self.label(key), self.label(note, **facts), "muted", 560, 128)
                         for key, note, facts in rules))
        own = Node(self.label("engine_rule"), self.label("engine_only"), "v", 560, 128)
        VGroup(*cards, own).arrange(DOWN, buff=px(26)).move_to(
            [STAGE.right, STAGE.center[1] + px(14), 0], RIGHT)
        self.cutter = VGroup()
        self._cut(chart, cards[0], 1)
        self.next_line()
        self.move(6, cards[0].calm())
        self._cut(chart, cards[1], story.top_k.count)
        self.rest(9)
        sums = VGroup(*(number(x, 28, "muted") for x in sums))
        for k, figure in enumerate(sums):
            figure.move_to(across(1010, chart.at(k)[1]), RIGHT)
        head = Label(self.label("running"), 26, "muted").next_to(sums[0], UP, buff=px(26))
        head.align_to(sums, RIGHT)
        self.move(24, cards[1].calm(), FadeIn(head),
                  LaggedStart(*(FadeIn(s, shift=DOWN * px(10)) for s in sums), lag_ratio=0.15))
        self._cut(chart, cards[2], story.top_p.count, (1 - story.top_p.mass) / (rest or 1))
        self.next_line()
        self.move(18, cards[2].calm(), FadeOut(self.cutter), *chart.repaint(["q"] * (ROWS + 1)))
        self.move(18, FadeIn(own, shift=UP * px(14)))

    def _cut(self, chart, card, kept, lost=0):
        """The line moves under the last token kept; what is below it loses its colour.

        `lost`: the share of the last row, which stands for many tokens, that is cut.
        """
        rows = min(kept, ROWS + 1)
        roles = ["q"] * rows + ["muted"] * (ROWS + 1 - rows)
        y = chart.at(rows - 1)[1] - px(chart.pitch / 2)
        line = Line(across(0, y), across(1030, y), stroke_width=5, color=paint("focus"))
        if kept > ROWS:
            bar = chart.bars[ROWS]
            line.add(Rectangle(width=max(bar.width * lost, px(1)), height=bar.height,
                               stroke_width=0, fill_color=paint("muted"), fill_opacity=1)
                     .move_to(bar, RIGHT))
        old, self.cutter = self.cutter, line
        self.move(18, *([FadeOut(old)] if len(old.points) else []),
                  FadeIn(line, shift=DOWN * px(30)), FadeIn(card), *chart.repaint(roles))
        self.move(9, card.light())
