"""Checks of ``scheduling``: the engine's settings, the invariants, equality with the reference.

The events and what they mean are declared in ``traces.events`` and ``traces.fold``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from traces import invariants
from traces.kinds._engine import engine_faults
from traces.kinds._types import Count, GpuConfig, Record, typed
from traces.reference import playing
from traces.schema import Event, TraceError
from traces.trace import Trace

__all__ = ["check"]


class Config(Record, frozen=True):
    """The scheduler's settings alone, as on a CPU."""

    block_size: Count
    num_blocks: Count
    max_num_batched_tokens: Count
    max_num_seqs: Count


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that breaks an invariant or differs."""
    _config(trace)
    invariants.check(trace)
    _equals_reference(trace)


def _config(trace: Trace) -> None:
    head = trace.header
    try:
        if head.origin != "gpu":
            typed(head.config, Config)
            return
        config = typed(head.config, GpuConfig)
    except ValueError as error:
        raise TraceError(trace.path, 0, f"config: {error}") from None
    for message in engine_faults(head, config):
        raise TraceError(trace.path, 0, message)
    for request in trace.workload.requests:
        tokens = (*request.prompt, *request.outputs, *request.discarded)
        if max(tokens) >= config.vocab_size:
            raise TraceError(trace.path, 0, f"request {request.name}: a token is outside the "
                                            "vocabulary")
        if len(request.prompt) + request.max_tokens > config.max_model_len:
            raise TraceError(trace.path, 0, f"request {request.name} is longer than "
                                            "max_model_len")


def _equals_reference(trace: Trace) -> None:
    """Event by event as the model plays them: one that differs ends it, however far the end."""
    end = len(trace.events)
    for event, expected in zip_longest(trace.events, playing(trace.workload, trace.config)):
        if event is None:
            raise TraceError(trace.path, end, "the last one; the reference model goes on with "
                                              f"{expected.name!r}")
        if expected is None:
            raise TraceError(trace.path, event.n, "the reference model has come to its end")
        if event != expected:
            raise TraceError(trace.path, event.n,
                             f"the reference model {_difference(event, expected)}")
    sampled: dict[str, tuple[list[int], list[int]]] = {
        request.name: ([], []) for request in trace.workload.requests}
    for event in trace.events:
        if event.name == "sample":
            sampled[event["request"]][not event["kept"]].append(event["token"])
    said = trace.workload.with_samples(sampled)
    if said.json() != trace.header.workload:
        raise TraceError(trace.path, 0, "the workload's outputs are not what was sampled")


def _difference(event: Event, expected: Event) -> str:
    if event.name != expected.name:
        return f"does {expected.name!r}, recorded is {event.name!r}"
    return "; ".join(_fields(event, expected))


def _fields(event: Event, expected: Event) -> Iterator[str]:
    for key, value in expected.fields.items():
        if event.get(key) != value:
            yield f"has {key} = {value!r}, recorded is {event.get(key)!r}"
