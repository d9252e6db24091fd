"""The exponential race: how the engine samples a token, once, once more, and why with chance p."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, Create, FadeIn, FadeOut, LaggedStart, Line, Rectangle,
                   ReplacementTransform, VGroup)

from scenes.lessons.contest import race_figures
from scenes.act03_sampling.rows import FOOT, PITCH, ROLES, landed, lower, row
from scenes.kit import (LEAD, NOTE, STAGE, Area, Label, RaceTable, in_turn, mix, number,
                        paint, px, ring)
from scenes.kit.base.motion import Flight, fly
from scenes.lessons.sampling import Race
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["not_argmax", "the_race", "why_p"]

START = 206  # px from where the rows begin to the starting line
_GUTTER = STAGE.top - px(76)  # between the strip and what is below it


@beat("layers/sampler.py:11", source="computed", variant="whole",
      carries="prompt hole names", least={2: 46, 3: 48, 4: 62})
def the_race(act: Act) -> None:
    story, favourite = act.story, act.story.contest.favourite
    # A lane each token, at speed p; the others run as one.
    names = [*story.lanes, act.label("others")]
    table = RaceTable(names, story.contest.speeds, story.contest.limit,
                      [act.label(key) for key in ("speed", "distance", "arrives")],
                      act.label("race", n=f"{story.contest.favourite_index + 1:,}"), "", ROLES,
                      PITCH)
    table.shift(row(0, START))
    table.title.shift(RIGHT * px(30))
    act.keep(table=table)
    act.remove(*act.kept.names)
    act.add(table.race.names[:-1])
    act.move(table.race.names[-1], table.race.start, table.race.runners, table.title, pace=EASY)
    act.cue("speed")
    act.move(in_turn([table.speeds.head, *table.speeds.figures]), pace=45)
    act.add(table)
    # Each distance is drawn: short is common, long is rare.
    act.cue("draw")
    curve = _density(act, table)
    distance = table.distance_heading()
    act.keep(heads=distance)
    act.move(distance, table.race.reset(favourite.exponentials.tolist()), pace=SLOW)
    act.move(table.measure(race_figures(story.contest.field, favourite)), pace=BRISK)
    act.cue("short")
    act.move(curve, pace=EASY)
    act.cue("over")
    _work_out(act, favourite, curve)
    act.cue("start")
    _run(act, favourite, "win")


def _density(act: Act, table: RaceTable) -> VGroup:
    """The curve e^(−x) under the lanes, on their scale: how likely each distance is."""
    race, base = table.race, STAGE.bottom + px(14)
    distances = np.linspace(0, race.limit, 40)
    area = Area([race.at(0, x)[0] for x in distances], px(120) * np.exp(-distances), base)
    short, long = (Label(act.label(key), NOTE, "ink", "medium") for key in ("short", "long"))
    short.move_to([race.at(0, 0.36 * race.limit / 2.6)[0], base + px(104), 0], LEFT)
    long.move_to([race.at(0, race.limit)[0], base + px(60), 0], RIGHT)
    name = Label(act.label("density"), NOTE, "ink").move_to(
        [race.at(0)[0] - px(30), base + px(60), 0], RIGHT)
    return VGroup(area, short, long, name)


def _work_out(act: Act, drawn: Race, curve: VGroup) -> None:
    """The favourite's arrival is worked out under the lanes, the others' follow."""
    table, figures = act.kept.table, race_figures(act.story.contest.field, drawn)
    arrival = table.arrival_heading()
    act.keep(heads=VGroup(act.kept.heads, arrival))
    parts = VGroup(*(number(part, 40) for part in (
        figures[0].distance, "/", figures[0].speed, "≈", figures[0].arrival)))
    parts.arrange(RIGHT, buff=px(24)).move_to(lower(640, STAGE.width / px(2)))
    act.move(FadeOut(curve), pace=7)
    act.move(fly([table.distances[0], table.speeds.figures[0]], [parts[0], parts[2]], lag=0),
             parts[1], pace=SLOW)
    act.cue("time")
    act.move(arrival, parts[3:], pace=QUICK)
    first, *others = table.arrive(figures)
    act.move(Flight(parts[4], first), [FadeIn(time) for time in others], pace=SLOW)
    act.move(FadeOut(parts), pace=QUICK)


def _worked(act: Act, drawn: Race, lane: int) -> VGroup:
    """A runner's arrival, spelled out: "␣mad 0.066 / 0.091 ≈ 0.73"."""
    name = number(act.kept.table.race.names[lane].text, 34, (*ROLES[:2], "ink")[min(lane, 2)],
                  "semibold")
    division = "{} / {} ≈ {}".format(*race_figures(act.story.contest.field, drawn)[lane])
    return VGroup(name, number(division, 34)).arrange(RIGHT, buff=px(30))


