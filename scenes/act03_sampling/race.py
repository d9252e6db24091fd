"""The exponential race: how the engine samples a token, once and once more."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act03_sampling.story import LANES
from scenes.kit import (BODY, LEAD, NOTE, STAGE, Area, Formula, Label, RaceTable, Stack, gather,
                        number, px, ring)
from scenes.lessons.sampling import Race
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["not_argmax", "the_race"]

ROLES = ["q", "k"] + ["muted"] * (LANES - 1)


@beat("layers/sampler.py:11", source="computed", least={1: 48})
def the_race(act: Act) -> None:
    story, favourite = act.story, act.story.contest.favourite
    # A lane each token, at speed p; the others run as one.
    names = [*story.lanes, act.label("others_row", n=story.facts["rest"])]
    table = RaceTable(names, story.contest.speeds, story.contest.limit,
                      [act.label(key) for key in ("speed", "distance", "arrives")],
                      act.label("race", n=story.facts["race"]), act.label("as_one"), ROLES)
    act.keep(table=table.shift(STAGE.at(500, -84, UP + LEFT)))
    act.move(table, pace=EASY)
    # Each distance is drawn: short is common, long is rare.
    curve = _density(act, table)
    act.move(curve, table.distance_heading(), pace=SLOW)
    _draw(act, favourite)
    act.next_line()
    _work_out(act, favourite, curve)
    # So p is a rate; rates add; a runner's part of their sum is its chance to be first.
    bar, add, so, why = rates = _rates(act)
    act.keep(rates=rates)
    act.move(why, pace=EASY)
    act.next_line()
    act.move(gather(table.speeds.figures, bar), add, pace=30)
    act.move(so)
    act.next_line()
    _run(act, favourite)


def _density(act: Act, table: RaceTable) -> VGroup:
    """The curve e^(−x) under the lanes, on their scale: how likely each distance is."""
    race, base = table.race, STAGE.bottom + px(34)
    distances = np.linspace(0, race.limit, 40)
    area = Area([race.at(0, x)[0] for x in distances], px(128) * np.exp(-distances), base)
    short, long = (Label(act.label(key), 28, weight="medium") for key in ("short", "long"))
    short.move_to([race.at(0, 0.36 * race.limit / 2.6)[0], base + px(116), 0], LEFT)
    long.move_to([race.at(0, race.limit)[0], base + px(70), 0], RIGHT)
    name = Formula("e^(-x)", 72, "e").move_to(STAGE.at(464, 98, DOWN + LEFT), RIGHT)
    return VGroup(area, short, long, name)


def _draw(act: Act, drawn: Race) -> None:
    """New distances: the tracks grow to them, the runners wait at the start."""
    table = act.kept.table
    act.move(table.race.reset(drawn.exponentials.tolist()), pace=SLOW)
    act.move(table.measure(act.story.contest.figures(drawn)), pace=BRISK)


def _work_out(act: Act, drawn: Race, curve: VGroup) -> None:
    """The favourite's arrival is worked out under the lanes, the others' follow."""
    table, worked = act.kept.table, _worked(act, drawn, 0).move_to(STAGE.at(0, 52, DOWN))
    pair = [table.distances[0], table.speeds.figures[0]]
    pointers = VGroup(*(ring(figure, buff=8) for figure in pair))
    act.move(pointers, FadeOut(curve), table.arrival_heading(), pace=BRISK)
    act.move(gather(pair, worked), pace=SLOW)
    act.rest(12)
    first, *others = table.arrive(act.story.contest.figures(drawn))
    act.move(FadeOut(pointers), gather([worked], first), pace=EASY)
    act.move(LaggedStart(*(FadeIn(time, shift=RIGHT * px(12)) for time in others), lag_ratio=0.2),
             pace=SLOW)
    act.next_line()
    act.move(FadeOut(worked), pace=BRISK)


def _worked(act: Act, drawn: Race, lane: int) -> VGroup:
    """A runner's arrival, spelled out: "␣mad 0.066 / 0.091 ≈ 0.73"."""
    name = number(act.kept.table.race.names[lane].text, 34, ("q", "k", "ink")[min(lane, 2)],
                  "semibold")
    division = "{} / {} ≈ {}".format(*act.story.contest.figures(drawn)[lane])
    return VGroup(name, number(division, 34)).arrange(RIGHT, buff=px(30))


def _rates(act: Act) -> VGroup:
    """All rates laid end to end: [the bar, "rates add", what follows, why p is a rate]."""
    bar = Stack(act.story.contest.field, ROLES, act.kept.table.race.length)
    add = Label(act.label("rates"), BODY, weight="medium")
    so = Label(act.label("to_be_first"), LEAD, "focus")
    why = VGroup(Formula("P(x \\/ p > t) = P(x > p dot t) = e^(-p dot t)", 44),
                 Label(act.label("rate_p"), BODY, weight="medium")).arrange(RIGHT, buff=px(40))
    for part, x, y, side in ((bar, 500, 82, LEFT), (add, 464, 82, RIGHT), (so, 500, 22, LEFT),
                             (why, 500, 154, LEFT)):
        part.move_to(STAGE.at(x, y, DOWN + LEFT), side)
    return VGroup(bar, add, so, why)


def _run(act: Act, drawn: Race) -> None:
    """All runners start; the clock stops when the first one is home."""
    table, time = act.kept.table, float(drawn.times[drawn.winner])
    act.move(table.race.run(act.story.contest.field.tolist(), time), pace=66)
    act.move(table.win(drawn.winner, act.label("wins")), pace=BRISK)


@beat("layers/sampler.py:11", source="computed", variant="outcome", least={1: 36, 2: 45},
      carries="table rates")
def not_argmax(act: Act) -> None:
    table, contest, drawn = act.kept.table, act.story.contest, act.story.contest.second
    # The same speeds, new distances.
    act.move(table.clear(), FadeOut(act.kept.rates),
             table.title.to(act.label("race", n=f"{contest.second_index + 1:,}")), pace=BRISK)
    _draw(act, drawn)
    act.move(table.arrive(contest.figures(drawn)))
    act.next_line()
    _run(act, drawn)
    # The largest p did not win: both arrivals side by side.
    act.next_line()
    before = table.distances[0] if drawn.winner else table.won[1]
    most = Label(act.label("argmax"), NOTE, "q", "semibold")
    most.move_to([before.get_right()[0] + px(30), table.race.at(0)[1], 0], LEFT)
    sums = VGroup(_worked(act, drawn, drawn.winner))
    if drawn.winner:
        sums.add(number("<", 34, "focus", "bold"), _worked(act, drawn, 0))
    sums.arrange(RIGHT, buff=px(50)).move_to(STAGE.at(0, 52, DOWN))
    act.move(ring(table.speeds.figures[0], "q", buff=8), most, FadeIn(sums, shift=UP * px(12)),
             pace=EASY)
