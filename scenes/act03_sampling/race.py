"""The exponential race: how the engine samples a token, once and once more."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act03_sampling.story import LANES
from scenes.kit import (BODY, LEAD, NOTE, STAGE, Area, Column, Formula, Label, Race, Readout, Stack,
                        gather, number, px, ring)
from scenes.lessons import sampling
from scenes.lessons.contest import arrival
from scenes.lessons.rounding import shown, text
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["not_argmax", "the_race"]

ROLES = ["q", "k"] + ["muted"] * (LANES - 1)


@beat("layers/sampler.py:11", source="computed", least={1: 48})
def the_race(act: Act) -> None:
    contest, favourite = act.story.contest, act.story.contest.favourite
    # A lane each token, at speed p; the others run as one.
    race = Race([*act.story.lanes, act.label("others_row", n=act.story.facts["rest"])],
                [0] * len(ROLES), contest.limit, ROLES, length=860, pitch=58)
    race.stand(STAGE.at(500, -84, UP + LEFT)).names.shift(LEFT * px(200))
    speeds = Column(race, contest.speeds, -76, 28)
    speed, distance, arrives, as_one = (
        Label(act.label(key), NOTE) for key in ("speed", "distance", "arrives", "as_one"))
    speeds.flush(as_one, row=LANES, above=-44)
    which = Readout(act.label("race", n=act.story.facts["race"]), 30, "focus")
    which.move_to(STAGE.at(0, -24, UP + LEFT), LEFT)
    act.keep(race=race, speeds=speeds, which=which, headings=[speed, distance, arrives, as_one])
    act.move(race, speeds, speeds.flush(speed, above=60), which, as_one, pace=EASY)
    # Each distance is drawn: short is common, long is rare.
    curve = _density(act, race)
    act.move(curve, distance.move_to(race.at(0) + UP * px(60), LEFT), pace=SLOW)
    _draw(act, favourite)
    # The favourite's arrival is worked out under the lanes, the others' follow.
    act.next_line()
    times = _arrivals(act, favourite)
    times.flush(arrives, above=60)
    worked = _worked(act, favourite, 0).move_to(STAGE.at(0, 52, DOWN))
    pair = [act.kept.lengths[0], speeds[0]]
    pointers = VGroup(*(ring(figure, buff=8) for figure in pair))
    act.move(pointers, FadeOut(curve), arrives, pace=BRISK)
    act.move(gather(pair, worked), pace=SLOW)
    act.rest(12)
    act.move(FadeOut(pointers), gather([worked], times[0]), pace=EASY)
    act.move(LaggedStart(*(FadeIn(t, shift=RIGHT * px(12)) for t in times[1:]), lag_ratio=0.2),
             pace=SLOW)
    # So p is a rate; rates add; each one's part of the sum is its chance to be first.
    act.next_line()
    bar, add, so, why = rates = _rates(act, race)
    act.keep(rates=rates)
    act.move(FadeOut(worked), pace=BRISK)
    act.move(why, pace=EASY)
    act.next_line()
    act.move(gather(speeds, bar), add, pace=30)
    act.move(so)
    act.next_line()
    _run(act, favourite)


def _density(act: Act, race: Race) -> VGroup:
    """The curve e^(−x) under the lanes, on their scale: how likely each distance is."""
    distances, base = np.linspace(0, race.limit, 40), STAGE.bottom + px(34)
    area = Area([race.at(0, x)[0] for x in distances], px(128) * np.exp(-distances), base)
    short, long = (Label(act.label(key), 28, weight="medium") for key in ("short", "long"))
    short.move_to([race.at(0, 0.36 * race.limit / 2.6)[0], base + px(128) - px(12), 0], LEFT)
    long.move_to([race.at(0, race.limit)[0], base + px(70), 0], RIGHT)
    name = Formula("e^(-x)", 72, "e").move_to(STAGE.at(464, 98, DOWN + LEFT), RIGHT)
    return VGroup(area, short, long, name)


def _rates(act: Act, race: Race) -> VGroup:
    """All rates laid end to end: [the bar, "rates add", what follows, why p is a rate]."""
    bar = Stack(act.story.contest.field, ROLES, race.length)
    bar.move_to(STAGE.at(500, 82, DOWN + LEFT), LEFT)
    add = Label(act.label("rates"), BODY, weight="medium")
    add.move_to(STAGE.at(464, 82, DOWN + LEFT), RIGHT)
    so = Label(act.label("to_be_first"), LEAD, "focus")
    so.move_to(STAGE.at(500, 22, DOWN + LEFT), LEFT)
    why = VGroup(Formula("P(x \\/ p > t) = P(x > p dot t) = e^(-p dot t)", 44),
                 Label(act.label("rate_p"), BODY, weight="medium")).arrange(RIGHT, buff=px(40))
    return VGroup(bar, add, so, why.move_to(STAGE.at(500, 154, DOWN + LEFT), LEFT))


def _draw(act: Act, drawn: sampling.Race) -> None:
    """New distances: the tracks grow to them, the runners wait at the start."""
    race = act.kept.race
    act.move(race.reset(list(map(float, drawn.exponentials))), pace=SLOW)
    act.keep(lengths=race.measure([text(shown(e, 3)) for e in drawn.exponentials]))
    act.move(act.kept.lengths, pace=BRISK)


def _arrivals(act: Act, drawn: sampling.Race) -> Column:
    times = map(arrival, act.story.contest.arrivals(drawn))
    act.keep(times=Column(act.kept.race, list(times), 1276))
    return act.kept.times


def _worked(act: Act, drawn: sampling.Race, lane: int) -> VGroup:
    """A runner's arrival, spelled out: "␣mad 0.066 / 0.091 ≈ 0.73"."""
    contest, role = act.story.contest, ROLES[lane]
    distance, time = text(shown(drawn.exponentials[lane], 3)), contest.arrivals(drawn)[lane]
    return VGroup(number(act.kept.race.names[lane].text, 34, "ink" if role == "muted" else role,
                         "semibold"),
                  number(f"{distance} / {contest.speeds[lane]} ≈ {arrival(time)}", 34)
                  ).arrange(RIGHT, buff=px(30))