def _run(act: Act, drawn: Race, win: str = "") -> None:
    """All runners start; when the first one is home, its token takes the empty place."""
    table, time, lane = act.kept.table, float(drawn.times[drawn.winner]), drawn.winner
    act.move(table.race.run(act.story.contest.field.tolist(), time), pace=40)
    if win:
        act.cue(win)
    act.move(table.win(lane, act.label("wins")), pace=BRISK)
    named = lane < len(table.race.names) - 1
    token = landed(act.kept.hole, act.story.tokens[lane] if named else "…")
    act.move(Flight(table.race.names[lane], token.text, _GUTTER), pace=SLOW)
    act.move(FadeOut(act.kept.hole), token, pace=QUICK)
    act.keep(token=token)


@beat("layers/sampler.py:11", source="computed", variant="outcome", least={2: 58},
      carries="prompt hole token table heads")
def not_argmax(act: Act) -> None:
    table, contest, drawn = act.kept.table, act.story.contest, act.story.contest.second
    # The same speeds, new distances.
    act.move(table.clear(), FadeOut(act.kept.token), act.kept.hole, pace=BRISK)
    act.cue("again")
    act.move(same := ring(table.speeds.figures, "focus", buff=10), pace=QUICK)
    act.cue("new")
    act.move(table.title.to(act.label("race", n=f"{contest.second_index + 1:,}")),
             table.race.reset(drawn.exponentials.tolist()), pace=SLOW)
    figures = race_figures(contest.field, drawn)
    act.move(table.measure(figures), table.arrive(figures), FadeOut(same), pace=BRISK)
    act.cue("first")
    _run(act, drawn)
    act.cue("near")
    act.move(ring(table.distances[drawn.winner], buff=8), pace=SLOW)
    # The largest p did not win: both arrivals side by side.
    sums = VGroup(_worked(act, drawn, drawn.winner))
    if drawn.winner:
        sums.add(number("<", 34, "focus", "bold"), _worked(act, drawn, 0))
    act.cue("largest")
    most = Label(act.label("largest"), LEAD, "d").next_to(ring(table.arrivals[0]), LEFT, px(24))
    act.move(ring(table.speeds.figures[0], "d", buff=8), most, pace=BRISK)
    middle = STAGE.width / px(2)
    act.cue("argmax")
    act.move(sums.arrange(RIGHT, buff=px(50)).move_to(lower(610, middle)), pace=EASY)
    act.cue("loses")
    act.move(Label(act.label("loses"), LEAD).move_to(lower(690, middle)), pace=EASY)


@beat("layers/sampler.py:11", source="computed", carries="prompt table heads", least={1: 52})
def why_p(act: Act) -> None:
    story, table = act.story, act.kept.table
    race, (distance, arrival) = table.race, act.kept.heads
    # Of the first race its arrivals come back.
    figures = race_figures(story.contest.field, story.contest.favourite)
    act.move(table.clear(), FadeOut(distance), FadeOut(race.goals), FadeOut(race.tracks),
             FadeOut(race.runners), table.title.to(act.label("race", n=story.facts["race_shown"])),
             pace=QUICK)
    table.remove(distance)
    race.remove(race.tracks, race.runners, race.goals)
    arrivals = table.arrive(figures)
    # Drops fall in every row, for ever, p of them a second; time runs to the right.
    rained = story.rain
    drops = VGroup(*(_drop(lane, time / story.until) for time, lane in rained))
    act.move(_clock(story.until), arrivals, pace=QUICK)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(drop, shift=DOWN * px(60)) for drop in drops), lag_ratio=0.06),
             pace=90)
    # A row's first drop is its arrival.
    waits = VGroup(*(_wait(k, time / story.until)
                     for k, time in enumerate(story.contest.favourite.times)))
    act.cue("first")
    act.move(LaggedStart(*map(Create, waits), lag_ratio=0.1), pace=45)
    act.cue("wait")
    act.move(around := ring(arrivals, buff=10))
    table.remove(table.title, arrival)  # the table goes on without them
    _one_line(act, drops, waits, around)


