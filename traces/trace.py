"""A trace as scenes use it: its steps, and the states between them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from traces.files import locate, read
from traces.fold import ImpossibleError, apply
from traces.lock import compare
from traces.schema import Event, Header, TraceError
from traces.state import Pool, State
from traces.step import Allocation, Freed, Published, Sample, Scheduled, Step
from traces.workload import EngineConfig, Workload, WorkloadError

__all__ = ["Trace", "initial", "load", "watching"]

# events times blocks: every event may copy a pool, so their product bounds time and memory
_MOST_WORK = 50_000_000
_WATCHERS: ContextVar[tuple[set[str], ...]] = ContextVar("watchers", default=())


@dataclass(frozen=True)
class Trace:
    """A recorded or played run. For kind ``scheduling`` also ``steps`` and ``states``."""

    header: Header
    events: tuple[Event, ...]
    path: Path = Path("reference")

    @property
    def id(self) -> str:
        return self.header.id

    @property
    def simulated(self) -> bool:
        return self.header.origin == "reference"

    @cached_property
    def config(self) -> EngineConfig:
        try:
            return EngineConfig.parse(self.header.config)
        except WorkloadError as error:
            raise TraceError(self.path, 0, str(error)) from None

    @cached_property
    def workload(self) -> Workload:
        try:
            return Workload.parse(self.header.workload)
        except WorkloadError as error:
            raise TraceError(self.path, 0, str(error)) from None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self.walk())

    def walk(self) -> Iterator[Step]:
        """The steps one by one, as far as the events can be folded."""
        if self.header.kind != "scheduling":
            raise TraceError(self.path, 0, f"kind {self.header.kind!r} has no engine steps")
        yield from _steps(self)

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The empty state, then the state after each step: a scene shows k → k + 1."""
        return (initial(self.config), *(step.after for step in self.steps))

    @property
    def stuck(self) -> bool:
        """Whether the run ends in the engine's bare assertion: one request outgrew the pool."""
        return bool(self.events) and self.events[-1].name == "stuck"

    @property
    def last(self) -> State:
        """The state after the last event, also where a run ends stuck within a step."""
        state = _start(self)
        for event in self.events:
            state = _applied(self, state, event)
        return state


def load(name: str | Path) -> Trace:
    """Read a trace by id (``sched-b6``) or path; TraceError in one line if it cannot be trusted.

    The file's format, its digest and the lock are checked here; ``traces.verify`` proves the rest.
    Whoever watches (:func:`watching`) is told its id.
    """
    path = locate(name)
    header, events, content = read(path)
    compare(path, header, content)
    for seen in _WATCHERS.get():
        seen.add(header.id)
    return Trace(header, events, path)


@contextmanager
def watching() -> Iterator[set[str]]:
    """Within: the set fills with the id of every trace that is loaded, in this thread or task."""
    seen: set[str] = set()
    token = _WATCHERS.set((*_WATCHERS.get(), seen))
    try:
        yield seen
    finally:
        _WATCHERS.reset(token)


def initial(config: EngineConfig) -> State:
    return State(Pool.fresh(config.num_blocks, config.block_size))


def _start(trace: Trace) -> State:
    work = len(trace.events) * trace.config.num_blocks
    if work > _MOST_WORK:
        raise TraceError(trace.path, 0, f"{len(trace.events)} events over "
                                        f"{trace.config.num_blocks} blocks: too large to be folded")
    return initial(trace.config)


def _applied(trace: Trace, state: State, event: Event) -> State:
    try:
        return apply(state, event, trace.workload)
    except ImpossibleError as error:
        raise TraceError(trace.path, event.n, str(error)) from None


def _steps(trace: Trace) -> Iterator[Step]:
    state, events, count = _start(trace), [], 0
    before = planned = None
    for event in trace.events:
        if event.name not in ("engine", "add") and before is None:
            before = state
        state = _applied(trace, state, event)
        events.append(event)
        if event.name == "schedule":
            if planned is not None:
                raise TraceError(trace.path, event.n, "scheduled twice in one step")
            planned = state
        elif event.name == "step":
            if before is None or planned is None:
                raise TraceError(trace.path, event.n, "a step ends that was never scheduled")
            yield _step(trace.config, count, tuple(events), (before, planned, state))
            events, before, planned, count = [], None, None, count + 1
    if events and not trace.stuck:
        raise TraceError(trace.path, events[-1].n, "the last step has no end")


def _step(config: EngineConfig, index: int, events: tuple[Event, ...],
          states: tuple[State, State, State]) -> Step:
    def of(name: str) -> list[Event]:
        return [event for event in events if event.name == name]

    before, planned, after = states
    plan, = of("schedule")
    preempted = tuple(e["request"] for e in of("preempt"))
    return Step(
        index, plan["phase"], tuple(e["request"] for e in of("add")),
        tuple(Scheduled(name, start, count, start + count == planned[name].num_tokens,
                        tuple(s for first, n in runs for s in range(first, first + n)))
              for (name, start, count), runs in zip(plan["batch"], plan["slots"], strict=True)),
        config.max_num_batched_tokens,
        tuple(Allocation(e["request"], tuple(e["hit"]), tuple(e["taken"]))
              if e.name == "allocate" else Allocation(e["request"], (), (e["block"],), True)
              for e in events if e.name in ("allocate", "append")),
        preempted,
        tuple(Published(e["request"], e["index"], e["block"], e["label"], e["overwrites"])
              for e in of("publish")),
        tuple(Sample(e["request"], e["token"], e["kept"]) for e in of("sample")),
        tuple(Freed(e["request"], tuple(e["blocks"]), tuple(e["released"]), e.n < plan.n)
              for e in of("free")),
        tuple(e["request"] for e in of("finish")),
        before, planned, after, events)
