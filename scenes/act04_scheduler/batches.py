"""The same tokens packed twice: as static batches, and as the engine does it, step by step."""

from manim import DOWN, FadeIn, FadeOut, Transform

from traces.columns import columns_of, idle_seats
from scenes.act04_scheduler.world import HANG, appear, figure, wide_shelf
from scenes.kit import Shelf, px
from scenes.kit.base.motion import leave
from scenes.stage import EASY, SLOW, Act, beat

__all__ = ["continuous_batching", "static_batching"]


@beat(source="contrast", variant="batching", carries="packing strip around",
      least={1: 68})
def static_batching(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    shelf = _shelf(act)
    columns = columns_of(story.static_steps)
    # The camera pulls back: the whole run, as the engine packed it.
    act.cue("back")
    own = [token for token in story.tokens if token[0] == story.counted_name]
    packing.drop(0, own[:story.prompts[story.counted_name]], act.kept.strip)
    act.move([leave(thing) for thing in (act.kept.strip, *act.kept.around)],
             packing.furnish(story.static.steps, story.params.budget,
                             act.label("budget", n=story.params.budget), shelf),
             packing.to(story.columns, shelf, 0.04), pace=54)
    act.cue("batch")
    act.move(packing.to(columns, lag=0.05), pace=96)
    # Under the floor hang the seats in which nobody sits.
    marks = packing.empty(idle_seats(story.static), HANG)
    act.cue("empty")
    act.move(appear(marks[:2]), pace=SLOW)
    act.cue("rest")
    act.move(appear(marks[2:], 0.2), pace=75)
    figures = [figure(act.label("total", n=story.static.steps))]
    act.cue("total")
    act.move(figures[0], pace=EASY)
    figures.append(figure(act.label("idle", n=story.static.idle), figures[0], "stop"))
    act.cue("idle")
    act.move(figures[1], pace=EASY)
    act.keep(packing=packing, marks=marks, figures=figures)


@beat("engine/scheduler.py:25", source="contrast", variant="joining",
      carries="packing marks figures")
def continuous_batching(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    # Who is done leaves, who waits joins: the same cells close up.
    act.cue("play")
    marks = packing.empty(idle_seats(story.continuous), HANG)
    gone = act.kept.marks[len(marks):]
    act.move(packing.to(story.columns, lag=0.05), [FadeOut(mark) for mark in gone],
             [Transform(old, new) for old, new in zip(act.kept.marks, marks)], pace=90)
    act.cue("total")
    old, figures = act.kept.figures, [figure(act.label("total", n=story.continuous.steps))]
    act.move(FadeOut(old[0]), FadeIn(figures[0], shift=DOWN * px(20)), pace=EASY)
    figures.append(figure(act.label("idle", n=story.continuous.idle), figures[0], "stop"))
    act.cue("idle")
    act.move(FadeOut(old[1]), FadeIn(figures[1], shift=DOWN * px(20)), pace=EASY)
    act.cue("name")
    act.move(packing.furnish(story.continuous.steps, story.params.budget), pace=SLOW)
    act.keep(packing=packing, marks=act.kept.marks[:len(marks)], figures=figures)


def _shelf(act: Act) -> Shelf:
    story = act.story
    most = max(story.static.steps, len(story.columns))
    under = max(max(idle_seats(run)) for run in (story.static, story.continuous))
    return wide_shelf(most, story.params.budget, under)
