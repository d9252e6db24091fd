"""Ten thousand races, and the engine's own draws, against p."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, Line, Rectangle, VGroup)

from scenes.act03_sampling.race import START
from scenes.act03_sampling.rows import FOOT, PITCH, ROLES, lower, row
from scenes.kit import (BODY, LEAD, NOTE, STAGE, Bars, Column, Label, Readout, mix, paint, px)
from scenes.lessons.shares import column, counted, standard_errors
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["ten_thousand_races"]

_LENGTH, _OURS, _ENGINE = 640, 900, 1200  # px from the start: bars, the ends of two columns
_APART = 11  # px above and below a row's middle: races, and the engine


class Bands(VGroup):
    """One standard error around each of `field`, and p itself as a line; `scale` px for 1."""

    def __init__(self, field: np.ndarray, scale: float, draws: int) -> None:
        self._field, self._scale = field, scale
        self.lines = VGroup(*(Line(DOWN * px(24), UP * px(24), stroke_width=4, color=paint("focus"))
                              .move_to(row(k, START + scale * p)).set_z_index(2)
                              for k, p in enumerate(field)))
        self.bands = VGroup(*(Rectangle(width=1, height=px(48), stroke_width=0, fill_opacity=1,
                                        fill_color=mix("focus", 0.45)) for _ in field))
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
      least={1: 46})
def ten_thousand_races(act: Act) -> None:
    contest, table = act.story.measured, act.kept.table
    field, race = contest.field, table.race
    scale = _LENGTH / (1.12 * max(*field, *act.story.engine_shares, 0.1))
    act.move(table.speeds.to(column(field)), pace=QUICK)
    # The first ten winners fall into their rows.
    (_, few), *later = contest.shares()
    blocks = _blocks(contest.races.winners[:10], scale)
    counter = Readout(act.label("races_n", n=10), 54, "ink", anchor=RIGHT)
    counter.move_to(lower(646, STAGE.width / px(1)), RIGHT)
    ours = Column(race, counted(few), _OURS, 30, head=_head(act.label("races"), ROLES[:3]),
                  above=52)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(b, target_position=lower(100, 1500)) for b in blocks),
                         lag_ratio=0.3), counter, pace=36)
    act.move(ours, pace=BRISK)
    # What chance alone does, and how it narrows.
    bands = Bands(field, scale, 10)
    named = Label("p", NOTE, "focus", "semibold").move_to(row(0, START + scale * field[0], 52))
    act.cue("line")
    bars = _bars(few, scale, ROLES[:len(few)], 20)
    act.remove(*blocks)
    act.add(bars)
    act.move(FadeIn(bands.lines), named, pace=BRISK)
    act.cue("band")
    key = VGroup(Rectangle(width=px(60), height=px(40), stroke_width=0, fill_opacity=1,
                           fill_color=mix("focus", 0.45)), Label(act.label("error"), BODY, "ink"))
    key.arrange(RIGHT, buff=px(20)).move_to(lower(646, FOOT[0] + START), LEFT)
    act.move(FadeIn(bands.bands), pace=SLOW)
    act.add(bands)
    act.cue("error")
    act.move(key, pace=BRISK)
    for cue, (n, shares) in zip(("hundred", "thousand", "all"), later):
        act.cue(cue)
        # At the end the bands are as narrow as the lines: what explains them goes.
        act.move(bars.to(shares), bands.to(n), counter.to(act.label("races_n", n=f"{n:,}")),
                 ours.to(counted(shares)), FadeOut(key) if cue == "all" else [], pace=SLOW)
    _engine(act, bars, ours, scale)


def _head(words: str, roles) -> VGroup:
    """A column's heading behind a piece of its bars."""
    sign = VGroup(*(Rectangle(width=px(16), height=px(20), stroke_width=0, fill_opacity=1,
                              fill_color=paint(role)) for role in roles)).arrange(RIGHT, buff=0)
    return VGroup(sign, Label(words, NOTE, "ink")).arrange(RIGHT, buff=px(14))


def _bars(shares, scale: float, roles, thickness: float) -> Bars:
    """Counted shares as bars in their rows."""
    bars = Bars([], shares, roles=roles, length=_LENGTH, thickness=thickness, pitch=PITCH,
                full=_LENGTH / scale)
    bars.axis.set_opacity(0)
    return bars.stand(row(0, START)).set_z_index(1)


def _blocks(winners, scale: float) -> VGroup:
    """One block a winner, in its row behind those that came before it."""
    blocks, seen = VGroup(), [0] * 32
    width = scale / len(winners)
    for lane in map(int, winners):
        block = Rectangle(width=px(width - 2), height=px(20), stroke_width=0, fill_opacity=1,
                          fill_color=paint(ROLES[lane]))
        blocks.add(block.move_to(row(lane, START + width * seen[lane]), LEFT))
        seen[lane] += 1
    return blocks


def _engine(act: Act, bars: Bars, ours: Column, scale: float) -> None:
    """The engine's own draws beside the races; whose share is furthest from p, and what of it."""
    story = act.story
    shares, roles = story.engine_shares, ["ink"] * len(story.engine_shares)
    theirs = _bars([0] * len(shares), scale, roles, 18).shift(DOWN * px(_APART))
    drawn = Column(act.kept.table.race, counted(shares), _ENGINE, 30,
                   head=_head(act.label("engine"), ["ink"] * 3), above=52)
    act.cue("engine")
    act.add(theirs)
    act.move(bars.bars.animate.shift(UP * px(_APART)), theirs.to(shares), drawn.head, pace=SLOW)
    act.cue("beside")
    act.move(drawn.figures, pace=BRISK)
    act.cue("off")
    lane, which = story.furthest
    act.move((ours, drawn)[which].ring(lane), pace=SLOW)
    act.cue("fair")
    verdict = Label(act.label(f"verdict_{story.judging}"), LEAD, "focus")
    act.move(verdict.move_to(lower(722, FOOT[0] + START), LEFT), pace=EASY)
