"""Why the race draws with chance p: rain in every row, and its first drops."""

from collections.abc import Sequence

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, Line, Mobject,
                   Rectangle, ReplacementTransform, VGroup)

from scenes.act03_sampling.rows import LIFT, ROLES, SIZE, START, floor, row
from scenes.act03_sampling.story import LANES, SHOWERS
from scenes.kit import Label, Readout, arrow, mix, number, paint, px, ring
from scenes.lessons.contest import race_figures
from scenes.lessons.rounding import shown, text
from scenes.stage import EASY, QUICK, SLOW, Act, beat

__all__ = ["why_p"]

_LEFT = 16  # px: where the one line begins
_WAY, _ROAD = 1276, 1760  # px of time in the rows, and on the one line
_LANDING = LANES + 1.4  # where drops land, in rows; the rows stand higher in this beat
_ALL, _FIRST, _DEEP = 210, 546, 170  # px: where two bars of drops lie, and their height
_TIMED = 4  # rows whose first drop tells its time


def _lifted(k: float, x: float = 0) -> np.ndarray:
    return row(k, x) + LIFT


@beat("layers/sampler.py:11", source="computed", carries="names speeds",
      least={1: 58, 3: 58, 5: 64})
def why_p(act: Act) -> None:
    story = act.story
    # The rows rise. In each drops fall, on average p a second; time runs to the right.
    drops = VGroup(*(_drop(lane, time / story.until) for time, lane in story.rain))
    act.move(act.kept.names.animate.shift(LIFT), act.kept.speeds.animate.shift(LIFT), pace=SLOW)
    way = arrow(_lifted(_LANDING, START), _lifted(_LANDING, START + _WAY), "muted", 0, 6)
    time = Label(act.label("time"), 40).move_to(_lifted(_LANDING, START - 36), RIGHT)
    act.move(way, time, pace=QUICK)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(drop, shift=DOWN * px(50)) for drop in drops), lag_ratio=0.06),
             pace=90)
    # A row's first drop falls when its runner arrived.
    waits = _waits(act)
    act.cue("first")
    act.move(LaggedStart(*(Create(wait[0]) for wait in waits), lag_ratio=0.12),
             LaggedStart(*(FadeIn(wait[1]) for wait in waits if len(wait) > 1), lag_ratio=0.3),
             pace=90)
    # All rows rain onto one line; the first drop there wins.
    line = VGroup(*(_landed(drop) for drop in drops))
    act.cue("fall")
    act.move(FadeOut(time), FadeOut(way), FadeOut(waits), FadeOut(act.kept.names),
             FadeOut(act.kept.speeds), LaggedStart(*(ReplacementTransform(*pair) for pair in zip(
                 drops, line)), lag_ratio=0.03), pace=54)
    act.move([drop.animate.stretch_to_fit_height(px(_DEEP)).set_y(floor(_ALL)[1])
              for drop in line], _named(act, "all_drops", _ALL), pace=SLOW)
    act.cue("one")
    first = ring(line[0], buff=10, corner=6)
    act.move(first, pace=EASY)
    _sort(act, line, first)
    _first_drops(act, first)


def _sort(act: Act, line: VGroup, first: Mobject) -> None:
    """Sorted by token, and after longer rain, the drops of a token have about its share p."""
    story, field = act.story, act.story.contest.field
    order = sorted(range(len(line)), key=lambda k: (story.rain[k][1], k))
    width = _ROAD / len(line)
    places = {k: floor(_ALL, _LEFT + width * (at + 0.5)) for at, k in enumerate(order)}
    act.cue("sort")
    act.move([line[k].animate.stretch_to_fit_width(px(width - 2)).move_to(places[k])
              for k in order], first.animate.move_to(places[0]), pace=48)
    few, many = (np.bincount([lane for _, lane in rained], minlength=len(field)) / len(rained)
                 for rained in (story.rain, story.long_rain))
    pieces, share = _pieces(few, _ALL), _share(few[0], _ALL)
    act.remove(*line)
    act.add(pieces, first)
    act.cue("more")
    act.move(share, pace=QUICK)
    act.move([a.animate.become(b) for a, b in zip(pieces, _pieces(many, _ALL))],
             share.to(_digits(many[0])), pace=75)


