"""Why the race draws with chance p: rain in every row, and its first drops."""

from collections.abc import Sequence

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, Line, Mobject,
                   Rectangle, ReplacementTransform, VGroup)

from scenes.act03_sampling.rows import LIFT, ROLES, SIZE, START, floor, row
from scenes.act03_sampling.story import LANES, SHOWER, SHOWERS
from scenes.kit import Label, Readout, arrow, mix, number, paint, px, ring
from scenes.kit.base.motion import replace, vanish
from scenes.lessons.contest import race_figures
from scenes.lessons.rounding import shown, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["why_p"]

_LEFT = 16  # px: where the one line begins
_WAY, _ROAD = 1236, 1760  # px of time in the rows, and on the one line
_TIME = LANES + 1.4  # where time is drawn, in rows; the rows stand higher in this beat
_MIDDLE, _DEEP = 345, 310  # px: where all drops lie on one line, and its height
_ALL, _RAIN, _FIRST, _FLAT = 131, 318, 512, 130  # px: two bars of drops, between them a shower
_SO = 690  # px: what follows
_TIMED = 4  # rows whose first drop tells its time


def _lifted(k: float, x: float = 0) -> np.ndarray:
    return row(k, x) + LIFT


@beat("layers/sampler.py:11", source="computed", carries="names speeds",
      least={1: 58, 2: 62, 3: 52, 4: 52, 5: 78, 6: 70})
def why_p(act: Act) -> None:
    story = act.story
    # The rows rise. In each drops fall, on average p a second; time runs to the right.
    drops = VGroup(*(_drop(lane, time / story.until) for time, lane in story.rain))
    act.move(act.kept.names.animate.shift(LIFT), act.kept.speeds.animate.shift(LIFT), pace=SLOW)
    way = arrow(_lifted(_TIME, START), _lifted(_TIME, START + _WAY), "muted", 0, 6)
    time = Label(act.label("time"), 40).move_to(_lifted(_TIME, START - 36), RIGHT)
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
    _one_line(act, drops, [time, way, waits, act.kept.names, act.kept.speeds])
    _sort(act)
    _showers(act)
    _like_any_other(act)


def _one_line(act: Act, drops: VGroup, gone: list[Mobject]) -> None:
    """All rows rain onto one line, which becomes the whole picture; its first drop wins."""
    line = VGroup(*(_landed(drop) for drop in drops))
    act.cue("fall")
    act.move(list(map(vanish, gone)), LaggedStart(*(
        ReplacementTransform(*pair) for pair in zip(drops, line)), lag_ratio=0.03), pace=66)
    act.move(name := _named(act, "all_drops", _MIDDLE, _DEEP), pace=BRISK)
    act.cue("one")
    first = ring(line[0], buff=10, corner=6)
    act.move(first, pace=EASY)
    act.keep(line=line, first=first, name=name)


def _sort(act: Act) -> None:
    """Sorted by token, the drops of a token have about its share p."""
    story, line, first, p = act.story, act.kept.line, act.kept.first, act.story.contest.field[0]
    order = sorted(range(len(line)), key=lambda k: (story.rain[k][1], k))
    width = _ROAD / len(line)
    places = {k: floor(_MIDDLE, _LEFT + width * (at + 0.5)) for at, k in enumerate(order)}
    act.cue("sort")
    act.move([line[k].animate.stretch_to_fit_width(px(width - 2)).move_to(places[k])
              for k in order], first.animate.move_to(places[0]), pace=48)
    counted = np.bincount([lane for _, lane in story.rain],
                          minlength=len(story.contest.field)) / len(story.rain)
    pieces, share = _pieces(counted, _MIDDLE), _share(counted[0], _MIDDLE)
    act.remove(*line)
    act.add(pieces, first)
    act.move(share, pace=QUICK)
    act.cue("about")
    mark, told = _mark(p, _MIDDLE, _DEEP), _told(act, p, _MIDDLE + _DEEP / 2 + 62)
    act.move(FadeIn(mark, shift=DOWN * px(30)), told, pace=EASY)
    act.keep(pieces=pieces, share=share, mark=mark, told=told)


