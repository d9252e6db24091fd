"""What changed from one recording of a trace to the next: facts apart from measured numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from traces.schema import Event
from traces.trace import Trace

__all__ = ["differences"]


def differences(old: Trace, new: Trace) -> list[str]:
    """One phrase a difference; none where both say the same.

    A real number is taken for a measurement, everything else for a fact.
    """
    found: list[str] = []
    for name in ("kind", "origin"):
        found += _changed(name, getattr(old.header, name), getattr(new.header, name))
    for name in ("provenance", "config", "workload"):
        a, b = getattr(old.header, name), getattr(new.header, name)
        found += [line for key in {**a, **b}
                  for line in _changed(f"{name}.{key}", a.get(key), b.get(key))]
    if len(old.events) != len(new.events):
        found.append(f"{len(old.events)} → {len(new.events)} events")
    pairs = [(a, b) for a, b in zip(old.events, new.events)
             if a != b and (a.name, b.name) != ("totals", "totals")]
    facts = [(a, b) for a, b in pairs if _facts(a) != _facts(b)]
    if facts:
        first, then = facts[0]
        odd = next((key for key in {**first.fields, **then.fields} if
                    _fact(first.get(key)) != _fact(then.get(key))), "event")
        found.append(f"other facts in {len(facts)} events, first {odd!r} of event {first.n}")
    if len(pairs) > len(facts):
        found.append(f"other measured numbers in {len(pairs) - len(facts)} events")
    return found


def _changed(name: str, old: Any, new: Any) -> Iterator[str]:
    if old != new:
        yield f"{name} {_brief(old)} → {_brief(new)}"


def _brief(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _facts(event: Event) -> tuple[str, Any]:
    return event.name, _fact(event.fields)


def _fact(value: Any) -> Any:
    """A value with its real numbers taken out."""
    if isinstance(value, float):
        return None
    if isinstance(value, Mapping):
        return {key: _fact(item) for key, item in value.items()}
    return [_fact(item) for item in value] if isinstance(value, list | tuple) else value
