"""The exponential race: how the engine draws a token, and why another may win."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, Line,
                   Rectangle, ReplacementTransform, VGroup, VMobject)

from scenes.act03_sampling.rows import GUTTER, PITCH, ROLES, SIZE, START, floor, landed, row
from scenes.act03_sampling.story import LANES
from scenes.kit import STAGE, Area, Label, Race, mix, number, paint, px, ring
from scenes.kit.base.motion import Flight, replace
from scenes.lessons.contest import race_figures
from scenes.lessons.sampling import Race as Drawn
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["not_argmax", "the_race"]

_LENGTH = 1250  # px of a track as long as the limit


@beat("layers/sampler.py:11", source="computed", variant="whole",
      carries="prompt hole names chart apart", least={1: 50, 3: 54, 5: 54})
def the_race(act: Act) -> None:
    story, chart, drawn = act.story, act.kept.chart, act.story.contest.favourite
    race = Race([], [0] * len(story.contest.speeds), story.contest.limit, ROLES, _LENGTH, PITCH,
                runner=20).stand(row(0, START))
    # Each bar becomes a runner, its p the runner's speed.
    speeds = VGroup(*(number(speed, SIZE).move_to(row(k, START - 36), RIGHT)
                      for k, speed in enumerate(story.contest.speeds)))
    head = Label(act.label("speed"), 32).move_to(floor(100, START - 36), RIGHT)
    act.cue("speed")
    act.move([ReplacementTransform(bar, runner) for bar, runner in
              zip(chart.bars, race.runners)], FadeOut(chart.axis), head,
             [ReplacementTransform(*pair) for pair in zip(chart.figures, speeds)], pace=45)
    ways = VGroup(*(Line(row(k, START), row(k, START + _LENGTH), stroke_width=3,
                         color=mix("muted", 0.35)).set_z_index(-1) for k in range(LANES + 1)))
    act.move(race.start, LaggedStart(*map(Create, ways), lag_ratio=0.1), pace=30)
    act.add(race)
    # Flags are planted by chance: near ones are common, far ones are rare.
    act.cue("draw")
    act.move(race.reset(drawn.exponentials.tolist()), pace=36)
    curve = _density(act, race)
    act.cue("short")
    act.move(curve, pace=SLOW)
    act.keep(race=race, speeds=VGroup(*speeds, head), ways=ways)
    act.cue("start")
    act.move(FadeOut(curve), pace=QUICK)
    _run(act, drawn, 84)
    act.cue("win")
    _win(act, drawn)
    _times(act, drawn)


def _density(act: Act, race: Race) -> VGroup:
    """Behind the tracks the curve e^(−x), on their scale: how likely each distance is."""
    base, xs = row(LANES + 0.5)[1], np.linspace(0, race.limit, 60)
    area = Area([race.at(0, x)[0] for x in xs], px(PITCH * (LANES + 1)) * np.exp(-xs), base,
                "muted").set_z_index(-1)
    short, long = (Label(act.label(key), 32, "ink") for key in ("short", "long"))
    short.move_to(floor(100, START + 10), LEFT)
    long.move_to(floor(100, START + _LENGTH), RIGHT)
    return VGroup(area, short, long)


def _run(act: Act, drawn: Drawn, pace: int) -> None:
    """All runners start, each at its speed, until the first one is at its flag."""
    act.move(act.kept.race.run(act.story.contest.field.tolist(),
                               float(drawn.times[drawn.winner])), pace=pace)


def _win(act: Act, drawn: Drawn) -> None:
    """The winner's row is framed; its word flies into the open place of the sentence."""
    lane, names, hole = drawn.winner, act.kept.names, act.kept.hole
    frame = ring(VGroup(names[lane], act.kept.race.goals[lane]), buff=10, corner=8)
    frame.stretch_to_fit_height(px(PITCH - 6))
    act.move(frame, pace=BRISK)
    token = landed(hole, act.story.tokens[lane] if lane < LANES else "…")
    if "token" in act.beat.cues:
        act.cue("token")
    act.move(Flight(names[lane], token.text, GUTTER), FadeOut(hole), pace=SLOW)
    act.move(token, pace=QUICK)
    act.keep(token=token, frame=frame)


