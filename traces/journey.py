"""A `token-journey` trace as scenes use it: one prompt, and the engine's steps that follow it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from traces.schema import Event
from traces.state import RequestState
from traces.trace import Trace

__all__ = ["Journey"]

_COUNTERS = ("known", "cached", "scheduled")


@dataclass(frozen=True, eq=False)
class Journey:
    """`trace` is of kind token-journey; tokens count from the prompt's first, steps from 0."""

    trace: Trace

    @cached_property
    def prompt(self) -> Event:
        return next(e for e in self.trace.events if e.name == "prompt")

    @cached_property
    def cache(self) -> Event:
        """The geometry of K and V."""
        return next(e for e in self.trace.events if e.name == "cache")

    @cached_property
    def steps(self) -> tuple[Event, ...]:
        """The prefill, then the decodes."""
        return tuple(e for e in self.trace.events if e.name == "step")

    @property
    def known(self) -> int:
        """Tokens of the prompt."""
        return len(self.prompt["ids"])

    @property
    def texts(self) -> list[str]:
        """Every token's text: the prompt's, then the sampled ones."""
        return [*self.prompt["texts"], *(step["sampled_text"] for step in self.steps)]

    @property
    def ids(self) -> list[int]:
        return [*self.prompt["ids"], *(step["sampled"] for step in self.steps)]

    @property
    def slots(self) -> list[int | None]:
        """Where each token's K and V were written; those of the last one never are."""
        return [*(slot for step in self.steps for slot in step["slots"]), None]

    def shape(self, name: str, step: int = 0) -> list[int]:
        """Of a tensor in one layer, or of the logits; StopIteration for an unknown name."""
        return next(size for label, *size in self.steps[step]["shapes"] if label == name)

    def states(self, step: int) -> tuple[RequestState, RequestState, RequestState, RequestState]:
        """The request before a step, planned (tokens scheduled), computed (K and V written), after.

        Between the last two the sampled token is appended: it has an id, but no K and V yet.
        """
        recorded = self.steps[step]
        known, cached, count = (recorded["before"][key] for key in _COUNTERS)
        return (self._state(step, known, cached, 0), self._state(step, known, cached, count),
                self._state(step, known, cached + count, 0),
                self._state(step, *(recorded["after"][key] for key in _COUNTERS)))

    def _state(self, step: int, known: int, cached: int, scheduled: int) -> RequestState:
        return RequestState("A", "running", tuple(self.ids[:known]), self.known, cached, scheduled,
                            tuple(self.steps[step]["block_table"]))