def _run(act: Act, drawn: sampling.Race) -> None:
    """All runners start; the clock stops when the first one is home."""
    kept, lane = act.kept, drawn.winner
    act.move(kept.race.run(list(map(float, act.story.contest.field)), float(drawn.times[lane])),
             pace=66)
    won = Label(act.label("wins"), BODY, "focus", "semibold")
    won.next_to(kept.lengths[lane], RIGHT, buff=px(30))
    act.keep(won=VGroup(ring(kept.times[lane], buff=10), won))
    act.move(kept.won, pace=BRISK)


@beat("layers/sampler.py:11", source="computed", variant="outcome", least={1: 36, 2: 45},
      carries="race speeds which headings lengths times rates won")
def not_argmax(act: Act) -> None:
    kept, drawn = act.kept, act.story.contest.second
    # The same speeds, new distances.
    act.move(map(FadeOut, (kept.won, kept.lengths, kept.times, kept.rates)),
             kept.which.to(act.label("race", n=f"{act.story.contest.second_index + 1:,}")),
             pace=BRISK)
    _draw(act, drawn)
    act.move(_arrivals(act, drawn))
    act.next_line()
    _run(act, drawn)
    # The largest p did not win: both arrivals side by side.
    act.next_line()
    pointer = ring(kept.speeds[0], "q", buff=8)
    before = kept.lengths[0] if drawn.winner else kept.won[1]
    most = Label(act.label("argmax"), NOTE, "q", "semibold")
    most.move_to([before.get_right()[0] + px(30), kept.race.at(0)[1], 0], LEFT)
    sums = [_worked(act, drawn, drawn.winner)]
    if drawn.winner:
        sums += [number("<", 34, "focus", "bold"), _worked(act, drawn, 0)]
    line = VGroup(*sums).arrange(RIGHT, buff=px(50)).move_to(STAGE.at(0, 52, DOWN))
    act.move(pointer, most, FadeIn(line, shift=UP * px(12)), pace=EASY)
