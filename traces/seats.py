"""A run seen as slots and as requests: who sits where, who works, who stalls, which slots idle.

The engine has no slots: it caps the sequences of a step. Slots are how a batch is drawn, and what
static and continuous batching are compared by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from traces import EngineConfig, Step, Workload
from traces.contrast import SimulatedStep, static_batching

__all__ = ["IDLE", "Seat", "Seating", "Share", "continuous_seating", "request_shares",
           "stalled_tokens", "static_seating"]

AnyStep = Step | SimulatedStep


class Seat(NamedTuple):
    """One slot in one step: its request works, stalls, or waits for its prefill; or it is idle."""

    kind: Literal["work", "stall", "wait", "idle"]
    request: str = ""


IDLE = Seat("idle")


class Share(NamedTuple):
    """One request's share of a step, in tokens; a stalled request gets none."""

    kind: Literal["prefill", "decode", "stall"]
    tokens: int


@dataclass(frozen=True, slots=True)
class Seating:
    """A run seen as slots: ``seats[slot][step]``, None where there is no slot.

    Where the engine holds more requests than the cap, further rows show them; a slot up to the
    cap is idle when no unfinished request sits in it. ``arrived[step]``: who came before it.
    """

    seats: tuple[tuple[Seat | None, ...], ...]
    arrived: tuple[tuple[str, ...], ...]

    @property
    def steps(self) -> int:
        return len(self.arrived)

    @property
    def idle(self) -> int:
        """Idle slots, over all steps."""
        return sum(seat == IDLE for row in self.seats for seat in row)


def continuous_seating(steps: Sequence[Step], cap: int) -> Seating:
    """Requests take the lowest free slot in order of arrival: up to the cap, or once they run."""
    where: dict[str, int] = {}
    columns = []
    for step in steps:
        present = [r.name for r in step.before.requests if r.status != "finished"]
        where = {name: slot for name, slot in where.items() if name in present}
        for name in present:
            if name not in where and (len(where) < cap or step.planned[name].block_table):
                where[name] = min(set(range(len(present))) - set(where.values()))
        columns.append({slot: _seat(name, step, step.stalled) for name, slot in where.items()})
    return _seating(steps, columns, cap)


def static_seating(workload: Workload, config: EngineConfig) -> Seating:
    """The same budget and rules; only joining is forbidden until the whole batch is done."""
    steps = static_batching(workload, config)
    done: set[str] = set()
    columns = []
    for step, stalled in zip(steps, _stalled(steps)):
        columns.append({slot: _seat(name, step, stalled)
                        for slot, name in enumerate(step.seated) if name not in done})
        done |= set(step.finished)
    return _seating(steps, columns, config.max_num_seqs)


def request_shares(steps: Iterable[AnyStep], workload: Workload) -> tuple[dict[str, Share], ...]:
    """Per step: request → its share; who is absent neither works nor stalls."""
    steps = tuple(steps)
    return tuple({**{name: Share(_phase(step, start, len(workload[name].prompt)), count)
                     for name, start, count in _parts(step)},
                  **dict.fromkeys(stalled, Share("stall", 0))}
                 for step, stalled in zip(steps, _stalled(steps)))


def stalled_tokens(steps: Iterable[AnyStep]) -> int:
    """How often, over all steps, a request that generates gets no token for a prefill's sake.

    Who waits in a decode step because the step serves no more sequences is not stalled.
    """
    return sum(map(len, _stalled(steps)))


def _stalled(steps: Iterable[AnyStep]) -> Iterator[tuple[str, ...]]:
    """Per prefill: requests that have a token, are unfinished, and are not worked on."""
    generating: dict[str, None] = {}
    for step in steps:
        yield tuple(name for name in generating
                    if step.phase == "prefill" and name not in step.names)
        generating |= dict.fromkeys(step.produced)
        generating = {name: None for name in generating if name not in step.finished}


def _parts(step: AnyStep) -> Iterable[tuple[str, int, int]]:
    if isinstance(step, SimulatedStep):
        return step.parts
    return ((part.request, part.start, part.count) for part in step.scheduled)


def _phase(step: AnyStep, start: int, prompt: int) -> Literal["prefill", "decode"]:
    """The phase of a share: in a mixed step it depends on where the share begins."""
    if step.phase == "mixed":
        return "prefill" if start < prompt else "decode"
    return step.phase


def _seat(name: str, step: AnyStep, stalled: Sequence[str]) -> Seat:
    return Seat("work" if name in step.names else "stall" if name in stalled else "wait", name)


def _seating(steps: Sequence[AnyStep], columns: Sequence[Mapping[int, Seat]], cap: int) -> Seating:
    """Columns of slot → seat as rows; the free slots of a step, up to the cap, idle."""
    rows: list[list[Seat | None]] = [[] for _ in range(max(cap, *(max(c, default=0) + 1
                                                                  for c in columns)))]
    for column in columns:
        free = max(0, cap - len(column))
        for slot, row in enumerate(rows):
            idle = slot not in column and free > 0
            free -= idle
            row.append(IDLE if idle else column.get(slot))
    return Seating(tuple(map(tuple, rows)), tuple(step.arrived for step in steps))
