"""Temperature, and three rules that cut the tail: the same bars, and one dial."""

from manim import LEFT, RIGHT, FadeIn, FadeOut, Line, Mobject, VGroup

from scenes.act03_sampling.rows import SIZE, floor, row
from scenes.act03_sampling.story import LANES
from scenes.kit import STAGE, Dial, Formula, Label, Readout, number, paint, px, ring
from scenes.kit.base.motion import replace
from scenes.lessons.shares import chance, column
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["temperature", "the_cut"]

_MIDDLE = 1530  # px: dial and rules stand around this line, right of the bars
_BAR = 1200  # px: the longest bar at any temperature


@beat("layers/sampler.py:9", source="computed", carries="prompt hole names chart others apart")
def temperature(act: Act) -> None:
    story, chart, others = act.story, act.kept.chart, act.kept.others
    # The bars become probabilities; what was all the others is one bar, too.
    shares = [story.shares(heat) for heat in story.heats]
    _, now, high = story.heats
    chart.full, chart.length = max(map(max, shares)), _BAR
    chart.bars[LANES].set_fill(opacity=0).set_stroke(paint("muted"), 3)
    chart.bars[LANES].stretch_to_fit_height(px(28))
    act.cue("soft")
    act.move(chart.bare(), pace=QUICK)
    act.move(chart.to(shares[1], column(shares[1])), FadeOut(others), pace=36)
    act.add(chart)
    top = 2 if high <= 2 else 3
    dial = Dial((0, *story.heats), top, now, act.label("at", t=f"{now:g}"), 120)
    dial.shift(row(2.95, _MIDDLE) - dial.hub.get_center())
    rule = Formula('p = e^("logit" \\/ T) / (sum e^("logit" \\/ T))', 52)
    rule.move_to(row(5.75, _MIDDLE))
    note = _basis(act, now)
    act.cue("divide")
    act.move(dial, rule, note, pace=SLOW)
    # How often the second token comes for each hundred of the best.
    act.cue("count")
    found = _per_hundred(act, 1)
    marked = ring(VGroup(*act.kept.names[:2]), buff=12, corner=8)
    act.move(marked, pace=QUICK)
    act.move(FadeIn(found, shift=RIGHT * px(20)), pace=EASY)
    for cue, k in (("cold", 0), ("hot", 2)):
        act.cue(cue)
        found, note = _turn(act, dial, k, found, note, shares[k])
    act.cue("order")
    act.move(FadeOut(found), marked.animate.become(
        ring(VGroup(*act.kept.names[:LANES]), buff=12, corner=8)), pace=36)
    act.cue("back")
    k = story.heats.index(story.params.temperature)
    act.move(chart.bare(), pace=6)
    act.move(chart.to(shares[k], column(shares[k])), dial.to(story.heats[k], _at(act, k)),
             replace(note, _basis(act, story.heats[k])), pace=SLOW)
    act.keep(dial=dial)


def _at(act: Act, k: int) -> str:
    return act.label("at", t=f"{act.story.heats[k]:g}")


def _basis(act: Act, heat: float) -> Mobject:
    """Of which tokens the p are the shares, where that is not the whole vocabulary."""
    if act.story.recorded_at(heat):
        return VGroup()
    return Label(act.label("part"), 32).move_to(floor(100, STAGE.width / px(1)), RIGHT)


def _per_hundred(act: Act, k: int) -> VGroup:
    """How far the two best tokens are apart, and how often the second comes for that."""
    found = VGroup(
        Label(act.label("gap", gap=act.story.gap(act.story.heats[k])), SIZE, "focus", "semibold"),
        number("→", SIZE, "muted"), number(act.story.facts[f"r{k}"], SIZE, "e", "bold"),
        Label(act.label("per_hundred"), 36)).arrange(RIGHT, buff=px(22))
    return found.next_to(act.kept.chart.figures[1], RIGHT, px(48))


def _turn(act: Act, dial: Dial, k: int, found: VGroup, note: Mobject,
          shares) -> tuple[VGroup, Mobject]:
    """The needle turns, and all bars follow; then the second token is counted again."""
    chart, basis = act.kept.chart, _basis(act, act.story.heats[k])
    act.move(chart.bare(), FadeOut(found), pace=QUICK)
    act.move(dial.to(act.story.heats[k], _at(act, k)), chart.to(shares, column(shares)),
             replace(note, basis), pace=42)
    found = _per_hundred(act, k)
    act.move(FadeIn(found, shift=RIGHT * px(20)), pace=EASY)
    return found, basis


