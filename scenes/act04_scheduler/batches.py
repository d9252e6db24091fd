"""The same tokens packed twice: as the engine does it, step by step, and as static batches."""

from manim import DOWN, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.seated import empty_seats, held_seats
from scenes.act04_scheduler.story import ROLES
from scenes.act04_scheduler.world import figure, slots, wide_shelf
from scenes.kit import Label, Packing, Shelf, paint, px, ring
from scenes.kit.base.motion import dim, leave, vanish
from scenes.stage import BLINK, BRISK, EASY, SLOW, Act, beat
from traces.columns import columns_of
from traces.seats import Seating

__all__ = ["continuous_batching", "static_batching"]

FAINT = 0.35  # how much of its brightness a held seat loses once the empty ones are spoken of


@beat("engine/scheduler.py:25", carries="packing strip around")
def continuous_batching(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    shelf = _shelf(act, story.continuous)
    # The camera pulls back: the whole run, as the engine packed it.
    act.cue("back")
    own = [token for token in story.tokens if token[0] == story.counted_name]
    prompt = own[:story.prompts[story.counted_name]]
    packing.drop(0, prompt, act.kept.strip)
    for token in prompt:  # they are computed, as those of the strip, whose place they take
        packing.cells[token][0].set_fill(paint(ROLES[story.counted_name]))
    tag, *rest = act.kept.around
    act.move([FadeOut(thing) for thing in (tag, *rest)], pace=BLINK)
    act.move(vanish(act.kept.strip), packing.furnish(
        story.continuous.steps, story.params.budget,
        act.label("budget", n=story.params.budget), shelf),
             packing.to(story.columns, shelf, 0.04), pace=57)
    # Who leaves, and who joins.
    last = {name: (name, k) for name, k in story.tokens}
    for cue, tokens in (("out", last.values()), ("in", [(name, 0) for name in last])):
        act.cue(cue)
        frames = [ring(packing.cells[token], buff=4, corner=14) for token in tokens]
        act.move(frames, pace=EASY)
        act.move(*map(FadeOut, frames), pace=BRISK)
    # What a seat is; under the floor hang those in which nobody sits.
    act.cue("seat")
    seats = _seats(act, packing)
    act.move(seats, pace=EASY)
    # Whoever is not finished holds one, also while it pauses: bars under the floor.
    act.cue("held")
    held = held_seats(packing, story.continuous)
    act.move(leave(seats), LaggedStart(*map(FadeIn, held), lag_ratio=0.3), pace=SLOW)
    act.cue("idle")
    marks = empty_seats(packing, story.continuous)
    act.move([dim(box, FAINT) for box, _ in held], _come(marks), pace=SLOW)
    act.cue("total")
    figures = _figures(act, story.continuous.steps, story.continuous.idle)
    act.move(*figures, pace=EASY)
    act.keep(packing=packing, marks=[*held, *marks], figures=figures)


@beat(source="contrast", variant="batching", carries="packing marks figures")
def static_batching(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    # Nobody joins before a batch is done: the same cells, spread over more steps.
    act.cue("batch")
    shelf = _shelf(act, story.static)
    act.move(*map(vanish, (*act.kept.figures, *act.kept.marks)),
             packing.to(story.columns, shelf, 0),
             packing.furnish(story.continuous.steps, story.params.budget, shelf=shelf), pace=SLOW)
    act.move(packing.to(columns_of(story.static_steps), lag=0.05),
             packing.furnish(story.static.steps, story.params.budget), pace=84)
    held, marks = held_seats(packing, story.static), empty_seats(packing, story.static)
    act.move(LaggedStart(*map(FadeIn, held), lag_ratio=0.2), pace=BRISK)
    act.cue("empty")
    act.move([dim(box, FAINT) for box, _ in held], _come(marks[:8]), pace=SLOW)
    act.cue("rest")
    act.move(_come(marks[8:]), pace=66)
    figures = _figures(act, story.static.steps, story.static.idle)
    for cue, label in zip(("total", "idle"), figures):
        act.cue(cue)
        act.move(FadeIn(label, shift=DOWN * 0.2), pace=EASY)
    act.keep(packing=packing, marks=[*held, *marks], figures=figures)


def _come(marks: VGroup) -> LaggedStart | None:
    return LaggedStart(*map(FadeIn, marks), lag_ratio=0.25) if len(marks) else None


def _figures(act: Act, steps: int, idle: int) -> list[Label]:
    total = figure(act.label("total", n=steps))
    return [total, figure(act.label("idle", n=idle), total, "stop")]


def _seats(act: Act, packing: Packing) -> VGroup:
    """A frame as high as a step has seats, where its neighbours leave room for the words."""
    cap, high = act.story.params.max_num_seqs, [0, *map(len, packing.columns), 0]
    k = max(range(len(packing.columns)), key=lambda k: (
        max(high[k:k + 3]) <= cap, high[k + 1] == cap, high[k + 1]))
    frame = ring(slots(packing.shelf, [k], cap), buff=6, corner=14)
    words = Label(act.label("seats", n=cap), 48, "focus", "semibold")
    return VGroup(frame, words.next_to(frame, UP, buff=px(20)))


def _shelf(act: Act, run: Seating) -> Shelf:
    return wide_shelf(run.steps, act.story.params.budget, len(run.seats))
