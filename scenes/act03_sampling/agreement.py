"""Ten thousand races, and the engine's own draws, against p: the rows count wins."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, Line, Rectangle, VGroup

from scenes.act03_sampling.rows import LIFT, PITCH, ROLES, SIZE, START, row
from scenes.act03_sampling.story import LANES
from scenes.kit import Bars, Label, Readout, mix, number, paint, px, ring
from scenes.kit.base.motion import replace
from scenes.lessons.shares import column, standard_errors
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["ten_thousand_races"]

_LENGTH = 1020  # px: the longest bar
_APART = 15  # px above and below a row's middle: races, and the engine


class Bands(VGroup):
    """One standard error around each of `field`, and p itself as a line; `scale` px for 1."""

    def __init__(self, field: np.ndarray, scale: float, draws: int) -> None:
        self._field, self._scale = field, scale
        self.lines = VGroup(*(Line(DOWN * px(33), UP * px(33), stroke_width=5, color=paint("focus"))
                              .move_to(row(k, START + scale * p) + LIFT).set_z_index(2)
                              for k, p in enumerate(field)))
        self.bands = VGroup(*(Rectangle(width=1, height=px(66), stroke_width=0, fill_opacity=1,
                                        fill_color=mix("focus", 0.4)) for _ in field))
        super().__init__(self.bands, self.lines)
        self._span(self.bands, draws)

    def _span(self, bands: VGroup, draws: int) -> None:
        errors = standard_errors(self._field, draws)
        for k, (band, p, error) in enumerate(zip(bands, self._field, errors)):
            low, high = max(p - error, 0), min(p + error, 1)
            band.stretch_to_fit_width(px(max(self._scale * (high - low), 2)))
            band.move_to(row(k, START + self._scale * (low + high) / 2) + LIFT)

    def to(self, draws: int) -> list:
        """Animations to the bands of so many draws."""
        targets = self.bands.copy()
        self._span(targets, draws)
        return [band.animate.become(target) for band, target in zip(self.bands, targets)]


@beat("layers/sampler.py:11", source="recorded", variant="judging", carries="names speeds",
      least={1: 56})
def ten_thousand_races(act: Act) -> None:
    contest = act.story.measured
    field = contest.field
    (_, few), *later = contest.shares()
    most = 1.05 * max(*field, *act.story.engine_shares, *few, 0.1)
    _speeds(act, column(field))
    # Each race that a token wins makes its row longer.
    bars = _bars([0] * len(field), most, ROLES, 40)
    counter = Readout(act.label("races_n", n=10), 64, "ink", anchor=LEFT)
    counter.move_to(row(LANES + 1.4, START) + LIFT, LEFT)
    act.cue("rain")
    act.add(bars)
    act.move(counter, bars.bars, pace=QUICK)
    act.move(bars.to(few), pace=36)
    bands = Bands(field, _LENGTH / most, 10)
    act.cue("line")
    act.move(FadeIn(bands.lines), pace=BRISK)
    # What chance alone does, and how it narrows.
    act.cue("band")
    act.move(FadeIn(bands.bands), pace=SLOW)
    act.add(bands)
    for cue, (n, shares) in zip(("hundred", "thousand", "all"), later):
        act.cue(cue)
        act.move(bars.to(shares), bands.to(n), counter.to(act.label("races_n", n=f"{n:,}")),
                 pace=SLOW)
    _engine(act, bars, most, counter)


def _speeds(act: Act, texts: list[str]) -> None:
    """The column of p is that of the temperature at which the engine drew."""
    old = act.kept.speeds
    new = VGroup(*(number(text, SIZE).move_to(speed, RIGHT) for text, speed in zip(texts, old)))
    changed = [k for k, text in enumerate(texts) if text != old[k].text]
    if changed:
        act.move([replace(old[k], new[k]) for k in changed], pace=QUICK)


def _bars(shares, most: float, roles, thickness: float) -> Bars:
    """Counted shares as bars in their rows."""
    bars = Bars([], shares, roles=roles, length=_LENGTH, thickness=thickness, pitch=PITCH,
                full=most)
    bars.axis.set_opacity(0)
    return bars.stand(row(0, START) + LIFT).set_z_index(1)


def _engine(act: Act, bars: Bars, most: float, counter: Readout) -> None:
    """The engine's own draws beside the races; whose share is furthest from p, and what of it."""
    story = act.story
    shares = story.engine_shares
    theirs = _bars([0] * len(shares), most, ["ink"] * len(shares), 24).shift(DOWN * px(_APART))
    names = [Label(act.label(key), 32, "ink").move_to(
        row(0, START + _LENGTH + 40) + LIFT + up * px(_APART + 4), LEFT)
        for key, up in (("races", UP), ("engine", DOWN))]
    act.cue("engine")
    act.add(theirs)
    act.move([bar.animate.stretch_to_fit_height(px(24)).shift(UP * px(_APART))
              for bar in bars.bars], theirs.to(shares), names, pace=36)
    act.cue("off")
    lane, which = story.furthest
    bar = (bars, theirs)[which].bars[lane]
    far = Label(act.label("away"), SIZE, "focus").move_to(
        row(lane, START + 60) + LIFT + RIGHT * bar.width, LEFT)
    act.move(ring(bar, buff=7, corner=4), None if story.judging == "sure" else far, pace=EASY)
    act.cue("fair")
    verdict = Label(act.label(f"verdict_{story.judging}"), 56, "focus", "semibold")
    act.move(replace(counter, verdict.move_to(counter, LEFT)), pace=EASY)
