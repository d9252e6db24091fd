"""Which traces are the recorded ones: one lock beside them, which only capture rewrites.

``traces/data/lock.json`` names every trace with the SHA-256 of its file, the engine's commit, the
weights and the GPU. Any folder of traces may have one; whoever reads a trace from a folder with a
lock reads what the lock says, or is told. Committed, a changed digest is a changed line in review.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from traces.files import DATA
from traces.schema import Header, TraceError

__all__ = ["LOCK", "Entry", "compare", "entry_of", "lock_of", "read_lock", "write_lock"]

LOCK = "lock.json"
_MOST = 1_000_000


class Entry(Struct, forbid_unknown_fields=True, frozen=True):
    """What the lock holds of one trace."""

    sha256: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
    engine_commit: str
    weights: str
    gpu: str | None


class _Lock(Struct, forbid_unknown_fields=True):
    schema: Literal["visible-inference-lock/1"]
    traces: dict[str, Entry]


def entry_of(header: Header, content: bytes) -> Entry:
    """The entry of a trace, from its header and the bytes of its file."""
    return Entry(hashlib.sha256(content).hexdigest(), header.provenance["engine_commit"],
                 header.provenance["weights"], header.provenance["gpu"])


def lock_of(path: Path) -> Path:
    """The lock that a trace's file falls under, whether it is there or not."""
    return path.resolve().parent.parent / LOCK


def read_lock(path: Path) -> Mapping[str, Entry]:
    """A lock's entries by trace id; empty where there is no lock. TraceError if it is broken."""
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise TraceError(path, None, f"cannot be read: {error.strerror}") from None
    return _entries(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=8)
def _entries(path: Path, _: int, size: int) -> Mapping[str, Entry]:
    if size > _MOST:
        raise TraceError(path, None, f"{size} bytes, more than {_MOST}")
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Lock, strict=True).traces
    except OSError as error:
        raise TraceError(path, None, f"cannot be read: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise TraceError(path, None, f"is no lock ({error})") from None


def compare(path: Path, header: Header, content: bytes) -> None:
    """Raise TraceError unless a trace's file is the one in its folder's lock. A folder without a
    lock holds nobody; that of the course has one."""
    place = lock_of(path)
    entries = read_lock(place)
    if not entries and place.parent != DATA.resolve():
        return
    known, found = entries.get(path.resolve().parent.name), entry_of(header, content)
    if known is None:
        raise TraceError(path, None, f"is not in the lock {LOCK}: it was never captured to here")
    for name in ("engine_commit", "weights", "gpu", "sha256"):
        if getattr(known, name) != getattr(found, name):
            raise TraceError(path, None, f"{name} is {getattr(found, name)!r}, "
                                         f"{LOCK} says {getattr(known, name)!r}")


def write_lock(folder: Path, entries: Mapping[str, Entry]) -> Path:
    """Write a folder's lock, one trace a line, whole or not at all. OSError if it cannot be."""
    lines = [f"  {json.dumps(name)}: {msgspec.json.encode(entries[name]).decode()}"
             for name in sorted(entries)]
    path = folder / LOCK
    part = path.with_name(f".{LOCK}.{os.getpid()}")
    try:
        part.write_text('{"schema": "visible-inference-lock/1", "traces": {\n'
                        + ",\n".join(lines) + "\n}}\n", encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path