def _showers(act: Act) -> None:
    """Of every shower only the first drop is kept, in the order in which they come."""
    story, kept, width = act.story, act.kept, _ROAD / SHOWERS
    winners = story.contest.races.winners[:SHOWERS]
    act.cue("keep")
    act.move(FadeOut(kept.first), [
        piece.animate.stretch_to_fit_height(px(_FLAT)).set_y(floor(_ALL)[1])
        for piece in kept.pieces], kept.share.animate.set_y(floor(_ALL)[1]),
        kept.mark.animate.become(_mark(story.contest.field[0], _ALL, _FLAT)),
        kept.told.animate.set_y(floor(_ALL + _FLAT / 2 + 40)[1]),
        replace(kept.name, _named(act, "all_drops", _ALL, _FLAT)), pace=30)
    firsts = VGroup(*(_block(width - 2, ROLES[lane], _FLAT).move_to(floor(
        _FIRST, _LEFT + width * (k + 0.5))) for k, lane in enumerate(winners)))
    act.cue("showers")
    act.move(_named(act, "first_drops", _FIRST, -_FLAT), pace=QUICK)
    for k, shower in enumerate(story.showers):
        drops = VGroup(*(_shower_drop(time, lane) for time, lane in shower))
        drops[1:].set_opacity(0.35)
        act.move(LaggedStart(*(FadeIn(drop, shift=DOWN * px(40)) for drop in drops),
                             lag_ratio=0.06), pace=22 - 4 * k)
        act.move(ReplacementTransform(drops[0], firsts[k]), pace=20 - 4 * k)
        act.move(FadeOut(drops[1:]), pace=6)
    many = len(story.showers)
    spot = _shower_drop(*story.showers[-1][0])
    act.move(LaggedStart(*(FadeIn(drop, target_position=spot) for drop in firsts[many:]),
                         lag_ratio=0.1), pace=48)
    act.keep(firsts=firsts)


def _like_any_other(act: Act) -> None:
    """Sorted, the first drops have about the same shares: they are drops like any other."""
    story, width = act.story, _ROAD / SHOWERS
    order = np.argsort(story.contest.races.winners[:SHOWERS], kind="stable")
    act.cue("sorted")
    act.move([act.kept.firsts[k].animate.move_to(floor(_FIRST, _LEFT + width * (at + 0.5)))
              for at, k in enumerate(order)], pace=42)
    act.move(_share(story.first_drops[0], _FIRST),
             _mark(story.contest.field[0], _FIRST, _FLAT), pace=BRISK)
    act.cue("like")
    so = Label(act.label("so"), 64, "focus", "semibold").move_to(floor(_SO, _LEFT), LEFT)
    act.move(FadeIn(so, shift=UP * px(16)), pace=30)
    act.keep(rained=act.kept.firsts)


def _drop(lane: int, share: float) -> Rectangle:
    """A drop in its row, so far along the time that is shown."""
    return _block(9, ROLES[lane], 52).move_to(_lifted(lane, START + _WAY * share))


def _shower_drop(time: float, lane: int) -> Rectangle:
    """A drop of one shower, on a line as wide as the stage."""
    return _block(16, ROLES[lane], 64).move_to(floor(_RAIN, _LEFT + _ROAD * time / SHOWER))


def _block(width: float, role: str, height: float = _DEEP) -> Rectangle:
    return Rectangle(width=px(width), height=px(height), stroke_width=0, fill_opacity=1,
                     fill_color=paint(role))


def _landed(drop: Rectangle) -> Rectangle:
    """The drop on the one line, which is as wide as the stage."""
    share = (drop.get_x() - _lifted(0, START)[0]) / px(_WAY)
    landing = floor(0, _LEFT + _ROAD * share)[0]
    return drop.copy().stretch_to_fit_height(px(_DEEP)).move_to([landing, floor(_MIDDLE)[1], 0])


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
            told.next_to(end, RIGHT, px(14))
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


def _named(act: Act, key: str, y: float, height: float) -> Label:
    """The name of what lies there, above its right end, or below it where `height` is negative."""
    away = height / 2 + 36 * np.sign(height)
    return Label(act.label(key), SIZE, "ink", "semibold").move_to(
        floor(y - away, _LEFT + _ROAD), RIGHT)


def _mark(p: float, y: float, height: float) -> Line:
    """Where a piece would end if its share were p."""
    x, half = _LEFT + _ROAD * p, height / 2 + 14
    return Line(floor(y - half, x), floor(y + half, x), stroke_width=8,
                color=paint("focus")).set_z_index(4)


def _told(act: Act, p: float, y: float) -> Label:
    """p under its mark, inside the stage."""
    told = number(f"p = {act.story.facts['first_p']}", SIZE, "focus").move_to(
        floor(y, _LEFT + _ROAD * p))
    return told.shift(LEFT * max(told.get_right()[0] - floor(0, _LEFT + _ROAD)[0], 0)
                      + RIGHT * max(floor(0, _LEFT)[0] - told.get_left()[0], 0))
