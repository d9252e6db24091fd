"""What the checkers of all measurement kinds share: typed events, spreads, one-line failures.

Every trace of a measurement kind ends in a ``totals`` event: for each column (``step.us.median``)
its count, its sum and its sum weighted by position. They bind a number that no relation binds
against accident; against edits the lock binds the whole file.
"""

from __future__ import annotations

import math
import statistics
import zlib
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Any, Generic, TypeVar

from traces.kinds._types import Fact, Spread, typed
from traces.schema import Event, Header, TraceError
from traces.trace import Trace

__all__ = ["Check", "spread", "totals"]

_Config = TypeVar("_Config")
_Workload = TypeVar("_Workload")
_Fact = TypeVar("_Fact", bound=Fact)


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


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}…"


class Check(Generic[_Config, _Workload]):
    """One trace under examination: its parts in their declared types, and one-line failures."""

    def __init__(self, trace: Trace, config: type[_Config], workload: type[_Workload],
                 events: type[Fact] | UnionType) -> None:
        """``config``, ``workload``: the types of these parts of the trace's header; ``events``: the
        type, or union of types, of its events but the closing totals."""
        self.path, self.header, raw = trace.path, trace.header, trace.events
        if not raw or raw[-1].name != "totals":
            raise TraceError(self.path, len(raw), "the closing totals are missing")
        self._raw, self._closing = raw[:-1], raw[-1]
        self.config: _Config = self._typed(0, "config", self.header.config, config)
        self.workload: _Workload = self._typed(0, "workload", self.header.workload, workload)
        self.events: list[Any] = [
            self._typed(e.n, None, {"event": e.name, "n": e.n, **e.fields}, events)
            for e in self._raw]

    def _typed(self, event: int, what: str | None, data: Any, kind: Any) -> Any:
        try:
            return typed(data, kind)
        except ValueError as error:
            raise TraceError(self.path, event, f"{what}: {error}" if what else str(error)) from None

    def all(self, kind: type[_Fact]) -> list[_Fact]:
        return [event for event in self.events if isinstance(event, kind)]

    def rows(self, expected: Iterable[tuple]) -> None:
        """Exactly these events, each once and in this order: (name, then the values of its key)."""
        expected = list(expected)
        for event, place in zip(self.events, expected):
            self.same(event, "its place in the table", event.place, place)
        if len(self.events) != len(expected):
            short = len(self.events) < len(expected)
            self.need(False, None if short else self.events[len(expected)],
                      f"the table lacks {expected[len(self.events)]!r}" if short
                      else "the table ends before it")

    def need(self, condition: bool, event: Fact | None, message: str) -> None:
        if not condition:
            raise TraceError(self.path, event.n if event else 0, message)

    def same(self, event: Fact | None, what: str, stored: Any, expected: Any) -> None:
        """An exact relation between stored facts."""
        self.need(stored == expected, event, f"{what} is {_brief(stored)}, expected "
                                             f"{_brief(expected)}")

    def near(self, event: Fact | None, what: str, stored: float, expected: float,
             within: float) -> None:
        """A relation that rounding loosens by at most ``within``."""
        self.need(abs(stored - expected) <= within, event,
                  f"{what} is {stored!r}, expected {expected:.6g} within {within:.2g}")

    def spread(self, event: Fact, name: str, count: int, digits: int) -> Spread:
        """``count`` samples rounded to ``digits``, and the statistics that follow from them."""
        value: Spread = getattr(event, name)
        self.same(event, f"number of {name} samples", len(value.samples), count)
        again = spread(value.samples, digits)
        for key, expected in again.items():
            self.same(event, f"{name}.{key}", getattr(value, key), expected)
        return value

    def lexicon(self, *pairs: tuple[Fact | None, Iterable[int], Iterable[str]]) -> None:
        """Equal token ids have equal texts, wherever they stand."""
        known: dict[int, str] = {}
        for event, ids, texts in pairs:
            for token, text in zip(ids, texts, strict=True):
                self.same(event, f"text of token {token}", text, known.setdefault(token, text))

    def done(self) -> None:
        """Last: every column of the trace sums to what its closing event says."""
        found = totals(self.header, self._raw).fields
        stored = self._closing.fields
        if stored == found:
            return
        columns = stored.get("columns") if len(stored) == 1 else None
        if not isinstance(columns, dict):
            raise TraceError(self.path, self._closing.n, "is not a table of columns")
        odd = next(name for name in {**found["columns"], **columns}
                   if found["columns"].get(name) != columns.get(name))
        raise TraceError(self.path, self._closing.n,
                         f"column {odd!r}: count, sum and weighted sum are "
                         f"{found['columns'].get(odd)}, the totals say {columns.get(odd)}")