def _first_drops(act: Act, first: Mobject) -> None:
    """Of many showers only the first drop is kept: the tokens' shares are about the same."""
    winners, width = act.story.contest.races.winners[:SHOWERS], _ROAD / SHOWERS
    places = np.empty(SHOWERS, int)
    places[np.argsort(winners, kind="stable")] = np.arange(SHOWERS)
    kept = VGroup(*(_block(width - 2, ROLES[lane]).move_to(floor(
        _FIRST, _LEFT + width * (at + 0.5))) for lane, at in zip(winners, places)))
    act.cue("keep")
    act.move(_named(act, "first_drops", _FIRST), pace=QUICK)
    act.move(LaggedStart(*(FadeIn(drop, target_position=first) for drop in kept),
                         lag_ratio=0.12), pace=90)
    shares = act.story.first_drops
    act.move(_share(shares[0], _FIRST), pace=QUICK)
    act.cue("like")
    so = Label(act.label("so"), 56, "focus", "semibold").move_to(floor(696, _LEFT), LEFT)
    act.move(FadeIn(so, shift=UP * px(16)), pace=36)
    act.keep(rained=kept)


def _drop(lane: int, share: float) -> Rectangle:
    """A drop in its row, so far along the time that is shown."""
    return _block(9, ROLES[lane], 52).move_to(_lifted(lane, START + _WAY * share))


def _block(width: float, role: str, height: float = _DEEP) -> Rectangle:
    return Rectangle(width=px(width), height=px(height), stroke_width=0, fill_opacity=1,
                     fill_color=paint(role))


def _landed(drop: Rectangle) -> Rectangle:
    """The drop on the one line, which is as wide as the stage."""
    share = (drop.get_x() - _lifted(0, START)[0]) / px(_WAY)
    landing = floor(0, _LEFT + _ROAD * share)[0]
    return drop.copy().stretch_to_fit_height(px(70)).move_to([landing, _lifted(_LANDING)[1], 0])


def _waits(act: Act) -> VGroup:
    """From the start to each row's first drop, and for some rows when it falls."""
    contest, until, waits = act.story.contest, act.story.until, []
    figures = race_figures(contest.field, contest.favourite)
    for k, time in enumerate(contest.favourite.times):
        end = _lifted(k, START + _WAY * min(time / until, 1))
        waits.append(VGroup(Line(_lifted(k, START), end, stroke_width=10,
                                 color=mix(ROLES[k], 0.7))))
        if k < _TIMED and time < 0.8 * until:
            told = number(figures[k].arrival, SIZE, "focus").set_z_index(2)
            told.next_to(end, RIGHT, px(22))
            ground = Rectangle(width=told.width + px(20), height=px(56), stroke_width=0,
                               fill_color=paint("ground"), fill_opacity=1).move_to(told)
            waits[-1].add(VGroup(ground.set_z_index(1), told))
    return VGroup(*waits)


def _pieces(shares: Sequence[float], y: float) -> VGroup:
    """Shares side by side, in the hues of their tokens."""
    pieces = VGroup(*(_block(max(_ROAD * share, 0.1), role).set_stroke(paint("ground"), 2)
                      for share, role in zip(shares, ROLES)))
    return pieces.arrange(RIGHT, buff=0).move_to(floor(y, _LEFT), LEFT)


def _digits(share: float) -> str:
    return text(shown(share, 2))


def _share(share: float, y: float) -> Readout:
    """The best token's counted share, in its piece."""
    return Readout(_digits(share), 88, "ground", "bold", LEFT).move_to(
        floor(y, _LEFT + 60), LEFT).set_z_index(3)


def _named(act: Act, key: str, y: float) -> Label:
    """The name of what lies there, above it."""
    return Label(act.label(key), SIZE, "ink", "semibold").move_to(
        floor(y - _DEEP / 2 - 48, _LEFT), LEFT)