class Cut:
    """A line between the rows: what is below loses its colour, in the last row a part of it."""

    def __init__(self, act: Act) -> None:
        self._rows = [VGroup(name, bar, figure) for name, bar, figure in zip(
            act.kept.names, act.kept.chart.bars, act.kept.chart.figures)]
        self.line = Line(row(0, 0), row(0, 1000), stroke_width=6, color=paint("focus"))
        self._kept = LANES + 1
        self.part: list[Mobject] = []

    def under(self, kept: int, part: float = 0.0) -> list:
        """Animations to a cut under `kept` rows, and under a `part` of the last one."""
        line = self.line.copy().set_y(row(min(kept + (part > 0), LANES + 1) - 0.5)[1])
        moves = [FadeOut(self.line), FadeIn(line), *self._lift()]
        self.line = line
        for k, (name, bar, figure) in enumerate(self._rows):
            if (k < kept) != (k < self._kept):
                moves += _dim((name, figure), 1 if k < kept else 0.3)
                moves += _dim((bar,), 1 if k < kept else 0.25, k == LANES)
        self._kept = kept
        if 0 < part < 1:
            bar = self._rows[LANES][1]
            inside = bar.copy().set_fill(paint("muted"), 1).set_stroke(width=0)
            inside.stretch_to_fit_width(bar.width * part).move_to(bar, LEFT)
            self.part = [inside]
            moves.append(FadeIn(inside))
        return moves

    def _lift(self) -> list:
        part, self.part = self.part, []
        return list(map(FadeOut, part))


def _sum(p: float) -> str:
    """A sum of probabilities, to two digits: as one gets it from those shown."""
    return chance(float(p), 2)


def _dim(things, share: float, outline: bool = False) -> list:
    return [thing.animate.set_stroke(opacity=share) if outline else
            thing.animate.set_fill(opacity=share) for thing in things]


@beat("sampling_params.py:11", source="computed", variant="cutting",
      carries="prompt hole names chart dial apart", least={3: 62})
def the_cut(act: Act) -> None:
    story, chart, dial = act.story, act.kept.chart, act.kept.dial
    shares = story.shares(story.seen)
    # Where only a part was known, the whole row comes: that of the recorded temperature.
    if story.whole == "part":
        chart.full = max(chart.full, *shares)
        act.move(chart.to(shares, column(shares)), dial.to(story.seen, act.label(
            "at", t=story.facts["seen"])), pace=EASY)
    cut = Cut(act)
    cut.line.set_y(row(LANES + 0.5)[1])
    p = story.p(story.seen)
    title = Label(act.label("greedy"), 68, weight="semibold").move_to(row(1.9, _MIDDLE))
    total = Readout(_sum(p.sum()), 120, "ink", anchor=(0, 0, 0))
    total.move_to(row(3.7, _MIDDLE))
    name = Label(act.label("sum"), 40, "muted").move_to(row(5, _MIDDLE))
    act.cue("greedy")
    act.move(FadeOut(dial), FadeIn(title), cut.line, pace=QUICK)
    act.move(cut.under(1), total.to(_sum(p[0])), name, pace=SLOW)
    act.cue("topk")
    title, old = Label(act.label("top_k"), 68, weight="semibold").move_to(title), title
    act.move(replace(old, title), cut.under(*story.cut(story.params.top_k)),
             total.to(_sum(p[:story.params.top_k].sum())), pace=SLOW)
    act.keep(rule=[title, total, name])
    _add_up(act, cut)
    _nothing(act, cut, dial)


def _add_up(act: Act, cut: Cut) -> None:
    """The line goes down row by row, a sum beside it, until the sum is large enough."""
    story = act.story
    p, (rows, part) = story.p(story.seen), story.cut(story.top_p_count)
    old, total, name = act.kept.rule
    title = Label(act.label("top_p"), 68, weight="semibold").move_to(old)
    act.cue("sum")
    act.move(replace(old, title), cut.under(1), total.to(_sum(p[0]), "focus"),
             pace=BRISK)
    for kept in range(2, min(rows, LANES) + 1):
        act.move(cut.under(kept), total.to(_sum(p[:kept].sum())), pace=9)
    act.cue("topp")
    count = story.top_p_count
    last = (_sum(p[:count].sum()) if count else
            "1" if story.cutting == "nothing" else "> " + _sum(p.sum()))
    act.move(cut.under(rows, part), total.to(last), pace=30)
    act.keep(rule=[title, total, name])


def _nothing(act: Act, cut: Cut, dial: Dial) -> None:
    """This engine has none of the three: all rows are back, with the dial alone, never at 0."""
    act.cue("none")
    act.move(list(map(FadeOut, act.kept.rule)), cut.under(LANES + 1), pace=SLOW)
    act.move(FadeOut(cut.line), pace=6)
    act.move(FadeIn(dial), pace=EASY)
    act.cue("zero")
    stop = dial.stops[0]
    refused = Label(act.label("zero"), SIZE, "focus", "semibold").move_to(row(6.4, _MIDDLE))
    act.move(ring(stop, buff=10, corner=8), refused, pace=EASY)
