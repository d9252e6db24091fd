"""Beyond this engine: prefill and decode in one step."""

from manim import DOWN, UP, FadeIn, FadeOut, LaggedStart, VGroup, VMobject

from scenes.act04_scheduler.budgets import flags_of
from traces.columns import columns_of
from scenes.act04_scheduler.world import HANG, appear, figure, wide_shelf
from scenes.kit import Label, Packing, px, ring
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["mixed_steps"]


@beat("engine/scheduler.py:54", source="contrast", variant="mixing", carries="packing left")
def mixed_steps(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    names = [step.stalled if step.phase == "prefill" else () for step in story.trace.steps]
    most, under = max(len(story.columns), len(story.mixed)), max(map(len, names))
    # Our engine's columns once more; under them, who pauses.
    act.cue("ours")
    act.move(*map(leave, act.kept.left),
             packing.to(story.columns, wide_shelf(most, story.params.budget, max(1, under)), 0.02),
             packing.furnish(most, story.params.budget,
                             act.label("budget", n=story.params.budget)), pace=30)
    marks = packing.pauses(names, HANG)
    act.cue("count")
    counts = _counts(act, len(story.columns), story.stalls[0])
    act.move(appear(marks, 0.4), *map(FadeIn, counts), pace=63)
    # The other way: decodes first in every column, then prompts, as far as there is room.
    if "must" in act.beat.cues:
        act.cue("must")
        act.move(frame := ring(marks, buff=8, corner=12))
        act.move(FadeOut(frame), pace=EASY)
    act.cue("first")
    mixed = columns_of(story.mixed)
    gone = [LaggedStart(*map(FadeOut, marks), lag_ratio=0.6)] if len(marks) else []
    act.move(packing.to(mixed, lag=0.12), *gone, *map(leave, counts), pace=96)
    act.move(packing.furnish(len(mixed), story.params.budget), pace=EASY)
    act.cue("stalls")
    left = _counts(act, len(mixed), story.stalls[1])
    for cue, label in zip(("", "none"), left):
        if cue:
            act.cue(cue)
        act.move(FadeIn(label, shift=DOWN * px(20)), pace=EASY)
    if story.price:
        left += _price(act, packing)
    act.keep(packing=packing, left=left)


def _counts(act: Act, steps: int, stalls: int) -> list[Label]:
    """How many steps, and how many pauses."""
    total = figure(act.label("total", n=steps))
    return [total, figure(act.label("stalls", n=stalls), total, "stop" if stalls else "ink")]


def _price(act: Act, packing: Packing) -> list[VMobject]:
    """Whose first token comes later: its letter moves from one step to the other."""
    name, ours, theirs = act.story.price
    marks = []
    if act.story.takers:
        act.cue("price")
        taken = VGroup(*(packing.cells[token] for token in packing.columns[ours - 1]
                         if token[0] in act.story.takers))
        marks.append(ring(taken, buff=6, corner=14))
        act.move(marks[0], pace=EASY)
        act.cue("over")
        rest = VGroup(*(packing.cells[token] for token in packing.columns[theirs - 1]
                        if token[0] == name))
        marks.append(ring(rest, buff=6, corner=14))
        act.move(FadeOut(marks.pop(0)), marks[0], pace=EASY)
    flag = flags_of(packing, {name: ours})[name]
    act.cue("ours-first")
    act.move(FadeIn(flag, shift=UP * px(14)), pace=BRISK)
    act.cue("not")
    act.move(flag.animate(path_arc=0.6).move_to(flags_of(packing, {name: theirs})[name]),
             pace=SLOW)
    return [flag, *marks]
