"""Ten thousand races, and the engine's own draws, against p."""

from manim import DOWN, LEFT, RIGHT, UP, FadeOut, VGroup

from scenes.act03_sampling.story import COUNTED, RACES
from scenes.kit import (NOTE, STAGE, Column, GroupedBars, Label, Readout, number, ring)
from scenes.lessons.shares import binomial_error, column, counted, widest_gap
from scenes.stage import EASY, QUICK, SLOW, Act, beat

__all__ = ["ten_thousand_races", "the_engine_agrees"]

P, OURS, CHANCE, ENGINE = 710, 980, 1260, 1526  # px from the bars' beginning to a column's end
HEADING = 80  # px over the first row


@beat("layers/sampler.py:11", source="computed", least={1: 60, 2: 45})
def ten_thousand_races(act: Act) -> None:
    story, contest = act.story, act.story.contest
    # p of every runner, as a bar and a figure.
    names = [*story.lanes, act.label("others_row", n=story.facts["rest"])]
    bars = GroupedBars(names, ("q", "focus", "v"), 1.12 * max(*contest.field, *story.engine.shares))
    exact, races, _ = bars.shift(STAGE.at(250, -84, UP + LEFT)).series
    p = Column(bars, contest.speeds, P)
    p_head = p.flush(number("p", role="q", weight="bold"), above=HEADING)
    act.move(bars.names, p_head, exact.to(contest.field), p, pace=SLOW)
    # Beside it the shares counted, after more and more races.
    (least, few), *later = zip(COUNTED, contest.shares(COUNTED))
    ours = Column(bars, counted(few), OURS)
    head = Readout(act.label("shares", n=least), 30, "focus", anchor=RIGHT)
    act.move(races.to(few), ours.flush(head, above=HEADING), ours, pace=EASY)
    act.rest(18)
    for n, shares in later:
        act.move(races.to(shares), head.to(act.label("shares", n=f"{n:,}")),
                 ours.to(counted(shares)), pace=EASY)
        act.rest(18)
    # The widest gap, and how far chance alone moves a share.
    act.next_line()
    _, whose = widest_gap(contest.races.frequencies, contest.field)
    widest = ring(VGroup(p[whose], ours[whose]), buff=8)
    act.move(widest)
    chance = Column(bars, _plus_minus(contest.field, RACES), CHANCE)
    chance_head = chance.flush(Label(act.label("by_chance"), NOTE), above=HEADING)
    note = _rule_of_chance(act, f"{RACES:,}")
    act.move(chance_head, chance, note, pace=EASY)
    act.keep(bars=bars, p=p, p_head=p_head, ours=[head, ours], chance=chance,
             chance_head=chance_head, widest=widest, note=note)


def _plus_minus(field: list[float], draws: int) -> list[str]:
    return ["± " + error for error in binomial_error(field, draws)]


def _rule_of_chance(act: Act, draws: str) -> Label:
    """The rule behind the column: the standard deviation of a share."""
    return Label(act.label("binomial", n=draws), NOTE).move_to(STAGE.at(0, 20, DOWN + LEFT), LEFT)


@beat("layers/sampler.py:11", source="recorded",
      carries="bars p p_head ours chance chance_head widest note")
def the_engine_agrees(act: Act) -> None:
    kept, drawn = act.kept, act.story.engine
    exact, races, engine = kept.bars.series
    field = act.story.lane_shares(drawn.temperature)
    # Draws were recorded at few temperatures: p turns to the nearest of them.
    act.move(FadeOut(kept.widest), _turn_to(act, field, races, exact))
    # The engine's own shares, and chance for as many draws.
    shares = Column(kept.bars, counted(drawn.shares), ENGINE)
    head = number(act.label("engine_draws"), role="v", weight="semibold")
    act.move(FadeOut(kept.note), pace=QUICK)
    act.move(shares.flush(head, above=HEADING), shares, _rule_of_chance(act, f"{drawn.inside:,}"),
             kept.chance.to(_plus_minus(field, drawn.inside)), engine.to(drawn.shares), pace=30)
    _, whose = widest_gap(drawn.shares, field)
    act.move(ring(VGroup(kept.p[whose], shares[whose]), buff=8))


def _turn_to(act: Act, field: list[float], races: VGroup, exact: VGroup) -> list:
    """Another temperature than ours: p changes, our races no longer compare."""
    kept = act.kept
    if act.story.engine.temperature == act.story.params.temperature:
        return []
    head = kept.p.flush(number(act.label("p_at"), role="q", weight="bold"), above=HEADING)
    return [*map(FadeOut, [kept.ours, races, kept.p_head]), head, exact.to(field),
            kept.p.to(column(field))]
