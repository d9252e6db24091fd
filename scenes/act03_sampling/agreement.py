"""Act 03, fourth part: ten thousand races, and the engine's own draws, against p."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, VGroup

from scenes.act03_contest import LANES, RACES, figures, gap, spread
from scenes.act03_heat import computed
from scenes.act03_logits import across
from scenes.act03_race import Racing
from scenes.kit import STAGE, Bars, Label, Readout, number, px, ring, visible
from scenes.lessons.rounding import shown, text
from scenes.stage import beat

__all__ = ["Counting"]

COLUMNS = (960, 1230, 1510, 1776)  # px: right edges of p, our races, chance, the engine's draws


class Counting(Racing):
    """Who wins how often: races and recorded draws agree with p."""

    @beat(60, 45, anchors="layers/sampler.py:11", source=computed)
    def ten_thousand_races(self):
        story = self.story
        self.compared = [self._bars(k, role) for k, role in enumerate(("q", "focus", "v"))]
        heads = [number("p", 30, "q", "bold"),
                 Readout(self.label("shares", n=10), 30, "focus", anchor=RIGHT)]
        self.heads = [self._over(head, k) for k, head in enumerate(heads)]
        p = [float(x) for x in story.contest.field]
        self.columns = [self._column(0, story.contest.speeds)]
        self.move(24, FadeIn(self.compared[0].names), FadeIn(heads[0]),
                  *self.compared[0].to(p), *map(FadeIn, self.columns[0]))
        for n, shares in story.contest.shares:
            row = [text(shown(x, 4)) for x in shares]
            if len(self.columns) == 1:
                self.columns.append(self._column(1, row))
                moves = [FadeIn(heads[1]), *map(FadeIn, self.columns[1])]
            else:
                moves = [*heads[1].to(self.label("shares", n=f"{n:,}")),
                         *self._change(1, row)]
            self.move(18, *self.compared[1].to([float(x) for x in shares]), *moves)
            self.rest(18)
        self.next_line()
        _, whose = gap(story.contest.shares[-1][1], story.contest.field)
        self.widest = ring(VGroup(*(column[whose] for column in self.columns)), buff=8)
        self.move(15, FadeIn(self.widest))
        self.columns.append(self._column(2, spread(story.contest.field, RACES), "± "))
        self.heads.append(self._over(Label(self.label("by_chance"), 28, "muted"), 2))
        self.note = self._binomial(f"{RACES:,}")
        self.move(18, FadeIn(self.heads[2]), *map(FadeIn, self.columns[2]), FadeIn(self.note))

    def _binomial(self, draws):
        """The rule behind the column: the standard deviation of a share."""
        note = Label(self.label("binomial", n=draws), 28, "muted")
        return note.move_to(across(0, STAGE.bottom + px(20)), LEFT)

    @beat(40, anchors="layers/sampler.py:11", source=lambda story: story.recorded, keep=True)
    def the_engine_agrees(self):
        """Draws were recorded at few temperatures: p is shown at the nearest of them."""
        drawn, p = self.story.engine, self.story.runners(self.story.engine.temperature)
        note, gone = self._binomial(f"{drawn.inside:,}"), []
        if drawn.temperature != self.story.params.temperature:
            gone = [self.heads[1], self.compared[1], *self.columns[1]]
            at = self._over(number(self.label("p_at"), 30, "q", "bold"), 0)
            gone.append(self.heads[0])
            self.move(15, FadeOut(self.widest), *map(FadeOut, gone), FadeIn(at),
                      *self.compared[0].to([float(x) for x in p]),
                      *self._change(0, figures(p)))
        else:
            self.move(15, FadeOut(self.widest))
        head = self._over(number(self.label("engine_draws"), 30, "v", "semibold"), 3)
        column = self._column(3, [text(shown(x, 4)) for x in drawn.shares])
        chance = ["± " + s for s in spread(p, drawn.inside)]
        self.move(9, FadeOut(self.note))
        self.move(30, FadeIn(head), *map(FadeIn, column), FadeIn(note), *self._change(2, chance),
                  *self.compared[2].to([float(x) for x in drawn.shares]))
        _, whose = gap(drawn.shares, p)
        self.move(15, FadeIn(ring(VGroup(self.columns[0][whose], column[whose]), buff=8)))

    def _bars(self, k, role):
        """The k-th bar of every runner: p, our races, the engine's draws."""
        names = [*map(visible, self.story.tokens[:LANES]),
                 self.label("others_row", n=self.story.facts["rest"])]
        full = 1.12 * max(*self.story.contest.field, *self.story.engine.shares)
        chart = Bars(names if k == 0 else [], [0] * len(names), roles=role, length=560,
                     thickness=18, pitch=72, full=full)
        chart.shift(across(250, STAGE.top - px(84 + 20 * k)) - chart.at(0))
        chart.axis.set_opacity(0)
        chart.names.shift(DOWN * px(21))
        return chart

    def _over(self, head, column):
        return head.move_to(across(COLUMNS[column], STAGE.top - px(24)), RIGHT)

    def _column(self, column, figures, sign=""):
        """One figure a row, flush right; each can change."""
        rows = self.compared[1]
        return [Readout(sign + figure, 30, "ink", "regular", RIGHT)
                .move_to(across(COLUMNS[column], rows.at(k)[1]), RIGHT)
                for k, figure in enumerate(figures)]

    def _change(self, column, figures):
        return [move for readout, figure in zip(self.columns[column], figures)
                for move in readout.to(figure)]
