"""Ten thousand races, and the engine's own draws, against p."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, Line, Rectangle, VGroup

from scenes.act03_sampling.race import START
from scenes.act03_sampling.rows import PITCH, ROLES, lower, row
from scenes.kit import BODY, NOTE, Bars, Column, Label, Readout, mix, paint, px
from scenes.lessons.shares import column, counted, standard_errors
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["ten_thousand_races"]

_LENGTH, _OURS, _ENGINE = 640, 830, 1130  # px from the starting line: bars, two columns' ends


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
      least={1: 54, 2: 92, 3: 40, 4: 48})
def ten_thousand_races(act: Act) -> None:
    story, contest, table = act.story, act.story.measured, act.kept.table
    field, race = contest.field, act.kept.table.race
    gone = [table.title, race.tracks, race.runners, race.goals]
    act.remove(*gone)
    scale = _LENGTH / (1.12 * max(*field, *story.engine_shares, 0.1))
    act.move(table.speeds.to(column(field)), race.start.animate.set_opacity(0.4), pace=BRISK)
    # The first ten winners fall into their rows.
    (_, few), *later = contest.shares()
    blocks = _blocks(contest.races.winners[:10], scale)
    head = Readout(act.label("races_n", n=10), 28, "ink", anchor=RIGHT)
    ours = Column(race, counted(few), _OURS, 30, head=head, above=50)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(b, target_position=lower(100, 1500)) for b in blocks),
                         lag_ratio=0.3), pace=45)
    act.move(ours, pace=BRISK)
    # What chance allows for, and how it narrows.
    bands = Bands(field, scale, 10)
    rule = Label(act.label("error"), BODY).move_to(row(8, 0, -20), LEFT)
    act.cue("band")
    act.move(FadeIn(bands), rule, pace=EASY)
    bars = _bars(few, scale, -9, 16, ROLES)
    act.add(bars)
    act.remove(blocks)
    act.cue("many")
    for n, shares in later:
        act.move(bars.to(shares), bands.to(n), head.to(act.label("races_n", n=f"{n:,}")),
                 ours.to(counted(shares)), pace=SLOW)
    _judge(act, race, ours, scale)


def _bars(shares, scale: float, y: float, thickness: float, roles) -> Bars:
    """Counted shares as thin bars in their rows, y px above the middle."""
    bars = Bars([], shares, roles=list(roles)[:len(shares)], length=_LENGTH, thickness=thickness,
                pitch=PITCH, full=_LENGTH / scale)
    bars.axis.set_opacity(0)
    return bars.stand(row(0, START, y)).set_z_index(1)


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


def _judge(act: Act, race, ours: Column, scale: float) -> None:
    """The token furthest off is boxed, of the races, and of the engine's own draws."""
    story = act.story
    verdicts, shares = story.verdicts, story.engine_shares
    act.cue("worst")
    act.move([ours.ring(verdicts[0][0])] if verdicts[0] else [ours.ring(0)])
    engine = Column(race, counted(shares), _ENGINE, 30,
                    head=Label(act.label("engine_n"), NOTE, "ink"), above=50)
    drawn = _bars([0] * len(shares), scale, 11, 12, ["ink"] * len(shares))
    act.cue("engine")
    act.add(drawn)
    act.move(drawn.to(shares), engine, pace=SLOW)
    act.move([engine.ring(verdicts[1][0])] if verdicts[1] else [engine.ring(0)])

