"""The question, the engine around it, and the last position's way to a row of scores."""

import numpy as np
from manim import (DOWN, LEFT, RIGHT, UP, ArcBetweenPoints, Create, FadeIn, FadeOut, LaggedStart,
                   Polygon, Rectangle, ReplacementTransform, VGroup)

from scenes.act03_sampling.rows import (FOOT, PITCH, ROLES, SIZE, dimmed, divider, floor,
                                        hole_after, name_rows, row, sentence)
from scenes.act03_sampling.story import LANES
from scenes.kit import (STAGE, Bars, Chips, KVCell, Label, Race, Slot, arrow, mix, paint, place,
                        px, ring)
from scenes.stage import EASY, QUICK, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["only_the_last_row", "the_logits", "the_question"]

_HIGH = 140  # px: the column of the highest score
_TALL, _SHORT = 380, 200  # px: a vector, before and after the LM head needs room
_FAN = (384, 500)  # px under the stage's top: the LM head's narrow and its wide side


@beat(header=False)
def the_question(act: Act) -> None:
    # The end of the prompt, an empty place; and a race whose flags are not planted yet.
    texts = act.story.journey.prompt["texts"]
    chips = Chips(texts[-5:], "c", "ra", 1500, 42, 92)
    hole = place(160, 92, "focus")
    race = Race([], [2.6] * 4, 2.6, ["muted"] * 4, 1500, 76, runner=22)
    race.goals.set_opacity(0)
    motif = VGroup(VGroup(chips, hole).arrange(RIGHT, buff=px(8)), race)
    act.title_card(motif.arrange(DOWN, buff=px(56), aligned_edge=LEFT))
    act.cue("row")
    act.move(ring(hole, buff=8, corner=8), pace=EASY)
    act.cue("race")
    act.move(race.run((0.9, 0.5, 0.7, 0.3), 1.6), pace=32)


@beat(("layers/embed_head.py:59", "engine/llm_engine.py:49"), steps=(1,), least={1: 44, 5: 50})
def only_the_last_row(act: Act) -> None:
    # The engine; into its model, with one prompt whose next token is open.
    engine = EngineMap({key: act.label(key) for key in (*NODES, "waiting", "running")})
    act.move(engine, pace=SLOW)
    for before, node in ((None, "model"), ("model", "sampler")):
        act.cue(node)
        act.move(engine.calm(before) if before else None, engine.light(node), pace=SLOW)
    prompt = sentence(act)
    act.cue("enter")
    act.move(engine.calm("sampler"), engine.light("model"), pace=QUICK)
    act.move(engine.enter("model"), pace=30)
    act.move(FadeIn(prompt, shift=DOWN * px(30)), pace=15)
    act.cue("hole")
    act.move(FadeIn(hole := hole_after(prompt)), pace=SLOW)
    act.keep(prompt=prompt, hole=hole)
    _predict(act)
    _project(act)


def _predict(act: Act) -> None:
    """Every position's vector could predict the token after it; the last one's is open."""
    prompt, hole = act.kept.prompt, act.kept.hole
    bars = VGroup(*(_vector(chip) for chip in prompt))
    act.cue("vectors")
    act.move(LaggedStart(*(FadeIn(bar, shift=DOWN * px(40)) for bar in bars), lag_ratio=0.08),
             pace=40)
    ways = [arrow(bar.get_top(), goal.get_bottom(), "muted", 6, 5)
            for bar, goal in zip(bars, [*prompt[1:], hole])]
    act.cue("predict")
    act.move(LaggedStart(*map(FadeIn, ways), lag_ratio=0.1), pace=36)
    # The others' answers stand there already.
    act.cue("known")
    act.move(LaggedStart(*(way.animate.set_opacity(0.25) for way in ways[:-1]), lag_ratio=0.1),
             LaggedStart(*(chip.animate.turn("c") for chip in prompt[1:]), lag_ratio=0.1),
             pace=36)
    act.cue("open")
    act.move(ways[-1].animate.set_color(paint("focus")),
             bars[-1].animate.set_stroke(paint("focus"), 6).set_fill(paint("glow")), pace=SLOW)
    # What the earlier ones are for: their K and V.
    cells = VGroup(*(KVCell(Slot.CACHED, 54, 88).next_to(bar, DOWN, buff=px(36)) for bar in bars))
    act.cue("kv")
    act.move(LaggedStart(*(FadeIn(cell, shift=DOWN * px(60)) for cell in cells), lag_ratio=0.1),
             [bar.animate.set_opacity(0.3) for bar in bars[:-1]], pace=50)
    # A later token reads them.
    reads = VGroup(*(ArcBetweenPoints(cell.get_bottom(), cells[-1].get_bottom(), angle=0.5,
                                      stroke_width=4, color=paint("muted"))
                     for cell in cells[:-1]))
    act.cue("read")
    act.move(LaggedStart(*map(Create, reads), lag_ratio=0.12), pace=42)
    act.keep(bars=bars, cells=cells, reads=reads)


