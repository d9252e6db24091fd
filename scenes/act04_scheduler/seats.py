"""A run seen as slots: who sits where at each step, and which slots stand idle."""

from dataclasses import dataclass

from traces import EngineConfig, Workload
from traces.contrast import static_batching

__all__ = ["IDLE", "Run", "milliseconds", "seated", "stalled_tokens", "static_run"]


IDLE = "idle"


@dataclass(frozen=True)
class Run:
    """A run seen as slots: `seats[slot][step]` is (request, kind), IDLE, or None.

    kind: "work" | "stall" | "wait". The engine has no slots: it caps the sequences of a step. Where
    it holds more requests than the cap, further rows show them; a slot up to the cap is idle when
    no unfinished request sits in it.
    """

    seats: tuple[tuple, ...]
    steps: int

    @property
    def idle(self) -> int:
        return sum(cell == IDLE for seat in self.seats for cell in seat)


def seated(steps, cap: int) -> Run:
    """Requests take the lowest free slot in order of arrival: up to the cap, or once they run."""
    where, columns = {}, []
    for step in steps:
        present = [r.name for r in step.before.requests if r.status != "finished"]
        where = {name: seat for name, seat in where.items() if name in present}
        for name in present:
            if name not in where and (len(where) < cap or step.planned[name].block_table):
                where[name] = min(set(range(len(present))) - set(where.values()))
        columns.append({seat: (name, _kind(name, step.names, step.stalled))
                        for name, seat in where.items()})
    return _run(columns, cap)


def static_run(workload: Workload, config: EngineConfig) -> Run:
    """The same budget and rules; only joining is forbidden until the whole batch is done."""
    done, started, columns = set(), set(), []
    for step in static_batching(workload, config):
        columns.append({seat: (name, _kind(name, step.names, started))
                        for seat, name in enumerate(step.seated) if name not in done})
        started |= set(step.produced)
        done |= set(step.finished)
    return _run(columns, config.max_num_seqs)


def _kind(name, working, started) -> str:
    return "work" if name in working else "stall" if name in started else "wait"


def _run(columns, cap: int) -> Run:
    """Columns of {slot: (request, kind)} as rows; the free slots of a step, up to the cap, idle."""
    rows = max(cap, *(max(column, default=0) + 1 for column in columns))
    seats = [[] for _ in range(rows)]
    for column in columns:
        free = max(0, cap - len(column))
        for seat in range(rows):
            idle = seat not in column and free > 0
            free -= idle
            seats[seat].append(column.get(seat, IDLE if idle else None))
    return Run(tuple(map(tuple, seats)), len(columns))


def milliseconds(step) -> float:
    """The host's time for one step of the GPU's run."""
    return step["host_us"]["total"] / 1000


def stalled_tokens(steps) -> int:
    """Over all steps: requests that have a token, are unfinished, and are not worked on."""
    generating, count = set(), 0
    for step in steps:
        count += len(generating - set(step.names))
        generating = (generating | set(step.produced)) - set(step.finished)
    return count
