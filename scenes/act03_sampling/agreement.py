"""Ten thousand races, and the engine's own draws, against p."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Circle, FadeIn, LaggedStart, Line, Rectangle, VGroup

from scenes.act03_sampling.race import START
from scenes.act03_sampling.rows import PITCH, ROLES, lower, row
from scenes.act03_sampling.story import RACES
from scenes.kit import NOTE, STAGE, Bars, Column, Label, Readout, mix, number, paint, px, ring
from scenes.lessons.shares import column, counted, standard_errors
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

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
      least={1: 46, 2: 72, 3: 48, 4: 50})
def ten_thousand_races(act: Act) -> None:
    story, contest, table = act.story, act.story.measured, act.kept.table
    field, race = contest.field, act.kept.table.race
    scale = _LENGTH / (1.12 * max(*field, *story.engine_shares, 0.1))
    act.move(table.speeds.to(column(field)), pace=QUICK)
    # The first ten winners fall into their rows.
    (_, few), *later = contest.shares()
    blocks = _blocks(contest.races.winners[:10], scale)
    head = Readout(act.label("races_n", n=10), 28, "ink", anchor=RIGHT)
    ours = Column(race, counted(few), _OURS, 30, head=head, above=50)
    act.cue("rain")
    act.move(LaggedStart(*(FadeIn(b, target_position=lower(100, 1500)) for b in blocks),
                         lag_ratio=0.3), pace=36)
    act.move(ours, pace=BRISK)
    # What chance allows for, and how it narrows.
    bands = Bands(field, scale, 10)
    act.cue("band")
    bars = _bars(few, scale, 9, 16, ROLES)
    act.remove(*blocks)
    act.add(bars)
    act.move(FadeIn(bands), pace=33)
    act.cue("many")
    for n, shares in later:
        act.move(bars.to(shares), bands.to(n), head.to(act.label("races_n", n=f"{n:,}")),
                 ours.to(counted(shares)), pace=SLOW)
    _judge(act, ours, scale)


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


def _judge(act: Act, ours: Column, scale: float) -> None:
    """Every token on a scale of standard errors, the one furthest off boxed; then the engine's."""
    story, field = act.story, act.story.measured.field
    scale_line = ErrorScale(act.label("errors"))
    races = _Verdict(act, story.measured.races.frequencies, RACES, 0)
    act.cue("worst")
    act.move(scale_line, races.dots, pace=EASY)
    act.move(races.boxed(ours) or ours.ring(0), pace=BRISK)
    act.cue("rare")
    act.move([ring(scale_line.figures[k], buff=10) for k in (0, -1)])
    engine = Column(act.kept.table.race, counted(story.engine_shares), _ENGINE, 30,
                    head=Label(act.label("engine_n"), NOTE, "ink"), above=50)
    drawn = _bars([0] * len(field), scale, -10, 12, ["ink"] * len(field))
    own = _Verdict(act, story.engine_shares, story.engine.total, 1)
    act.cue("engine")
    act.add(drawn)
    act.move(drawn.to(story.engine_shares), engine, own.dots, pace=SLOW)
    act.cue("far")
    act.move(own.boxed(engine) or engine.ring(0), pace=BRISK)


class ErrorScale(VGroup):
    """A line from −4 to 4 standard errors around p, the band of one of them marked."""

    UNIT = 150  # px for one standard error
    _Y = 626  # px under the stage's top

    def __init__(self, words: str) -> None:
        line = Line(self.at(-4), self.at(4), stroke_width=3, color=paint("muted"))
        band = Rectangle(width=px(2 * self.UNIT), height=px(104), stroke_width=0, fill_opacity=1,
                         fill_color=mix("focus", 0.2)).move_to(self.at(0))
        ticks = VGroup(*(Line(DOWN * px(9), UP * px(9), stroke_width=3, color=paint("muted"))
                         .move_to(self.at(k)) for k in range(-4, 5)))
        self.figures = VGroup(*(number(f"{k:+d}".replace("-", "−") if k else "p", 28, "muted")
                                .move_to(self.at(k, -99)) for k in range(-3, 4)))
        note = Label(words, NOTE).move_to(self.at(-4) + LEFT * px(40), RIGHT)
        super().__init__(band, line, ticks, self.figures, note)

    @classmethod
    def at(cls, errors: float, y: float = 0) -> np.ndarray:
        """The point of so many standard errors, y px above the line."""
        held = min(max(errors, -4), 4)
        return lower(cls._Y - y, STAGE.width / px(2) + cls.UNIT * held)


class _Verdict:
    """How far every judged token's share is off, as dots over (races) or under the scale."""

    def __init__(self, act: Act, shares, draws: int, which: int) -> None:
        story = act.story
        field, self._worst = story.measured.field, story.verdicts[which]
        errors = standard_errors(field, draws)
        up = 1 - 2 * which
        self._off = {k: (shares[k] - field[k]) / errors[k] for k in range(len(story.lanes))
                     if min(field[k], 1 - field[k]) * draws >= 5}
        self._spots = {k: Circle(radius=px(11), stroke_width=3, stroke_color=paint("ink"),
                                 fill_color=paint("ink" if which else ROLES[k]), fill_opacity=1)
                       .move_to(ErrorScale.at(off, 24 * up)) for k, off in self._off.items()}
        word = Label(act.label(("races", "engine")[which]), NOTE, "ink")
        word.move_to(ErrorScale.at(4, 24 * up) + RIGHT * px(40), LEFT)
        self.dots = VGroup(*self._spots.values(), word)
        self._names, self._up = story.lanes, up

    def boxed(self, column: Column) -> list:
        """The furthest one: its figure and its dot in a frame, its name beside the dot."""
        if self._worst is None:
            return []
        row, _ = self._worst
        dot = self._spots[row]
        name = number(self._names[row], 28).next_to(dot, UP * self._up, buff=px(16))
        return [column.ring(row), ring(dot, buff=6), name]
