"""Ten thousand races, and the engine's own draws, against p."""

from manim import DOWN, LEFT, RIGHT, UP, FadeOut

from scenes.act03_sampling.story import RACES
from scenes.kit import NOTE, STAGE, Column, GroupedBars, Label, Readout, number
from scenes.lessons.shares import column, counted, spread, widest_gap
from scenes.stage import EASY, QUICK, SLOW, Act, beat

__all__ = ["ten_thousand_races", "the_engine_agrees"]

P, OURS, CHANCE, ENGINE = 710, 980, 1260, 1526  # px from the bars' beginning to a column's end


@beat("layers/sampler.py:11", source="computed", least={1: 60, 2: 45})
def ten_thousand_races(act: Act) -> None:
    story, contest = act.story, act.story.contest
    # p of every runner, as a bar and a figure.
    names = [*story.lanes, act.label("others_row", n=story.facts["rest"])]
    bars = GroupedBars(names, ("q", "focus", "v"), 1.12 * max(*contest.field, *story.engine_shares))
    exact, races, _ = bars.stand(STAGE.at(250, -84, UP + LEFT)).series
    p = Column(bars, contest.speeds, P, head=number("p", role="q", weight="bold"), above=80)
    act.move(bars.names, p, exact.to(contest.field), pace=SLOW)
    # Beside it the shares counted, after more and more races.
    (least, few), *later = contest.shares()
    head = Readout(act.label("shares", n=least), 30, "focus", anchor=RIGHT)
    ours = Column(bars, counted(few), OURS, head=head, above=80)
    act.move(races.to(few), ours, pace=EASY)
    act.rest(18)
    for n, shares in later:
        act.move(races.to(shares), head.to(act.label("shares", n=f"{n:,}")),
                 ours.to(counted(shares)), pace=EASY)
        act.rest(18)
    # The widest gap, and how far chance alone moves a share.
    act.next_line()
    widest = p.ring(widest_gap(contest.races.frequencies, contest.field)[1], ours)
    act.move(widest)
    chance = Column(bars, spread(contest.field, RACES), CHANCE,
                    head=Label(act.label("by_chance"), NOTE), above=80)
    note = _rule_of_chance(act, f"{RACES:,}")
    act.move(chance, note, pace=EASY)
    act.keep(bars=bars, p=p, ours=ours, chance=chance, widest=widest, note=note)


def _rule_of_chance(act: Act, draws: str) -> Label:
    """The rule behind the column: the standard deviation of a share."""
    return Label(act.label("binomial", n=draws), NOTE).move_to(STAGE.at(0, 20, DOWN + LEFT), LEFT)


@beat("layers/sampler.py:11", source="recorded", carries="bars p ours chance widest note")
def the_engine_agrees(act: Act) -> None:
    kept, drawn, shares = act.kept, act.story.engine, act.story.engine_shares
    exact, races, engine = kept.bars.series
    # Draws were recorded at few temperatures: p turns to the nearest of them, our races go.
    field, turning = act.story.lane_shares(drawn.temperature), []
    if drawn.temperature != act.story.params.temperature:
        kept.p.remove(old := kept.p.head)
        head = kept.p.flush(number(act.label("p_at"), role="q", weight="bold"), above=80)
        turning = [*map(FadeOut, (kept.ours, races, old)), head, exact.to(field),
                   kept.p.to(column(field))]
    act.move(FadeOut(kept.widest), turning)
    # The engine's own shares, and chance for as many draws.
    head = number(act.label("engine_draws"), role="v", weight="semibold")
    figures = Column(kept.bars, counted(shares), ENGINE, head=head, above=80)
    act.move(FadeOut(kept.note), pace=QUICK)
    act.move(figures, _rule_of_chance(act, f"{drawn.inside:,}"),
             kept.chance.to(spread(field, drawn.inside)), engine.to(shares), pace=30)
    act.move(kept.p.ring(widest_gap(shares, field)[1], figures))