def _on_ground(text: VMobject) -> VGroup:
    """A text that hides the tracks behind it."""
    ground = Rectangle(width=text.width + px(20), height=text.height + px(20), stroke_width=0,
                       fill_color=paint("ground"), fill_opacity=1).move_to(text)
    return VGroup(ground, text)


def _beside(act: Act, lane: int, label: Label) -> VGroup:
    """A label behind a flag, or above its track where there is no room behind it."""
    goal = act.kept.race.goals[lane]
    label.next_to(goal, RIGHT, px(36)).set_y(row(lane)[1])
    if label.get_right()[0] > STAGE.right:
        label.next_to(goal, LEFT, px(22)).set_y(row(lane - 0.36)[1])
    return _on_ground(label)


def _times(act: Act, drawn: Drawn) -> None:
    """The winner's time is worked out behind its flag; the others' times follow."""
    figures = race_figures(act.story.contest.field, drawn)
    work = number("{} / {} ≈ {}".format(*figures[drawn.winner]), SIZE, "focus")
    act.cue("over")
    act.move(FadeIn(work := _beside(act, drawn.winner, work), shift=RIGHT * px(20)), pace=30)
    times = VGroup(work, *(_beside(act, k, number(figure.arrival, SIZE, "muted"))
                           for k, figure in enumerate(figures) if k != drawn.winner))
    act.cue("times")
    act.move(times[1:], pace=SLOW)
    act.keep(times=times)


@beat("layers/sampler.py:11", source="computed", variant="outcome", least={1: 44, 2: 56},
      carries="prompt hole token names race speeds frame times ways apart")
def not_argmax(act: Act) -> None:
    contest, drawn = act.story.contest, act.story.contest.second
    kept = act.kept
    # The speeds stay, the flags are planted anew.
    act.cue("again")
    act.move(FadeOut(kept.times), FadeOut(kept.frame), FadeOut(kept.token), kept.hole, pace=BRISK)
    act.cue("new")
    act.move(kept.race.reset(drawn.exponentials.tolist()), pace=36)
    act.cue("start")
    _run(act, drawn, 84)
    _win(act, drawn)
    figures = race_figures(contest.field, drawn)
    own = _beside(act, drawn.winner, number(figures[drawn.winner].arrival, SIZE, "focus"))
    act.cue("near")
    act.move(own, None if not drawn.winner else _beside(
        act, 0, number(figures[0].arrival, SIZE, "muted")), pace=SLOW)
    # argmax looks at the speeds alone.
    act.cue("largest")
    most = ring(kept.speeds[0], "d", buff=10, corner=8)
    always = Label(act.label("argmax"), SIZE, "d", "semibold")
    act.move(most, replace(kept.speeds[-1], always.next_to(most, UP, px(18))),
             FadeOut(kept.frame), pace=EASY)
    act.cue("same")
    passed = [thing for k in range(1, LANES + 1) for thing in (kept.names[k], kept.speeds[k])]
    act.move([thing.animate.set_fill(opacity=0.3) for thing in passed], pace=SLOW)
    act.cue("loses")
    others = ring(VGroup(*kept.speeds[1:-1]), buff=10, corner=8)
    count = VGroup(number(act.story.facts["rest"], 72, "focus", "bold"),
                   Label(act.label("in_hundred"), 36, "ink")).arrange(DOWN, buff=px(26))
    act.move(FadeOut(most), FadeOut(always), others,
             [thing.animate.set_fill(opacity=1) for thing in passed],
             _on_ground(count).move_to(row(_room(drawn, kept.race.limit), 1786), RIGHT),
             pace=EASY)
    kept.speeds.remove(kept.speeds[-1])


def _room(drawn: Drawn, limit: float) -> float:
    """Between which two rows the right end is free, 3.5 for the fourth and the fifth."""
    near = [distance < 0.75 * limit for distance in drawn.exponentials]
    free = [k for k in range(1, LANES) if near[k] and near[k + 1]]
    return min(free, key=lambda k: abs(k - 3), default=3) + 0.5
