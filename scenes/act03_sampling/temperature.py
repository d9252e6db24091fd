"""Temperature, and three rules that cut the tail."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Rectangle, VGroup

from scenes.act03_sampling.rows import FOOT, PITCH, lower, name_rows, row, row_bars, words_row
from scenes.act03_sampling.story import LANES, ROWS
from scenes.kit import (BODY, FIGURE, NOTE, SMALL, STAGE, Bars, CutBars, Formula, Label, Node,
                        number, paint, px)
from scenes.kit.base.motion import come, leave, replace
from scenes.lessons.shares import chance, column
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["temperature", "the_cut"]

_CHARTS = (160, 640, 1120)  # px from where the rows begin
_APART = DOWN * px(24)  # all others together stand apart from the tokens


@beat("layers/sampler.py:9", source="computed", carries="prompt hole names chart",
      least={1: 52, 2: 46, 3: 44})
def temperature(act: Act) -> None:
    story, chart, names = act.story, act.kept.chart, act.kept.names
    # The logits become a column, the bars go: only what is written stays.
    stay, gone = names[:LANES], names[LANES:]
    logits = VGroup(*chart.figures[:LANES])
    others = words_row(act.label("together", n=story.facts["seen_rest"]), LANES).shift(_APART)
    act.move(FadeOut(chart.axis), FadeOut(chart.bars), leave(gone),
             FadeOut(VGroup(*chart.figures[LANES:])), come(others),
             [figure.animate.move_to(row(k, 110), RIGHT) for k, figure in enumerate(logits)],
             Label(act.label("logit"), NOTE).move_to(row(0, 110, 50), RIGHT), pace=SLOW)
    rule = Formula('p = e^("logit" \\/ T) / (sum e^("logit" \\/ T))', 50)
    act.move(rule.move_to(lower(668), LEFT))
    shares = [story.shares(heat) for heat in story.heats]
    charts = [_chart(max(map(max, shares)), x) for x in _CHARTS]
    heads = [number(act.label("at", t=f"{heat:g}"), FIGURE).move_to(row(0, x, 50), LEFT)
             for heat, x in zip(story.heats, _CHARTS)]
    note = Label(act.label(f"note_{story.whole}"), SMALL).move_to(lower(668, 620), LEFT)
    act.cue("one")
    act.add(charts[1])
    act.move(heads[1], charts[1].to(shares[1], column(shares[1])), note, pace=SLOW)
    # Colder and hotter, each from the middle one's lengths.
    for k, key in ((0, "cold"), (2, "hot")):
        act.cue(key)
        act.add(charts[k])
        act.move(heads[k], charts[k].to(shares[1]), pace=BRISK)
        act.move(charts[k].to(shares[k], column(shares[k])), pace=SLOW)
    _second_best(act, charts)
    # The order stays: one line down all three charts.
    act.cue("order")
    frames = [Rectangle(width=px(412), height=px(46), stroke_width=4, stroke_color=paint("focus"))
              .move_to(row(0, x - 8), LEFT) for x in _CHARTS]
    act.move(frames, pace=EASY)
    act.keep(names=VGroup(*stay), others=others)


def _chart(full: float, x: float) -> Bars:
    """Empty bars of the tokens and, apart and in outline, of all others together."""
    chart = row_bars([0] * (LANES + 1), 270, full, x)
    chart.axis.put_start_and_end_on(chart.axis.get_start(), row(LANES - 1, x, -25))
    chart.bars[LANES].shift(_APART).set_fill(opacity=0).set_stroke(paint("muted"), 3)
    return chart


def _second_best(act: Act, charts: list[Bars]) -> None:
    """How often the second token comes for each hundred of the best, at each temperature."""
    ratio = Formula(f'"100" e^(-{act.story.lead} \\/ T)', 50, "e")
    act.cue("count")
    act.move(ratio.move_to(lower(668, 350), LEFT), pace=BRISK)
    act.cue("ratio")
    for chart, key in zip(charts, ("r0", "r1", "r2")):
        found = VGroup(number(act.story.facts[key], 32, "e", "bold"),
                       Label(act.label("per_hundred"), NOTE)).arrange(RIGHT, buff=px(16))
        act.move(FadeIn(found.next_to(chart.figures[1], RIGHT, px(22)), shift=UP * px(12)),
                 pace=QUICK)


@beat("sampling_params.py:11", source="computed", variant="cutting",
      carries="prompt hole names others", least={2: 36})
def the_cut(act: Act) -> None:
    story, rows = act.story, act.story.cut_rows
    # Ten tokens with a row each, the other recorded ones as one, all the rest as one.
    chart = CutBars([], rows, column(rows), "ink", -FOOT[0], 830, length=660, thickness=34,
                    pitch=PITCH, full=max(rows), size=30).stand(row(0))
    more = name_rows(story.tokens[LANES:ROWS], LANES)
    lumps = [words_row(act.label("others_inside", n=story.facts["recorded"] - ROWS), ROWS),
             words_row(act.label("others_outside"), ROWS + 1)]
    act.move(leave(act.kept.others), come(more), chart.axis, chart.bars[:-1], chart.figures[:-1],
             lumps[0], pace=EASY)
    act.cue("outside")
    act.move(chart.bars[-1], chart.figures[-1], lumps[1], pace=EASY)
    act.add(chart)
    cards = VGroup(*(Node(act.label(key), note, "muted", 620, 136, size=38) for key, note in (
        ("greedy", _together(act, 1)), ("top_k", _together(act, story.params.top_k)),
        ("top_p", _together(act, story.top_p_count)))))
    STAGE.place(cards.arrange(DOWN, buff=px(18)), RIGHT + UP, y=FOOT[1] + 40)
    # Greedy, top-k, top-p: the line moves down.
    calmed: list = []
    for key, card, kept in zip(("greedy", "topk", "topp"), cards,
                               (1, story.params.top_k, story.top_p_count)):
        act.cue(key)
        act.move(card, card.light(), calmed,
                 chart.cut(*_line(story, kept)), pace=30)
        calmed = [card.calm()]
    # This engine has none of the three.
    act.cue("none")
    own = Node(act.label("only"), act.label("zero"), "focus", 620, 136, size=42)
    own.next_to(cards, DOWN, buff=px(18))
    heading, zero = own[1]
    act.move(calmed, chart.whole(), own.box, heading, [_absent(act, c) for c in cards[1:]],
             pace=SLOW)
    act.cue("zero")
    act.move(zero, _absent(act, cards[0]))


def _absent(act: Act, card: Node) -> list:
    """Animations: a rule that this engine does not have says so, and fades."""
    heading, note = card[1]
    return [heading.animate.set_opacity(0.55),
            replace(note, Label(act.label("absent"), BODY).move_to(note).set_z_index(1))]


def _line(story, kept: int | None) -> tuple[int, float]:
    """Where the line stands, in rows, and which share of the last row lies below it."""
    rows, recorded = len(story.cut_rows), story.facts["recorded"]
    if kept is None:
        return (rows, 0.0 if story.cutting == "nothing" else 0.5)
    if kept <= ROWS:
        return kept, 0.0
    inside = 1 - (story.p(story.seen)[ROWS:kept].sum() / (story.cut_rows[ROWS] or 1))
    return (ROWS + 1, inside if kept < recorded else 0.0)


def _together(act: Act, kept: int | None) -> str:
    """What a rule keeps has this much probability together."""
    if kept is None:
        return act.label("sum_all" if act.story.cutting == "nothing" else "sum_more")
    return act.label("sum", mass=chance(float(act.story.p(act.story.seen)[:kept].sum()), 4))
