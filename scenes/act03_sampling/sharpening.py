"""Temperature, and three rules that cut the tail."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, Rectangle, VGroup

from scenes.act03_sampling.story import LANES, ROWS
from scenes.kit import (FIGURE, NOTE, SMALL, STAGE, Bars, Column, CutBars, Formula, Label, Node,
                        Paragraph, number, paint, px, visible)
from scenes.lessons.shares import column, running_sums
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["temperature", "the_cut"]


@beat("layers/sampler.py:9", source="computed", least={3: 45})
def temperature(act: Act) -> None:
    story, heats = act.story, act.story.heats
    # One row of logits on the left; a chart for each of three temperatures.
    shares = [story.lane_shares(heat.temperature) for heat in heats]
    charts = [Bars([], [0] * (LANES + 1), roles=["q", "k"] + ["muted"] * (LANES - 1), length=290,
                   thickness=36, pitch=50, full=max(map(max, shares)))
              .stand(STAGE.at(x, -104, UP + LEFT)) for x in (480, 930, 1380)]
    names = Column(charts[0], [*story.lanes, act.label("others_row", n=story.facts["rest"])], -250,
                   roles=["ink"] * LANES + ["muted"])
    logits = Column(charts[0], [story.logit(k) for k in range(LANES)], -90, roles="muted",
                    head=Label(act.label("logit"), NOTE), above=66)
    heads = [number(act.label("at", t=f"{heat.temperature:g}"), FIGURE)
             .move_to(chart.at(0) + UP * px(66), LEFT) for heat, chart in zip(heats, charts)]
    note = Paragraph(act.label("left_out"), SMALL, width=1790)
    note.move_to(STAGE.at(0, 14, DOWN + LEFT), LEFT)
    rule = Formula('p = e^("logit" \\/ T) / (sum e^("logit" \\/ T))', 56)
    act.move(names, logits, note, pace=EASY)
    act.move(rule.move_to(STAGE.at(0, 94, DOWN + LEFT), LEFT))
    act.add(charts[1])
    act.move(heads[1], charts[1].to(shares[1], column(shares[1])), pace=30)
    # Colder and hotter, each from the middle one's lengths: sharper, flatter, the same order.
    act.next_line()
    for k in (0, 2):
        act.add(charts[k])
        act.move(charts[k].to(shares[1]), pace=BRISK)
        act.move(heads[k], charts[k].to(shares[k], column(shares[k])), pace=SLOW)
    act.next_line()
    _second_best(act, charts)


def _second_best(act: Act, charts: list[Bars]) -> None:
    """A band over the second row, and how often it comes for each hundred of the best."""
    band = Rectangle(width=STAGE.width, height=px(48), stroke_width=2.5,
                     stroke_color=paint("focus"), fill_opacity=0)
    low = charts[0].at(LANES)[1] - px(70)
    ratio = Formula(f'"100" times e^(-{act.story.lead} \\/ T) approx', 50, "k")
    act.move(band.set_y(charts[0].at(1)[1]))
    act.move(ratio.move_to([STAGE.left + px(446), low, 0], RIGHT))
    for chart, key in zip(charts, ("r0", "r1", "r2")):
        row = VGroup(number(act.story.facts[key], 40, "k", "bold"),
                     Label(act.label("per_hundred"), NOTE))
        row.arrange(RIGHT, buff=px(16), aligned_edge=DOWN).move_to([chart.at(0)[0], low, 0], LEFT)
        act.move(FadeIn(row, shift=UP * px(12)), pace=BRISK)


@beat("sampling_params.py:11", source="computed", least={2: 50})
def the_cut(act: Act) -> None:
    story, p = act.story, act.story.top_rows
    # The best tokens with a row each, all others as one.
    names = [*map(visible, story.tokens[:ROWS]), act.label("others_row", n=len(story.p) - ROWS)]
    chart = CutBars(names, p, column(p), "q", left=-262, right=768, length=470, thickness=36,
                    pitch=56).stand(STAGE.at(262, -96, UP + LEFT))
    act.move(chart, pace=SLOW)
    by_k, by_p = story.cuts
    kept = [act.label("kept", n=rule.count, mass=story.mass(rule)) for rule in story.cuts]
    cards = VGroup(*(Node(act.label(key), note, role, 560, 128) for key, note, role in (
        ("greedy", act.label("kept_one"), "muted"), ("top_k", kept[0], "muted"),
        ("top_p", kept[1], "muted"), ("engine_rule", act.label("engine_only"), "v"))))
    greedy, top_k, top_p, own = STAGE.place(cards.arrange(DOWN, buff=px(26)), RIGHT, y=14)
    # Greedy keeps one.
    act.move(chart.cut(1), greedy, pace=EASY)
    act.move(greedy.light(), pace=QUICK)
    # Top-k keeps a number of tokens; top-p as many as reach a sum.
    act.next_line()
    act.move(greedy.calm(), pace=BLINK)
    act.move(chart.cut(by_k.count), top_k, pace=EASY)
    act.move(top_k.light(), pace=QUICK)
    act.rest(9)
    act.move(top_k.calm(), chart.sums(running_sums(p), act.label("running")), pace=SLOW)
    act.move(chart.cut(by_p.count, (1 - by_p.mass) / (p[-1] or 1)), top_p, pace=EASY)
    act.move(top_p.light(), pace=QUICK)
    # This engine cuts nothing.
    act.next_line()
    act.move(top_p.calm(), chart.whole(), pace=EASY)
    act.move(FadeIn(own, shift=UP * px(14)), pace=EASY)
