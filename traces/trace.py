"""A trace as scenes use it: steps with what happened in each, and the states between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from traces.fold import Impossible, apply
from traces.schema import Event, Header, TraceError, read
from traces.state import Pool, State
from traces.workload import EngineConfig, Workload, WorkloadError

__all__ = ["Allocation", "Freed", "Published", "Sample", "Scheduled", "Step", "Trace", "load"]


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One request's share of a step: its tokens ``start`` … ``start + count - 1`` are computed."""

    request: str
    start: int
    count: int
    finishes_prompt: bool  # this share reaches the last known token, so its sample is kept
    slots: tuple[int, ...]  # the cache slot that each token's K and V are written to

    @property
    def is_chunk(self) -> bool:
        """Cut: the prompt stays unfinished after this step."""
        return not self.finishes_prompt


@dataclass(frozen=True, slots=True)
class Sample:
    """A sampled token; not ``kept`` when the prompt was unfinished."""

    request: str
    token: int
    kept: bool


@dataclass(frozen=True, slots=True)
class Allocation:
    """Blocks given to a request: ``hit`` by the prefix look-up, ``taken`` from the free queue.

    ``appended``: one block for the next token of a decode.
    """

    request: str
    hit: tuple[int, ...]
    taken: tuple[int, ...]
    appended: bool = False


@dataclass(frozen=True, slots=True)
class Freed:
    """A table given back, tail first; ``released`` are the blocks that nobody else holds."""

    request: str
    blocks: tuple[int, ...]
    released: tuple[int, ...]
    preempted: bool


@dataclass(frozen=True, slots=True)
class Published:
    """A block that became full: logical ``index`` of the request; ``overwrites``: the block that
    the hash map pointed at before, None if none."""

    request: str
    index: int
    block: int
    label: int
    overwrites: int | None


@dataclass(frozen=True, slots=True)
class Step:
    """One engine step. ``before``: newcomers already wait; ``planned``: after schedule, before the
    model runs; ``after``: after postprocess. ``budget`` and ``used`` in tokens."""

    index: int
    phase: str  # "prefill" | "decode"
    arrived: tuple[str, ...]
    scheduled: tuple[Scheduled, ...]
    budget: int
    allocated: tuple[Allocation, ...]
    preempted: tuple[str, ...]
    published: tuple[Published, ...]
    samples: tuple[Sample, ...]
    freed: tuple[Freed, ...]
    finished: tuple[str, ...]
    before: State
    planned: State
    after: State
    events: tuple[Event, ...] = field(default=(), repr=False)

    @property
    def used(self) -> int:
        return sum(part.count for part in self.scheduled)

    @property
    def names(self) -> tuple[str, ...]:
        """The requests that are worked on."""
        return tuple(part.request for part in self.scheduled)

    @property
    def produced(self) -> tuple[str, ...]:
        """The requests that get a token which is kept."""
        return tuple(sample.request for sample in self.samples if sample.kept)

    @property
    def stalled(self) -> tuple[str, ...]:
        """Requests that were running before this step and get no token in it."""
        return tuple(name for name in self.before.running if name not in self.names)

    def part(self, name: str) -> Scheduled | None:
        return next((part for part in self.scheduled if part.request == name), None)


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
        state = initial(self.config)
        for event in self.events:
            state = _applied(self, state, event)
        return state


def load(name: str | Path) -> Trace:
    """Read a trace by id (``sched-b6``) or path; TraceError in one line if it cannot be trusted.

    The file's format and digest are checked here; ``traces.verify`` proves the rest.
    """
    path, header, events = read(name)
    return Trace(header, events, path)


def initial(config: EngineConfig) -> State:
    return State(Pool.fresh(config.num_blocks, config.block_size))


def _applied(trace: Trace, state: State, event: Event) -> State:
    try:
        return apply(state, event, trace.workload)
    except Impossible as error:
        raise TraceError(trace.path, event.n, str(error)) from None


def _steps(trace: Trace) -> Iterator[Step]:
    state, events, count = initial(trace.config), [], 0
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
            if planned is None:
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
