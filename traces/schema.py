"""The file format of a trace: one header line, then one event a line (JSON, UTF-8).

``traces/data/<id>/trace.jsonl``
    line 1   the header: schema, id, kind, origin, provenance, config, workload, end
    line n+1 event number n: ``{"n": n, "event": name, …}``

``end`` holds the number of events and a SHA-256 over everything else, so that a cut or an edited
file is seen. What the events of a kind mean is proved by that kind's checks (``traces.verify``).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["DATA", "MAX_BYTES", "ORIGINS", "SCHEMA", "Event", "Header", "TraceError",
           "locate", "read", "write"]

SCHEMA = "visible-inference/1"
ORIGINS = ("gpu", "scheduler-only", "reference")
MAX_BYTES = 2_000_000
DATA = Path(__file__).parent / "data"

_HEADER = {"schema": str, "id": str, "kind": str, "origin": str, "provenance": dict,
           "config": dict, "workload": dict, "end": dict}
_PROVENANCE = ("engine_commit", "model", "weights", "gpu", "driver", "versions", "seed",
               "command", "date")


class TraceError(Exception):
    """A trace that cannot be trusted; prints as one line: file, event number, what is wrong.

    ``event`` is the event's number from 1, 0 for the header, None for the whole file.
    """

    def __init__(self, path: str | Path, event: int | None, message: str):
        where = {None: "", 0: " header:"}.get(event, f" event {event}:")
        super().__init__(f"{_shown(path)}:{where} {message}")
        self.path, self.event, self.message = str(path), event, message

    def __reduce__(self):
        return type(self), (self.path, self.event, self.message)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a trace: its number from 1, its name and its other fields."""

    n: int
    name: str
    fields: Mapping[str, Any] = field(default_factory=dict)

    def __getitem__(self, key: str) -> Any:
        return self.fields[key]

    def get(self, key: str, default: Any = None) -> Any:
        return self.fields.get(key, default)

    def line(self) -> str:
        return _compact({"n": self.n, "event": self.name, **self.fields})


@dataclass(frozen=True, slots=True)
class Header:
    """What was recorded, where, and with what: line 1 of a trace without its ``end``."""

    id: str
    kind: str
    origin: str
    provenance: Mapping[str, Any]
    config: Mapping[str, Any]
    workload: Mapping[str, Any]

    def json(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "id": self.id, "kind": self.kind, "origin": self.origin,
                "provenance": dict(self.provenance), "config": dict(self.config),
                "workload": dict(self.workload)}


def locate(name: str | Path) -> Path:
    """The file of a trace given as id (``sched-b6``), folder or file."""
    path = Path(name)
    if path.suffix == ".jsonl" or path.is_file():
        return path
    return (path if path.is_dir() and os.sep in str(name) else DATA / path) / "trace.jsonl"


def read(name: str | Path) -> tuple[Path, Header, tuple[Event, ...]]:
    """Read and check the format of a trace; the meaning of its events is not checked here."""
    path = locate(name)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise TraceError(path, None, f"cannot be read: {error.strerror}") from None
    if len(raw) > MAX_BYTES:
        raise TraceError(path, None, f"{len(raw)} bytes, more than {MAX_BYTES}")
    try:
        lines = raw.decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise TraceError(path, None, "is not UTF-8 text") from None
    first = _parse(path, 0, lines[0])
    header = _header(path, first)
    events = tuple(_events(path, lines[1:]))
    _check_end(path, first, lines[1:], len(events))
    return path, header, events


def write(path: str | Path, header: Header, events: Iterable[Event]) -> Path:
    """Write a trace whole or not at all; numbers its events from 1 and seals it."""
    path = Path(path)
    lines = [Event(n, e.name, e.fields).line() for n, e in enumerate(events, 1)]
    first = header.json()
    first["end"] = {"events": len(lines), "sha256": _digest(first, lines)}
    text = "\n".join([_compact(first), *lines]) + "\n"
    if len(text.encode()) > MAX_BYTES:
        raise TraceError(path, None, f"{len(text.encode())} bytes, more than {MAX_BYTES}")
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_text(text, encoding="utf-8")
    part.replace(path)
    return path


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _digest(first: Mapping[str, Any], lines: Iterable[str]) -> str:
    body = {key: value for key, value in first.items() if key != "end"}
    return hashlib.sha256("\n".join([_compact(body), *lines]).encode()).hexdigest()


def _parse(path: Path, n: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise TraceError(path, n, f"is not JSON ({reason})") from None
    except RecursionError:
        raise TraceError(path, n, "is nested too deeply") from None
    if not isinstance(value, dict):
        raise TraceError(path, n, "is not a JSON object")
    return value


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _header(path: Path, first: dict[str, Any]) -> Header:
    if first.get("schema") != SCHEMA:
        raise TraceError(path, 0, f"schema {first.get('schema')!r}, this reader knows {SCHEMA!r}")
    for key, kind in _HEADER.items():
        if not isinstance(first.get(key), kind):
            raise TraceError(path, 0, f"{key} is missing or not a {kind.__name__}")
    if unknown := set(first) - set(_HEADER):
        raise TraceError(path, 0, f"unknown key {min(unknown)!r}")
    if first["origin"] not in ORIGINS:
        raise TraceError(path, 0, f"origin {first['origin']!r} is none of {', '.join(ORIGINS)}")
    if missing := [key for key in _PROVENANCE if key not in first["provenance"]]:
        raise TraceError(path, 0, f"provenance lacks {missing[0]!r}")
    if path.parent.parent == DATA and path.parent.name != first["id"]:
        raise TraceError(path, 0, f"id {first['id']!r} does not match its folder")
    return Header(**{key: first[key] for key in Header.__dataclass_fields__})


def _events(path: Path, lines: list[str]) -> Iterator[Event]:
    if lines[-1:] != [""]:
        raise TraceError(path, max(len(lines), 1), "the last line is cut short")
    for n, line in enumerate(lines[:-1], 1):
        value = _parse(path, n, line)
        number, name = value.pop("n", None), value.pop("event", None)
        if not isinstance(name, str):
            raise TraceError(path, n, "has no event name")
        if number != n or isinstance(number, bool):
            raise TraceError(path, n, f"is numbered {number!r}: one is missing or out of order")
        yield Event(n, name, value)


def _check_end(path: Path, first: dict[str, Any], lines: list[str], count: int) -> None:
    end = first["end"]
    if end.get("events") != count:
        raise TraceError(path, count, f"the last of {count}; the header announces "
                                      f"{end.get('events')!r}")
    if end.get("sha256") != _digest(first, lines[:-1]):
        raise TraceError(path, None, "its content does not match its digest: it was edited")


def _shown(path: str | Path) -> str:
    """The path relative to the current folder where that is shorter."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
