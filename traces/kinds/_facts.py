"""What the checkers of all measurement kinds share: spreads, column totals, one-line failures.

Every trace of a measurement kind ends in a ``totals`` event: for each column (``step.us.median``)
its count, its sum and its sum weighted by position. A number with no relation to any other (one
measured time) is bound by them: nobody can change, drop, repeat or swap it without being told.
"""

from __future__ import annotations

import math
import statistics
import zlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from traces.schema import Event, Header, TraceError

__all__ = ["Check", "spread", "totals"]


def spread(samples: Iterable[float], digits: int = 2) -> dict[str, Any]:
    """Repeated measurements with their order kept: samples, min, median, max and mean."""
    values = [round(float(x), digits) for x in samples]
    return {"samples": values, "min": min(values),
            "median": round(statistics.median(values), digits + 1), "max": max(values),
            "mean": round(math.fsum(values) / len(values), digits + 1)}


def totals(header: Header, events: Sequence[Event]) -> Event:
    """The closing event: every column of the header and of ``events``, summed."""
    columns = {name: _sums(values) for name, values in _columns(header, events).items()}
    return Event(0, "totals", {"columns": columns})


def _sums(values: list[float]) -> list[float]:
    """Count, sum, and sum weighted by position; ``fsum`` makes them the same on every machine."""
    return [len(values), math.fsum(values),
            math.fsum(i * x for i, x in enumerate(values, 1))]


def _columns(header: Header, events: Sequence[Event]) -> dict[str, list[float]]:
    columns: dict[str, list[float]] = {}
    _flatten("event", [event.name for event in events], columns)  # their order is a fact, too
    for name in ("id", "kind", "origin", "provenance", "config", "workload"):
        _flatten(name, getattr(header, name), columns)
    for event in events:
        _flatten(event.name, event.fields, columns)
    return columns


def _flatten(name: str, value: Any, columns: dict[str, list[float]]) -> None:
    if isinstance(value, Mapping):
        columns.setdefault(f"{name}{{}}", []).append(len(value))
        for key, item in value.items():
            _flatten(f"{name}.{key}", item, columns)
    elif isinstance(value, list | tuple):
        columns.setdefault(f"{name}[]", []).append(len(value))
        for item in value:
            _flatten(name, item, columns)
    else:
        number = isinstance(value, int | float) and not isinstance(value, bool)
        columns.setdefault(name, []).append(value if number else zlib.crc32(repr(value).encode()))


class Check:
    """One trace under examination: finds events, and fails with path and event number."""

    def __init__(self, trace: Any):
        """``trace``: anything with ``path``, ``header`` and ``events`` (``traces.Trace``)."""
        self.path, self.header, events = trace.path, trace.header, trace.events
        if not events or events[-1].name != "totals":
            raise TraceError(self.path, len(events), "the closing totals are missing")
        self.events, self.closing = events[:-1], events[-1]

    def all(self, name: str) -> list[Event]:
        return [event for event in self.events if event.name == name]

    def some(self, name: str) -> list[Event]:
        """The events of this name: at least one."""
        found = self.all(name)
        if not found:
            raise TraceError(self.path, None, f"has no {name!r} event")
        return found

    def one(self, name: str) -> Event:
        found = self.some(name)
        if len(found) > 1:
            raise TraceError(self.path, found[1].n, f"is a second {name!r} event")
        return found[0]

    def names(self, *allowed: str) -> None:
        for event in self.events:
            self.need(event.name in allowed, event, f"unknown event {event.name!r}")

    def need(self, condition: bool, event: Event | None, message: str) -> None:
        if not condition:
            raise TraceError(self.path, event.n if event else 0, message)

    def same(self, event: Event | None, what: str, stored: Any, expected: Any) -> None:
        """An exact relation between stored facts."""
        self.need(stored == expected, event, f"{what} is {stored!r}, expected {expected!r}")

    def near(self, event: Event | None, what: str, stored: float, expected: float,
             within: float) -> None:
        """A relation that rounding loosens by at most ``within``."""
        self.need(abs(stored - expected) <= within, event,
                  f"{what} is {stored!r}, expected {expected:.6g} within {within:.2g}")

    def spread(self, event: Event, name: str, least: int = 3) -> dict[str, Any]:
        """A field made by :func:`spread`: positive, enough samples, and its statistics add up."""
        value = event[name]
        samples = value["samples"]
        self.need(len(samples) >= least, event, f"{name} has {len(samples)} samples, not {least}")
        self.need(min(samples) > 0, event, f"{name} has a sample that is not positive")
        digits = max((len(repr(x).partition(".")[2]) for x in samples if x == x), default=0)
        again = spread(samples, max(digits, 1))
        for key in ("min", "max"):
            self.same(event, f"{name}.{key}", value[key], again[key])
        for key in ("median", "mean"):
            self.near(event, f"{name}.{key}", value[key], again[key], 10 ** -digits)
        return value

    def counted(self, event: Event, name: str, count: int) -> list[Any]:
        self.need(len(event[name]) == count, event,
                  f"{name} has {len(event[name])} entries, expected {count}")
        return event[name]

    def done(self) -> None:
        """Last: every column of the trace sums to what its closing event says."""
        found = {name: _sums(values)
                 for name, values in _columns(self.header, self.events).items()}
        stored = self.closing.get("columns")
        self.need(isinstance(stored, dict) and len(self.closing.fields) == 1, self.closing,
                  "is not a table of columns")
        for name in sorted(found.keys() ^ stored.keys()):
            where = "totals" if name in found else "events"
            self.need(False, self.closing, f"column {name!r} is missing from the {where}")
        for name, sums in found.items():
            self.need(sums == stored[name], self.closing,
                      f"column {name!r}: count, sum and weighted sum are {sums}, "
                      f"the totals say {stored[name]}")
