"""Ten thousand races, and the engine's own draws, against p: the rows count wins."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Dot, FadeIn, FadeOut, Line, VGroup

from scenes.act03_sampling.rows import LIFT, PITCH, ROLES, SIZE, START, row
from scenes.act03_sampling.story import LANES
from scenes.kit import Bars, Label, Readout, number, paint, px, ring
from scenes.kit.base.motion import arrive, dim, leave
from scenes.lessons.shares import column, standard_errors
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["ten_thousand_races"]

_LENGTH = 1200  # px: the longest bar
_APART = 15  # px above and below a row's middle: races, and the engine


class Bands(VGroup):
    """A line at each p of `field`, and around it a bracket of one standard error either way;

    `scale` px for 1. Parts: `brackets`, `lines`.
    """

    def __init__(self, field: np.ndarray, scale: float, draws: int) -> None:
        self._field, self._scale = field, scale
        self.lines = VGroup(*(Line(DOWN * px(34), UP * px(34), stroke_width=6, color=paint("focus"))
                              .move_to(row(k, START + scale * p) + LIFT).set_z_index(3)
                              for k, p in enumerate(field)))
        self.brackets = self._around(draws)
        super().__init__(self.brackets, self.lines)

    def _around(self, draws: int) -> VGroup:
        errors = standard_errors(self._field, draws)
        return VGroup(*(self._bracket(k, max(p - error, 0), min(p + error, 1))
                        for k, (p, error) in enumerate(zip(self._field, errors))))

    def _bracket(self, k: int, low: float, high: float) -> VGroup:
        """|—| from one share to another in a row."""
        ends = [row(k, START + self._scale * share) + LIFT for share in (low, high)]
        look = {"stroke_width": 5, "color": paint("ink")}
        return VGroup(Line(*ends, **look), *(
            Line(end + DOWN * px(20), end + UP * px(20), **look) for end in ends)).set_z_index(2)

    def to(self, draws: int) -> list:
        """Animations to the brackets of so many draws."""
        return [old.animate.become(new) for old, new in zip(self.brackets, self._around(draws))]


@beat("layers/sampler.py:11", source="recorded", variant="judging", carries="names speeds rained",
      least={1: 56})
def ten_thousand_races(act: Act) -> None:
    contest = act.story.measured
    field = contest.field
    (_, few), *later = contest.shares()
    chance = field + standard_errors(field, 10)
    most = 1.02 * max(*np.minimum(chance, 1), *act.story.engine_shares, *few, 0.1)
    _speeds(act, column(field))
    act.move(FadeOut(act.kept.rained), FadeIn(act.kept.names), FadeIn(act.kept.speeds), pace=EASY)
    # Each race that a token wins makes its row longer.
    bars = _bars([0] * len(field), most, ROLES, 40)
    counter = Readout("10", 120, "ink", anchor=RIGHT)
    counter.move_to(row(4.2, START + _LENGTH - 20) + LIFT, RIGHT)
    unit = Label(act.label("races_n"), SIZE, "muted").move_to(
        row(5.6, START + _LENGTH - 20) + LIFT, RIGHT)
    act.cue("rain")
    act.add(bars)
    act.move(counter, unit, bars.bars, pace=EASY)
    act.move(bars.to(few), pace=36)
    bands = Bands(field, _LENGTH / most, 10)
    act.cue("line")
    act.move(FadeIn(bands.lines), pace=BRISK)
    # What chance alone does, and how it narrows.
    act.cue("band")
    act.move(FadeIn(bands.brackets), pace=SLOW)
    act.add(bands)
    for cue, (n, shares) in zip(("hundred", "thousand", "all"), later):
        act.cue(cue)
        act.move(bars.to(shares), bands.to(n), counter.to(f"{n:,}"),
                 pace=SLOW)
    act.keep(counter=VGroup(counter, unit))
    _engine(act, bars, most)


def _speeds(act: Act, texts: list[str]) -> None:
    """The column of p is that of the temperature at which the engine drew."""
    for k, (text, old) in enumerate(zip(texts, act.kept.speeds)):
        act.kept.speeds.submobjects[k] = number(text, SIZE).move_to(old.get_right(), RIGHT)


def _bars(shares, most: float, roles, thickness: float) -> Bars:
    """Counted shares as bars in their rows."""
    bars = Bars([], shares, roles=roles, length=_LENGTH, thickness=thickness, pitch=PITCH,
                full=most)
    bars.axis.set_opacity(0)
    return bars.stand(row(0, START) + LIFT).set_z_index(1)


def _engine(act: Act, bars: Bars, most: float) -> None:
    """The engine's own draws beside the races; whose share is furthest from p, and what of it."""
    story = act.story
    shares = story.engine_shares
    theirs = _bars([0] * len(shares), most, ["ink"] * len(shares), 24).shift(DOWN * px(_APART))
    end = START + 40 + _LENGTH * max(story.measured.races.frequencies[1], shares[1]) / most
    names = [Label(act.label(key), 32, "ink").move_to(
        row(1, end) + LIFT + up * px(_APART + 4), LEFT)
        for key, up in (("races", UP), ("engine", DOWN))]
    act.cue("engine")
    act.add(theirs)
    act.move([bar.animate.stretch_to_fit_height(px(24)).shift(UP * px(_APART))
              for bar in bars.bars], theirs.to(shares), names, pace=54)
    _furthest(act, [bars, theirs])