def _vector(chip: VGroup) -> Rectangle:
    bar = Rectangle(width=px(44), height=px(_TALL), stroke_width=3, stroke_color=paint("muted"),
                    fill_color=mix("muted", 0.4), fill_opacity=1)
    return bar.next_to(chip, DOWN, buff=px(76))


def _project(act: Act) -> None:
    """The last vector alone goes into the LM head, which fans out into a score for each token."""
    bars, last = act.kept.bars, act.kept.bars[-1]
    (top, bottom), x, wide = _FAN, last.get_x(), STAGE.width / px(1)
    corners = [floor(top, 0)[1], floor(bottom, 0)[1]]
    fan = Polygon([x - px(60), corners[0], 0], [x + px(60), corners[0], 0],
                  floor(bottom, wide), floor(bottom), stroke_width=3,
                  stroke_color=paint("muted"), fill_color=mix("muted", 0.16), fill_opacity=1)
    name = Label(act.label("lm_head"), SIZE, weight="semibold").move_to(
        [(x + 2 * fan.get_x()) / 3, floor(bottom - 44)[1], 0]).set_z_index(1)
    act.cue("head")
    act.move([bar.animate.stretch_to_fit_height(px(_SHORT)).align_to(bar, UP) for bar in bars],
             FadeOut(act.kept.reads), FadeOut(act.kept.cells, shift=DOWN * px(60)),
             FadeIn(fan, shift=UP * px(80)), FadeIn(name, shift=UP * px(80)), pace=SLOW)
    taken = last.copy().set_z_index(3)
    act.move(taken.animate.scale(0.4).move_to([x, floor(top + 12)[1], 0]), pace=EASY)
    columns = _skyline(act)
    note = Label(act.label("by_id"), 32).move_to(floor(bottom + 48, wide / 2))
    act.cue("skyline")
    act.move(FadeOut(taken), LaggedStart(*(FadeIn(c, target_position=fan.get_top())
                                           for c in columns), lag_ratio=0.01), note, pace=36)
    act.keep(columns=columns)


def _skyline(act: Act) -> VGroup:
    """The recorded scores in the order of the vocabulary, as columns over the stage's width."""
    story = act.story
    order, best = np.argsort(story.journey.steps[0]["top_ids"]), max(story.logits)
    step = STAGE.width / len(order)
    columns = VGroup(*(Rectangle(width=step * 0.7, height=max(px(_HIGH) * logit / best, px(3)),
                                 stroke_width=0, fill_color=paint("muted"), fill_opacity=1)
                       for logit in story.logits))
    for at, k in enumerate(order):
        columns[k].move_to(STAGE.at(0, 0, DOWN + LEFT) + RIGHT * step * (at + 0.5), DOWN)
    return columns


@beat("layers/embed_head.py:61", steps=(1,), carries="prompt hole columns", least={1: 70})
def the_logits(act: Act) -> None:
    # The highest columns fly into rows, the best on top; all others shrink into the last row.
    story, columns = act.story, act.kept.columns
    best, others = columns[:LANES], columns[LANES:]
    act.move(map(dimmed, act.kept.prompt), pace=QUICK)
    act.cue("best")
    act.move(LaggedStart(*(column.animate.shift(UP * px(60)).set_fill(paint(role))
                           for column, role in zip(best, [*ROLES[:2], *["ink"] * LANES])),
                         lag_ratio=0.15), others.animate.set_opacity(0.4), pace=SLOW)
    logits, names = story.logits[:LANES], name_rows(act)
    chart = Bars([], [*logits, 0], roles=ROLES, length=1100, thickness=48, pitch=PITCH,
                 full=logits[0], size=SIZE).stand(row(0, FOOT))
    act.cue("sort")
    act.move(LaggedStart(*(ReplacementTransform(column, bar)
                           for column, bar in zip(best, chart.bars)), lag_ratio=0.25),
             LaggedStart(*(FadeIn(name, shift=RIGHT * px(20)) for name in names[:-1]),
                         lag_ratio=0.25),
             others.animate.set_opacity(1).stretch_to_fit_height(px(40)).stretch_to_fit_width(
                 px(1100)).move_to(row(LANES, FOOT), LEFT), pace=44)
    act.move(names[-1], chart.axis, apart := divider(), pace=QUICK)
    act.cue("score")
    act.move(chart.to(logits, [story.logit(k) for k in range(LANES)]), pace=36)
    # By how much the best one leads.
    act.cue("lead")
    span = chart.lead(0, 1)
    ahead = Label(act.label("ahead"), SIZE, "focus").next_to(chart.figures[1], RIGHT, px(60))
    act.move(span, ahead, pace=EASY)
    act.keep(names=names, chart=chart, others=others, apart=apart)
