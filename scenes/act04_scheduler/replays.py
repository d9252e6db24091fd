"""The pictures beside the lines to remember, small, and moving once more."""

from collections.abc import Iterator
from typing import Any

from scenes.act04_scheduler.story import ROLES
from scenes.geometry import Region, px
from scenes.kit import Timeline, TokenStrip, fit
from scenes.stage import Act
from scenes.views import request_timeline, slot_timeline
from traces.seats import request_shares

__all__ = ["REPLAYS"]


def join_and_leave(act: Act, room: Region) -> Iterator[Any]:
    """The seats of continuous batching, filled and freed step by step."""
    seating = act.story.continuous
    yield from _played(slot_timeline(seating, ROLES, lambda *_, **__: "",
                                     *_cell(room, seating.steps, len(seating.seats) + 1)), room)


def prefill_pauses(act: Act, room: Region) -> Iterator[Any]:
    """The same run by requests: prefills, decodes, and who pauses."""
    trace = act.story.trace
    roles = {request.name: ROLES[request.name] for request in trace.workload.requests}
    shares = request_shares(trace.steps, trace.workload)
    yield from _played(request_timeline(shares, roles, *_cell(room, len(shares), len(roles))), room)


def _cell(room: Region, columns: int, rows: int) -> tuple[float, float]:
    """Width and height of a cell so that the timeline fills its room."""
    return fit(columns, room.width / px(1), 60, 4), fit(rows, room.height / px(1), 60, 4)


def _played(timeline: Timeline, room: Region) -> Iterator[Any]:
    """A timeline without its numbers, which would be too small to read."""
    for column in timeline.columns:
        for part in [*column]:
            if hasattr(part, "text"):
                column.remove(part)
    timeline.remove(timeline.tags, timeline.places)
    room.place(timeline)
    yield timeline.columns[0]
    yield timeline.reveal(1)


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
