"""Ten thousand races, and the engine's own draws, against p."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, Circle, FadeIn, FadeOut, LaggedStart, Line, Rectangle,
                   ReplacementTransform, Square, VGroup)

from scenes.act03_sampling.race import START
from scenes.act03_sampling.rows import FOOT, PITCH, ROLES, lower, row
from scenes.act03_sampling.story import LANES, RACES
from scenes.kit import (BODY, NOTE, STAGE, Bars, Column, Formula, Label, Readout, mix, number,
                        paint, px, ring)
from scenes.lessons.rounding import shown, text
from scenes.lessons.shares import column, counted, standard_errors
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["ten_thousand_races"]

_LENGTH, _OURS = 640, 830  # px from the starting line: bars, their figures' ends
_ZERO, _UNIT = START + 520, 150  # px: p on the scale of standard errors, and one of them
_TALL = 76  # px from row to row on that scale


class Bands(VGroup):
    """One standard error around each of `field`, and p itself as a line; `scale` px for 1."""

    def __init__(self, field: np.ndarray, scale: float, draws: int) -> None:
        self._field, self._scale = field, scale
        self.lines = VGroup(*(Line(DOWN * px(23), UP * px(23), stroke_width=3, color=paint("ink"))
                              .move_to(row(k, START + scale * p)).set_z_index(2)
                              for k, p in enumerate(field)))
        self.bands = VGroup(*(Rectangle(width=1, height=px(46), stroke_width=0, fill_opacity=1,
                                        fill_color=mix("focus", 0.32)) for _ in field))
        super().__init__(self.bands, self.lines)
        self._span(self.bands, draws)

    def _span(self, bands: VGroup, draws: int) -> None:
        errors = standard_errors(self._field, draws)
        for k, (band, p, error) in enumerate(zip(bands, self._field, errors)):
            low, high = max(p - error, 0), min(p + error, 1)
            band.stretch_to_fit_width(px(max(self._scale * (high - low), 2)))
            band.move_to(row(k, START + self._scale * (low + high) / 2))

    def to(self, draws: int) -> list:
        """Animations to the bands of so many draws."""
        targets = self.bands.copy()
        self._span(targets, draws)
        return [band.animate.become(target) for band, target in zip(self.bands, targets)]


@beat("layers/sampler.py:11", source="recorded", variant="judging", carries="prompt table",
      least={1: 46, 3: 54})
def ten_thousand_races(act: Act) -> None:
    story, contest, table = act.story, act.story.measured, act.kept.table
    field, race = contest.field, act.kept.table.race
    scale = _LENGTH / (1.12 * max(*field, *story.engine_shares, 0.1))
    act.move(table.speeds.to(column(field)), pace=QUICK)
    # The first ten winners fall into their rows.
    (_, few), *later = contest.shares()
    blocks = _blocks(contest.races.winners[:10], scale)
    counter = Readout(act.label("races_n", n=10), 54, "ink", anchor=RIGHT)
    counter.move_to(lower(650, STAGE.width / px(1)), RIGHT)
    ours = Column(race, counted(few), _OURS, 30, head=Label(act.label("share"), NOTE), above=50)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(b, target_position=lower(100, 1500)) for b in blocks),
                         lag_ratio=0.3), counter, pace=36)
    act.move(ours, pace=BRISK)
    # What chance allows for, and how it narrows.
    bands = Bands(field, scale, 10)
    named = Label("p", NOTE, "ink").move_to(row(0, START + scale * field[0], 50))
    act.cue("line")
    bars = _bars(few, scale)
    act.remove(*blocks)
    act.add(bars)
    act.move(FadeIn(bands.lines), named, pace=BRISK)
    act.cue("band")
    act.move(FadeIn(bands.bands), pace=SLOW)
    act.add(bands)
    error = Formula('plus.minus sqrt(p (1 - p) \\/ n)', 60)
    error.move_to(lower(650, FOOT[0] + START), LEFT)
    act.cue("push")
    act.move(error)
    for cue, (n, shares) in zip(("hundred", "thousand", "all"), later):
        act.cue(cue)
        act.move(bars.to(shares), bands.to(n), counter.to(act.label("races_n", n=f"{n:,}")),
                 ours.to(counted(shares)), pace=SLOW)
    act.cue("scale")
    act.move([FadeOut(x) for x in (bands, named, error, counter, ours, race.start,
                                   race.names[-1], table.speeds.figures[-1])], pace=QUICK)
    _judge(act, bars)


def _bars(shares, scale: float) -> Bars:
    """Counted shares as bars in their rows."""
    bars = Bars([], shares, roles=ROLES[:len(shares)], length=_LENGTH, thickness=20,
                pitch=PITCH, full=_LENGTH / scale)
    bars.axis.set_opacity(0)
    return bars.stand(row(0, START)).set_z_index(1)


def _blocks(winners, scale: float) -> VGroup:
    """One block a winner, in its row behind those that came before it."""
    blocks, seen = VGroup(), [0] * 32
    width = scale / len(winners)
    for lane in map(int, winners):
        block = Rectangle(width=px(width - 2), height=px(16), stroke_width=0, fill_opacity=1,
                          fill_color=paint(ROLES[lane]))
        blocks.add(block.move_to(row(lane, START + width * seen[lane], 9), LEFT))
        seen[lane] += 1
    return blocks


def _judge(act: Act, bars: Bars) -> None:
    """Every token's distance from p in standard errors, the furthest boxed; then the engine's."""
    story = act.story
    scale = ErrorScale(act.label("errors"), act.label("rare"))
    races = _Verdict(act, story.measured.races.frequencies, RACES, 0)
    table = act.kept.table
    wide = [m.animate.set_y(scale.at(k, 0)[1]) for column in (
        table.race.names, table.speeds.figures) for k, m in enumerate(column[:LANES])]
    act.move(scale.axis, wide, [FadeOut(bar) if k not in races.dots else
                          ReplacementTransform(bar, races.dots[k])
                          for k, bar in enumerate(bars.bars)], races.word, pace=SLOW)
    act.cue("rare")
    act.move(scale.rare, pace=EASY)
    act.cue("worst")
    act.move(races.furthest(), pace=BRISK)
    engine = _Verdict(act, story.engine_shares, story.engine.total, 1)
    act.cue("engine")
    act.move(LaggedStart(*(FadeIn(dot, target_position=engine.word) for dot in
                           engine.dots.values()), lag_ratio=0.1), engine.word, pace=SLOW)
    act.cue("far")
    act.move(engine.furthest(), pace=BRISK)


class ErrorScale:
    """−3 to 3 standard errors around p over the rows: `axis`, one of them as a band; `rare`."""

    def __init__(self, words: str, rare: str) -> None:
        top, foot = self.at(0, 0, 30)[1], self.at(LANES - 1, 0, -30)[1]
        middle, high = (top + foot) / 2, top - foot
        lines = VGroup(*(Line(UP * high / 2, DOWN * high / 2, stroke_width=1.5 if k % 3 else 4,
                              color=paint("muted" if k else "ink"))
                         .move_to([self.at(0, k)[0], middle, 0]) for k in range(-3, 4)))
        figures = VGroup(*(number(f"{k:+d}".replace("-", "−") if k else "p", 32, "ink")
                           .move_to(self.at(0, k, 52)) for k in range(-3, 4)))
        note = Label(words, BODY, "ink").move_to(self.at(LANES - 1, 0, -64))
        band = Rectangle(width=px(2 * _UNIT), height=high, stroke_width=0, fill_opacity=1,
                         fill_color=mix("focus", 0.2)).move_to([self.at(0, 0)[0], middle, 0])
        self.axis = VGroup(band, lines, figures, note)
        self.rare = VGroup(*(VGroup(ring(figures[3 + 3 * s], buff=10), Label(rare, BODY, "focus")
                                    .move_to(self.at(LANES - 1, 3 * s, -64))) for s in (-1, 1)))

    @staticmethod
    def at(lane: int, errors: float, y: float = 0) -> np.ndarray:
        """The point of so many standard errors in a row, y px above its middle."""
        return row(0, _ZERO + _UNIT * min(max(errors, -3.5), 3.5), y - _TALL * lane)


class _Verdict:
    """How far every judged token's share is off: discs (our races) or squares (the engine)."""

    def __init__(self, act: Act, shares, draws: int, which: int) -> None:
        story = act.story
        field, self._worst = story.measured.field, story.verdicts[which]
        errors = standard_errors(field, draws)
        self._off = {k: (shares[k] - field[k]) / errors[k] for k in range(len(story.lanes))
                     if min(field[k], 1 - field[k]) * draws >= 5}
        self._y = 14 - 28 * which
        self.dots = {k: self._dot(which, k).move_to(ErrorScale.at(k, off, self._y))
                     for k, off in self._off.items()}
        sign = self._dot(which, 0)
        name = Label(act.label(("races", "engine")[which]), BODY, "ink")
        self.word = VGroup(sign, name).arrange(RIGHT, buff=px(18))
        self.word.move_to(row(3 + 2 * which, _ZERO + 3.5 * _UNIT + 60), LEFT)

    def _dot(self, which: int, lane: int) -> Circle | Square:
        style = {"stroke_width": 2, "stroke_color": paint("ink"), "fill_opacity": 1}
        if which:
            return Square(px(22), fill_color=paint("ink"), **style).set_z_index(2)
        return Circle(px(13), fill_color=paint(ROLES[lane]), **style).set_z_index(2)

    def furthest(self) -> list:
        """The furthest one in a frame, with its distance; none where none can be judged."""
        if self._worst is None:
            return [self.word.animate.set_opacity(1)]
        lane, off = self._worst
        dot = self.dots[lane]
        return [ring(dot, buff=6), number(text(shown(off, 1)), 32, "focus", "bold").next_to(
            dot, RIGHT, buff=px(20))]
