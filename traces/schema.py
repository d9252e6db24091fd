"""The file format of a trace: one header line, then one event a line (JSON, UTF-8).

``traces/data/<id>/trace.jsonl``
    line 1   the header: schema, id, kind, origin, provenance, config, workload, end
    line n+1 event number n: ``{"n": n, "event": name, …}``

``end`` holds the number of events and a SHA-256 over everything else, so that a cut or an edited
file is seen. What the parts of a kind may hold is declared and proved by that kind's module
(``traces.kinds``); which files are the recorded ones is held by the lock (``traces.lock``).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

__all__ = ["ENGINE_COMMIT", "SCHEMA", "End", "Event", "FirstLine", "Header", "TraceError",
           "compact", "digest", "seal"]

SCHEMA = "visible-inference/1"
ENGINE_COMMIT = "bb823b3e06983d71485a8e1f23715ebd87d98ef8"

_Name = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*\Z", max_length=60)]
_WEIGHTS = r"^(none|trained-tiny|seeded-random|.{1,200}@[0-9a-f]{12})\Z"
_Short = Annotated[str, Meta(min_length=1, max_length=300)]


class _Provenance(Struct, forbid_unknown_fields=True):
    """Where a trace comes from; ``gpus`` is there where a GPU was."""

    engine_commit: Annotated[str, Meta(pattern=rf"^{ENGINE_COMMIT}\Z")]
    model: _Short | None
    weights: Annotated[str, Meta(pattern=_WEIGHTS)]
    gpu: _Short | None
    driver: _Short | None
    versions: dict[_Short, _Short]
    seed: Annotated[int, Meta(ge=0, lt=2**53)] | None
    command: Annotated[str, Meta(pattern=r"^python -m capture [a-z0-9-]+\Z")] | None
    date: Annotated[str, Meta(pattern=r"^20\d\d-\d\d-\d\d\Z")] | None
    gpus: Annotated[int, Meta(ge=1, le=64)] | UnsetType = UNSET


class End(Struct, forbid_unknown_fields=True):
    events: Annotated[int, Meta(ge=0)]
    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]


class FirstLine(Struct, forbid_unknown_fields=True):
    """Line 1; ``config`` and ``workload`` are typed by the kind."""

    schema: Literal["visible-inference/1"]
    id: _Name
    kind: _Name
    origin: Literal["gpu", "scheduler-only", "reference"]
    provenance: _Provenance
    config: dict[str, Any]
    workload: dict[str, Any]
    end: End


class TraceError(Exception):
    """A trace that cannot be trusted; prints as one line: file, event number, what is wrong.

    ``event`` is the event's number from 1, 0 for the header, None for the whole file.
    """

    def __init__(self, path: str | Path, event: int | None, message: str) -> None:
        where = {None: "", 0: " header:"}.get(event, f" event {event}:")
        line = f"{_shown(path)}:{where} {message}"
        super().__init__(line.encode("utf-8", "backslashreplace").decode().replace("\n", " "))
        self.path, self.event, self.message = str(path), event, message

    def __reduce__(self) -> tuple[type[TraceError], tuple[str, int | None, str]]:
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
        return compact({"n": self.n, "event": self.name, **self.fields})


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


def seal(header: Header, events: Iterable[Event]) -> bytes:
    """The bytes of a trace's file: events numbered from 1, the end sealed. ValueError for what
    no file can hold: a number that is not finite, text that is not Unicode."""
    lines = [Event(n, e.name, e.fields).line() for n, e in enumerate(events, 1)]
    first = header.json()
    first["end"] = {"events": len(lines), "sha256": digest(first, lines)}
    return ("\n".join([compact(first), *lines]) + "\n").encode()


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(first: Mapping[str, Any], lines: Iterable[str]) -> str:
    body = {key: value for key, value in first.items() if key != "end"}
    return hashlib.sha256("\n".join([compact(body), *lines]).encode()).hexdigest()


def _shown(path: str | Path) -> str:
    """The path relative to the current folder where that is shorter."""
    try:
        return str(Path(path).resolve().relative_to(Path.cwd()))
    except (OSError, ValueError):
        return str(path)
