"""One engine step as scenes use it: what happened in it, and the states around it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from traces.schema import Event
from traces.state import State

__all__ = ["Allocation", "Freed", "Published", "Sample", "Scheduled", "Step"]


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
    phase: Literal["prefill", "decode"]
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
