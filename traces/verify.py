"""Prove a trace: its format, its invariants, and equality with the reference model."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from traces import invariants
from traces.reference import play
from traces.schema import DATA, TraceError
from traces.trace import Trace, load
from traces.workload import WorkloadError

__all__ = ["all_traces", "prove", "verify"]


def all_traces() -> list[str]:
    """The ids of all committed traces."""
    return sorted(path.parent.name for path in DATA.glob("*/trace.jsonl"))


def verify(name: str | Path) -> Trace:
    """Load and prove a trace by id or path; TraceError in one line if anything is wrong."""
    trace = load(name)
    try:
        prove(trace)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # a checker may stumble over a value it did not expect: that is a finding, too
        raise TraceError(trace.path, None, f"is malformed ({type(error).__name__}: "
                                           f"{error})".replace("\n", " ")) from None
    return trace


def prove(trace: Trace) -> None:
    """Everything but the file's format. ``scheduling``: invariants and the reference model; any
    other kind: ``check(trace)`` of the module ``traces.kinds.<kind>``."""
    kind = trace.header.kind
    if kind == "scheduling":
        invariants.check(trace)
        _equals_reference(trace)
        return
    module = f"traces.kinds.{kind.replace('-', '_')}"
    try:
        checker = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise TraceError(trace.path, 0, f"kind {kind!r} has no checks") from None
    checker.check(trace)


def _equals_reference(trace: Trace) -> None:
    try:
        played = play(trace.workload, trace.config, allow_stuck=trace.stuck)
    except WorkloadError as error:
        raise TraceError(trace.path, 0, str(error)) from None
    for event, expected in zip(trace.events, played.events):
        if event != expected:
            raise TraceError(trace.path, event.n,
                             f"the reference model {_difference(event, expected)}")
    if len(trace.events) != len(played.events):
        raise TraceError(trace.path, len(trace.events),
                         f"the last one; the reference model goes on to {len(played.events)}")
    if played.header.workload != trace.header.workload:
        raise TraceError(trace.path, 0, "the workload's outputs are not what was sampled")


def _difference(event, expected) -> str:
    if event.name != expected.name:
        return f"does {expected.name!r}, recorded is {event.name!r}"
    return "; ".join(_fields(event, expected))


def _fields(event, expected) -> Iterator[str]:
    for key, value in expected.fields.items():
        if event.get(key) != value:
            yield f"has {key} = {value!r}, recorded is {event.get(key)!r}"
