"""A run seen as slots: who sits where at each step, and which slots stand idle."""

from dataclasses import dataclass

from traces import EngineConfig, Workload
from traces.contrast import static_batching

__all__ = ["Run", "seated", "static_run"]


@dataclass(frozen=True)
class Run:
    """A run seen as slots: `seats[slot][step]` is (request, kind) or None when idle.

    kind: "work" | "stall" | "wait". A slot is idle when no unfinished request sits in it.
    """

    names: tuple[str, ...]
    seats: tuple[tuple, ...]
    phases: tuple[str, ...]

    @property
    def steps(self) -> int:
        return len(self.phases)

    @property
    def idle(self) -> int:
        return sum(cell is None for seat in self.seats for cell in seat)


def seated(steps, cap: int) -> Run:
    """Give every request present the lowest free slot, in order of arrival, until it is done."""
    seats, where, names = [[] for _ in range(cap)], {}, []
    for step in steps:
        present = [r.name for r in step.before.requests if r.status != "finished"]
        where = {name: seat for name, seat in where.items() if name in present}
        for name in present:
            if name not in where and len(where) < cap:
                where[name] = min(set(range(cap)) - set(where.values()))
                names.append(name)
        for seat in range(cap):
            name = next((n for n, s in where.items() if s == seat), None)
            kind = "work" if name in step.names else "stall" if name in step.stalled else "wait"
            seats[seat].append(name and (name, kind))
    phases = tuple(step.phase for step in steps)
    return Run(tuple(dict.fromkeys(names)), tuple(map(tuple, seats)), phases)


def static_run(workload: Workload, config: EngineConfig) -> Run:
    """The same budget and rules; only joining is forbidden until the whole batch is done."""
    cap, steps = config.max_num_seqs, static_batching(workload, config)
    seats, done, started = [[] for _ in range(cap)], set(), set()
    for step in steps:
        for seat, name in zip(seats, step.seated + (None,) * cap):
            kind = "work" if name in step.names else "stall" if name in started else "wait"
            seat.append(None if name is None or name in done else (name, kind))
        started |= set(step.produced)
        done |= set(step.finished)
    names = dict.fromkeys(name for step in steps for name in step.seated)
    return Run(tuple(names), tuple(map(tuple, seats)), tuple(step.phase for step in steps))
