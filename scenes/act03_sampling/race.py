"""Act 03, third part: the exponential race, once and again."""

import numpy as np
from manim import LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart
from manim import Polygon, Rectangle, VGroup, VMobject

from scenes.act03_contest import LANES, arrival
from scenes.act03_heat import Heated, computed
from scenes.act03_logits import across
from scenes.kit import (
    STAGE,
    Formula,
    Label,
    Race,
    Readout,
    gather,
    mix,
    number,
    paint,
    px,
    ring,
    visible,
)
from scenes.lessons.rounding import shown, text
from scenes.stage import beat

__all__ = ["Racing"]


class Racing(Heated):
    """How the engine samples: the first arrival at x / p."""

    @beat(48, 50, 40, 40, 40, anchors="layers/sampler.py:11", source=computed)
    def the_race(self):
        story = self.story
        names = [*map(visible, story.tokens[:LANES]),
                 self.label("others_row", n=story.facts["rest"])]
        roles = ["q", "k"] + ["muted"] * (LANES - 1)
        self.race = Race(names, [0] * len(names), story.contest.limit, roles, length=860, pitch=58)
        self.race.shift(across(500, STAGE.top - px(84)) - self.race.at(0))
        lanes = [self.race.at(k)[1] for k in range(len(names))]
        self.speeds = VGroup(*(number(p, 28).move_to(across(424, y), RIGHT)
                               for p, y in zip(story.contest.speeds, lanes)))
        self.race.names.shift(LEFT * px(200))
        y = STAGE.top - px(24)
        heads = VGroup(Label(self.label("speed"), 28, "muted").move_to(across(424, y), RIGHT),
                       Label(self.label("distance"), 28, "muted").move_to(across(500, y), LEFT),
                       Label(self.label("arrives"), 28, "muted").move_to(
                           across(1776, y), RIGHT))
        as_one = Label(self.label("as_one"), 28, "muted")
        as_one.move_to(across(424, lanes[-1] - px(44)), RIGHT)
        self.which = Readout(self.label("race", n=story.facts["race"]), 30, "focus")
        self.which.move_to(across(0, y), LEFT)
        self.move(18, FadeIn(self.race), FadeIn(self.speeds), FadeIn(heads[0]),
                  FadeIn(self.which), FadeIn(as_one))
        curve = self._density()
        self.move(24, FadeIn(curve), FadeIn(heads[1]))
        self._draw(story.contest.favourite)
        self.next_line()
        self._times(story.contest.favourite, FadeOut(curve), FadeIn(heads[2]))
        self.next_line()
        self.rates = self._rates()
        self.move(12, FadeOut(self.worked))
        self.move(18, FadeIn(self.rates[3]))
        self.next_line()
        self.move(30, gather(self.speeds, self.rates[0]), FadeIn(self.rates[1]))
        self.move(15, FadeIn(self.rates[2]))
        self.next_line()
        self._run(story.contest.favourite)

    def _density(self):
        """The curve e^(−x) under the lanes, on their scale: how likely each distance is."""
        limit, base = self.story.contest.limit, STAGE.bottom + px(34)
        xs = np.linspace(0, limit, 40)
        points = [[self.race.at(0, x)[0], base + px(128) * np.exp(-x), 0] for x in xs]
        area = Polygon([points[0][0], base, 0], *points, [points[-1][0], base, 0], stroke_width=0,
                       fill_color=mix("e", 0.3), fill_opacity=1)
        line = VMobject(stroke_width=4, stroke_color=paint("e")).set_points_as_corners(points)
        short, long = (Label(self.label(key), 28, "ink", "medium") for key in ("short", "long"))
        short.move_to([self.race.at(0, 0.36 * limit / 2.6)[0], points[0][1] - px(12), 0], LEFT)
        long.move_to([points[-1][0], base + px(70), 0], RIGHT)
        name = Formula("e^(-x)", 72, "e").move_to(across(464, base + px(64)), RIGHT)
        return VGroup(area, line, short, long, name)

    def _rates(self):
        """All rates laid end to end: [the bar, "rates add", what follows, why p is a rate]."""
        y, length = STAGE.bottom + px(82), self.race.length
        bar = VGroup(*(Rectangle(width=px(max(length * float(p), 1)), height=px(40), stroke_width=1,
                                 stroke_color=paint("ground"), fill_color=paint(role),
                                 fill_opacity=1)
                       for p, role in zip(self.story.contest.field, self.race.roles)))
        bar.arrange(RIGHT, buff=0).move_to(across(500, y), LEFT)
        told = Label(self.label("rates"), 30, "ink", "medium").move_to(across(464, y), RIGHT)
        so = Label(self.label("to_be_first"), 34, "focus", "semibold")
        why = VGroup(Formula("P(x \\/ p > t) = P(x > p dot t) = e^(-p dot t)", 44),
                     Label(self.label("rate_p"), 30, "ink", "medium"))
        why.arrange(RIGHT, buff=px(40)).move_to(across(500, y + px(72)), LEFT)
        return VGroup(bar, told, so.move_to(across(500, y - px(60)), LEFT), why)

    def _draw(self, race, *more):
        """New distances: the tracks grow to them, the runners wait at the start."""
        self.move(24, *self.race.reset([float(e) for e in race.exponentials]), *more)
        self.lengths = VGroup(*(number(text(shown(e, 3)), 28).next_to(goal, RIGHT, buff=px(30))
                            for e, goal in zip(race.exponentials, self.race.goals)))
        self.move(12, FadeIn(self.lengths))

    def _times(self, race, *more):
        """x / p of the favourite, worked out under the lanes, then of all the others."""
        self.times = self._arrivals(race)
        self.worked = self._worked(race, 0).move_to([0, STAGE.bottom + px(52), 0])
        pointers = VGroup(ring(self.lengths[0], buff=8), ring(self.speeds[0], buff=8))
        self.move(12, FadeIn(pointers), *more)
        self.move(24, gather([self.lengths[0], self.speeds[0]], self.worked))
        self.rest(12)
        self.move(18, FadeOut(pointers), gather([self.worked], self.times[0]))
        self.move(24, LaggedStart(*(FadeIn(t, shift=RIGHT * px(12)) for t in self.times[1:]),
                                  lag_ratio=0.2))

    def _arrivals(self, race):
        times = self.story.contest.arrivals(race)
        return VGroup(*(number(arrival(t), 30).move_to(across(1776, self.race.at(k)[1]), RIGHT)
                        for k, t in enumerate(times)))

    def _worked(self, race, lane):
        """A runner's arrival, spelled out: "␣mad 0.066 / 0.091 ≈ 0.73"."""
        name = self.race.names[lane].text
        contest, distance = self.story.contest, text(shown(race.exponentials[lane], 3))
        time = arrival(contest.arrivals(race)[lane])
        sum_ = f"{distance} / {contest.speeds[lane]} ≈ {time}"
        role = self.race.roles[lane]
        return VGroup(number(name, 34, "ink" if role == "muted" else role, "semibold"),
                      number(sum_, 34)).arrange(RIGHT, buff=px(30))

    def _run(self, race, frames=66):
        """All runners start; the clock stops when the first one is home."""
        self.move(frames, *self.race.run([float(p) for p in self.story.contest.field],
                                         float(race.times[race.winner])))
        lane = race.winner
        won = Label(self.label("wins"), 30, "focus", "semibold")
        won.next_to(self.lengths[lane], RIGHT, buff=px(30))
        self.won = VGroup(ring(self.times[lane], buff=10), won)
        self.move(12, FadeIn(self.won))

    @beat(36, 45, 40, anchors="layers/sampler.py:11", source=computed, keep=True,
          variant=lambda story: story.contest.outcome)
    def not_argmax(self):
        index, race = self.story.contest.second_index, self.story.contest.second
        self.move(12, *map(FadeOut, (self.won, self.lengths, self.times, self.rates)),
                  *self.which.to(self.label("race", n=f"{index + 1:,}")))
        self._draw(race)
        self.times = self._arrivals(race)
        self.move(15, FadeIn(self.times))
        self.next_line()
        self._run(race)
        self.next_line()
        most = Label(self.label("argmax"), 28, "q", "semibold")
        pointer = ring(self.speeds[0], "q", buff=8)
        spot = self.lengths[0].get_right()[0] + px(30)
        if race.winner == 0:
            spot = self.won[1].get_right()[0] + px(30)
        most.move_to([spot, self.race.at(0)[1], 0], LEFT)
        sums = [self._worked(race, race.winner)]
        if race.winner:
            sums += [number("<", 34, "focus", "bold"), self._worked(race, 0)]
        line = VGroup(*sums).arrange(RIGHT, buff=px(50)).move_to([0, STAGE.bottom + px(52), 0])
        self.move(18, FadeIn(pointer), FadeIn(most), FadeIn(line, shift=UP * px(12)))