def _one_line(act: Act, drops: VGroup, waits: VGroup, around: VGroup) -> None:
    """All rows fall onto one line, are sorted there, and it rains on: their shares are p."""
    story, field, left = act.story, act.story.contest.field, FOOT[0] + START
    line = VGroup(*(drop.copy().move_to([drop.get_x(), lower(_ONE)[1], 0]) for drop in drops))
    act.cue("fall")
    act.move(FadeOut(around), FadeIn(_named(act, "one_line", _ONE)),
             drops.animate.set_opacity(0.3), waits.animate.set_opacity(0.3),
             [ReplacementTransform(*pair) for pair in zip(drops.copy(), line)], pace=45)
    act.cue("sort")
    act.move(FadeIn(_named(act, "sorted", _SORTED)), *_sorted(story.rain, copies := line.copy()),
             pace=42)
    # Ten times as many drops: the pieces come close to p.
    few, many = (np.bincount([lane for _, lane in rained], minlength=len(field)) / len(rained)
                 for rained in (story.rain, story.long_rain))
    pieces = _pieces(few, _SORTED, 38)
    act.remove(*copies)
    act.add(pieces)
    longer = Label(act.label("longer"), NOTE, "ink")
    longer.move_to(lower(_SORTED, left + _ROAD + 24), LEFT)
    act.cue("more")
    act.move([a.animate.become(b) for a, b in zip(pieces, _pieces(many, _SORTED, 38))], longer,
             pace=SLOW)
    act.cue("shares")
    act.move(FadeIn(_named(act, "shares", _SHARES)), _pieces(field, _SHARES, 26), pace=BRISK)
    act.cue("one")
    so = Label(act.label("so"), LEAD, "focus").move_to(lower(728, left), LEFT)
    act.move(ring(line[0], buff=8), so, pace=SLOW)


_ONE, _SORTED, _SHARES, _ROAD = 580, 638, 672, 1080  # px: three lines' heights, their length


def _clock(until: float) -> VGroup:
    """Seconds over the rows."""
    ticks = VGroup()
    for second in range(0, int(min(until, 100)) + 1, 20):
        x = START + _ROAD * second / until
        ticks.add(VGroup(number(f"{second} s", 26, "muted").move_to(row(0, x, 56)),
                         Line(row(0, x, 38), row(0, x, 28), color=paint("muted"))))
    return ticks


def _drop(lane: int, share: float) -> Rectangle:
    """A drop in its row, so far along the time that is shown."""
    return Rectangle(width=px(7), height=px(36), stroke_width=0, fill_opacity=1,
                     fill_color=paint(ROLES[lane])).move_to(row(lane, START + _ROAD * share))


def _pieces(shares, y: float, height: float) -> VGroup:
    """Shares side by side, in the hues of their tokens."""
    pieces = VGroup(*(Rectangle(width=px(max(_ROAD * share, 0.1)), height=px(height),
                                stroke_width=1, stroke_color=paint("ground"), fill_opacity=1,
                                fill_color=paint(role)) for share, role in zip(shares, ROLES)))
    return pieces.arrange(RIGHT, buff=0).move_to(lower(y, FOOT[0] + START), LEFT)


def _wait(lane: int, share: float) -> Line:
    """From the start to a row's first drop, or as far as the time that is shown."""
    return Line(row(lane, START), row(lane, START + _ROAD * min(share, 1)), stroke_width=6,
                color=mix(ROLES[lane], 0.6))


def _named(act: Act, key: str, y: float) -> Label:
    return Label(act.label(key), NOTE).move_to(lower(y, FOOT[0] + START - 24), RIGHT)


def _sorted(rained: list, line: VGroup) -> list:
    """Animations: the drops of a line stand side by side, those of a token together."""
    order, width = sorted(range(len(line)), key=lambda k: rained[k][1]), _ROAD / len(line)
    return [line[k].animate.stretch_to_fit_width(px(width - 2)).move_to(
        lower(_SORTED, FOOT[0] + START + width * (at + 0.5))) for at, k in enumerate(order)]
