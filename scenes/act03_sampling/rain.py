"""Why the race draws with chance p: rain in every row."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, Line, Mobject,
                   Rectangle, ReplacementTransform, VGroup)

from scenes.act03_sampling.rows import LIFT, ROLES, START, row
from scenes.act03_sampling.story import LANES
from scenes.kit import STAGE, Label, Readout, arrow, mix, paint, px, ring
from scenes.lessons.shares import counted
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["why_p"]

_WAY, _ROAD = 1290, 1760  # px of time in the rows, and on the one line
_LEFT = STAGE.left + px(16)
_BELOW = LANES + 1.4  # where the one line lies, in rows; all rows stand higher from here on
_DEEP = 240  # px: the height of drops on the one line


def _lifted(k: float, x: float = 0) -> np.ndarray:
    return row(k, x) + LIFT


@beat("layers/sampler.py:11", source="computed", carries="names speeds", least={1: 58, 3: 58})
def why_p(act: Act) -> None:
    story = act.story
    # The rows rise. In each drops fall, on average p a second; time runs to the right.
    drops = VGroup(*(_drop(lane, time / story.until) for time, lane in story.rain))
    act.move(act.kept.names.animate.shift(LIFT), act.kept.speeds.animate.shift(LIFT), pace=SLOW)
    way = arrow(_lifted(_BELOW, START), _lifted(_BELOW, START + _WAY), "muted", 0, 6)
    time = Label(act.label("time"), 40).move_to(_lifted(_BELOW, START - 36), RIGHT)
    act.move(way, time, pace=QUICK)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(drop, shift=DOWN * px(50)) for drop in drops), lag_ratio=0.06),
             pace=90)
    # A row's first drop is its runner's arrival.
    waits = VGroup(*(_wait(k, time / story.until)
                     for k, time in enumerate(story.contest.favourite.times)))
    act.cue("first")
    act.move(LaggedStart(*map(Create, waits), lag_ratio=0.12), pace=70)
    # All rows rain onto one line, which comes to the middle; the first drop there wins.
    line = VGroup(*(_landed(drop) for drop in drops))
    act.cue("fall")
    act.move(FadeOut(time), FadeOut(way), FadeOut(waits), FadeOut(act.kept.names),
             FadeOut(act.kept.speeds), LaggedStart(*(ReplacementTransform(*pair) for pair in zip(
                 drops, line)), lag_ratio=0.03), pace=54)
    act.move([drop.animate.stretch_to_fit_height(px(_DEEP)).move_to(_middle(drop.get_x()))
              for drop in line], pace=SLOW)
    act.cue("one")
    first = ring(line[0], buff=10, corner=6)
    act.move(first, pace=EASY)
    _sort(act, line, first)


def _sort(act: Act, line: VGroup, first: Mobject) -> None:
    """Sorted by token, and after longer rain, the drops of a token have about its share p."""
    story, field = act.story, act.story.contest.field
    order = sorted(range(len(line)), key=lambda k: (story.rain[k][1], k))
    width, left = _ROAD / len(line), _LEFT
    places = {k: _middle(left + px(width * (at + 0.5))) for at, k in enumerate(order)}
    act.cue("sort")
    act.move([line[k].animate.stretch_to_fit_width(px(width - 2)).move_to(places[k])
              for k in order], first.animate.move_to(places[0]), pace=48)
    few, many = (np.bincount([lane for _, lane in rained], minlength=len(field)) / len(rained)
                 for rained in (story.rain, story.long_rain))
    pieces = _pieces(few)
    act.remove(*line)
    act.add(pieces, first)
    share = Readout(counted(few)[0], 96, "d", anchor=LEFT).next_to(pieces, DOWN, px(40))
    share.align_to(pieces, LEFT)
    whose = Label(act.label("of_drops"), 56).next_to(share, RIGHT, px(36))
    act.cue("more")
    act.move(share, whose, pace=BRISK)
    act.move([a.animate.become(b) for a, b in zip(pieces, _pieces(many))],
             share.to(counted(many)[0]), pace=36)
    act.cue("like")
    so = Label(act.label("so"), 64, "focus", "semibold").next_to(pieces, UP, px(52))
    act.move(FadeIn(so.align_to(pieces, LEFT), shift=UP * px(16)), pace=36)


def _drop(lane: int, share: float) -> Rectangle:
    """A drop in its row, so far along the time that is shown."""
    return Rectangle(width=px(9), height=px(52), stroke_width=0, fill_opacity=1,
                     fill_color=paint(ROLES[lane])).move_to(_lifted(lane, START + _WAY * share))


def _landed(drop: Rectangle) -> Rectangle:
    """The drop on the one line, which is as wide as the stage."""
    share = (drop.get_x() - _lifted(0, START)[0]) / px(_WAY)
    return drop.copy().stretch_to_fit_height(px(76)).move_to(
        [_LEFT + px(_ROAD * share), _lifted(_BELOW)[1], 0])


def _wait(lane: int, share: float) -> Line:
    """From the start to a row's first drop, or as far as the time that is shown."""
    return Line(_lifted(lane, START), _lifted(lane, START + _WAY * min(share, 1)),
                stroke_width=10, color=mix(ROLES[lane], 0.7))


def _pieces(shares) -> VGroup:
    """Shares side by side on the one line, in the hues of their tokens."""
    pieces = VGroup(*(Rectangle(width=px(max(_ROAD * share, 0.1)), height=px(_DEEP),
                                stroke_width=2, stroke_color=paint("ground"), fill_opacity=1,
                                fill_color=paint(role)) for share, role in zip(shares, ROLES)))
    return pieces.arrange(RIGHT, buff=0).move_to(_middle(_LEFT), LEFT)


def _middle(x: float) -> np.ndarray:
    """A point of the one line when it lies in the middle of the stage."""
    return np.array([x, STAGE.center[1], 0])
