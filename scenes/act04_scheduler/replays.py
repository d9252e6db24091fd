"""The pictures beside the lines to remember, small, and moving once more."""

from collections.abc import Iterator
from typing import Any

from manim import FadeIn, FadeOut

from scenes.act04_scheduler.story import ROLES
from traces.columns import columns_of, idle_seats
from scenes.act04_scheduler.world import appear
from scenes.geometry import Region, px
from scenes.kit import Packing, Shelf, TokenStrip, fit
from scenes.kit.base.motion import arrive
from scenes.stage import Act

__all__ = ["REPLAYS"]

UNDER = 26  # px


def join_and_leave(act: Act, room: Region) -> Iterator[Any]:
    """The same tokens in static batches, then as continuous batching packs them."""
    story = act.story
    columns = columns_of(story.static_steps)
    packing = _small(act, room, max(len(columns), len(story.columns)))
    before, after = (packing.empty(idle_seats(run), UNDER)
                     for run in (story.static, story.continuous))
    yield [packing.to(columns, lag=0), FadeIn(before)]
    yield [packing.to(story.columns), FadeOut(before), arrive(after)]


def prefill_pauses(act: Act, room: Region) -> Iterator[Any]:
    """The run, and under it who pauses."""
    story = act.story
    packing = _small(act, room, len(story.columns))
    names = [step.stalled if step.phase == "prefill" else () for step in story.trace.steps]
    yield packing.to(story.columns, lag=0)
    yield appear(packing.pauses(names, UNDER))


def _small(act: Act, room: Region, count: int) -> Packing:
    story = act.story
    rows, pitch = story.params.budget, min(room.width / px(1) / count, 60)
    under = 2 * (UNDER + 4) + 12
    shelf = Shelf(room.center[0] - px(pitch * count / 2), room.bottom + px(under), pitch, pitch - 3,
                  fit(rows, room.height / px(1) - under - 12, 40, 4), 0, 8)
    return Packing(shelf, story.tokens, story.prompts, ROLES)


def cut_prompt(act: Act, room: Region) -> Iterator[Any]:
    """The first prompt, computed as far as the budget reaches, then to its end."""
    first, last = act.story.chunks[0], act.story.chunks[-1]
    name, prompt = act.story.followed, first.before[act.story.followed].num_prompt
    done = first.part(name).count
    cell = fit(prompt + 1, room.width / px(1), 64, 6)
    strip = room.place(TokenStrip(prompt, "k" * prompt + ".", ROLES[name], cell, 6))
    yield strip
    yield strip.show("s" * done + "k" * (prompt - done) + ".")
    yield strip.show("c" * (prompt - last.part(name).count) + "s" * last.part(name).count + ".")
    yield strip.show("c" * prompt + "k")


REPLAYS = (join_and_leave, prefill_pauses, cut_prompt)