def _furthest(act: Act, bars: list[Bars]) -> None:
    """The bar that is furthest from p, magnified: how far it is in standard errors."""
    story = act.story
    lane, which = story.furthest
    act.cue("off")
    bar, far = bars[which].bars[lane], None
    around = ring(bar, buff=7, corner=4)
    if story.judging != "sure":
        shares = (story.measured.races.frequencies, story.engine_shares)[which]
        far = _magnified(act, lane, float(np.sign(shares[lane] - story.measured.field[lane])))
    act.move(around, pace=BRISK)
    act.move(leave(act.kept.counter), arrive(far, RIGHT * px(40)) if far else None, [
        dim(thing, 0.65) for k in range(LANES + 1) if k != lane
        for thing in (act.kept.names[k], act.kept.speeds[k], *(each.bars[k] for each in bars))],
        pace=SLOW)
    if far and "odds" in act.beat.cues:
        act.cue("odds")
        odds = Label(act.label("by_chance"), 48, "muted").next_to(far, DOWN, px(20))
        act.move(FadeIn(odds, shift=UP * px(16)), pace=EASY)
    act.cue("fair")
    verdict = Label(act.label(f"verdict_{story.judging}"), 60, "focus", "semibold")
    act.move(FadeIn(verdict.move_to(row(LANES + 1.4, START) + LIFT, LEFT), shift=UP * px(16)),
             pace=EASY)


def _magnified(act: Act, lane: int, side: float) -> VGroup:
    """p as a line, the bracket of one standard error, and where the furthest bar ends."""
    middle, unit = row(3.2, START + 800) + LIFT, 130
    look = {"stroke_width": 6, "color": paint("ink")}

    def at(errors: float) -> np.ndarray:
        return middle + RIGHT * px(unit * errors)

    line = Line(at(0) + DOWN * px(60), at(0) + UP * px(60), stroke_width=8, color=paint("focus"))
    bracket = VGroup(Line(at(-1), at(1), **look), *(
        Line(at(k) + DOWN * px(34), at(k) + UP * px(34), **look) for k in (-1, 1)))
    end = at(side * min(act.story.most, 3.6))
    mark = Dot(end, px(20), color=paint(ROLES[lane])).set_z_index(2)
    way = Line(at(0), end, stroke_width=6, color=paint(ROLES[lane])).set_z_index(-1)
    names = VGroup(Label("p", SIZE, "focus", "semibold").next_to(line, UP, px(20)),
                   act.kept.names[lane].copy().next_to(mark, DOWN, px(48)).scale(1.2),
                   Label(act.label("away"), 56).move_to(middle + DOWN * px(190)))
    return VGroup(way, line, bracket, mark, names)
