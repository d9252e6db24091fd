"""Trace files: where they are, reading them with every doubt, writing them whole or not at all."""

from __future__ import annotations

import json
import math
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from msgspec import ValidationError, convert

from traces.schema import SCHEMA, End, Event, FirstLine, Header, TraceError, digest, seal

__all__ = ["DATA", "MAX_BYTES", "dump", "locate", "read", "read_bytes"]

MAX_BYTES = 2_000_000
DATA = Path(__file__).parent / "data"


def locate(name: str | Path) -> Path:
    """The file of a trace given as id (``sched-b6``), folder or file."""
    path = Path(name)
    if path.suffix == ".jsonl" or _is(path, Path.is_file):
        return path
    folder = path if os.sep in str(name) and _is(path, Path.is_dir) else DATA / path
    return folder / "trace.jsonl"


def _is(path: Path, test: Callable[[Path], bool | None]) -> bool:
    """``test(path)``; a name that no file can have is the name of none."""
    try:
        return bool(test(path))
    except (OSError, ValueError):
        return False


def read_bytes(path: Path) -> bytes:
    """The content of a trace's file; its size is looked at first, and only a file is opened."""
    try:
        with open(path, "rb", opener=_open_nonblocking) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TraceError(path, None, "is no regular file")
            if status.st_size > MAX_BYTES:
                raise TraceError(path, None, f"{status.st_size} bytes, more than {MAX_BYTES}")
            return file.read(MAX_BYTES)
    except (OSError, ValueError) as error:
        raise TraceError(path, None, f"cannot be read: {getattr(error, 'strerror', None) or error}"
                         ) from None


def _open_nonblocking(name: str, flags: int) -> int:
    """As `os.open`, but a named pipe without a writer does not block."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def read(path: Path) -> tuple[Header, tuple[Event, ...], bytes]:
    """Read and check the format of a trace's file; the meaning of its events is not checked here.

    Returns its header, its events and its bytes.
    """
    raw = read_bytes(path)
    try:
        lines = raw.decode("utf-8").split("\n")
        first = _parse(path, 0, lines[0])
        header, end = _header(path, first)
        events = tuple(_events(path, lines[1:]))
        _check_end(path, first, end, lines[1:])
        _check_form(path, lines[1:], events)
    except UnicodeError:
        raise TraceError(path, None, "is not UTF-8 text") from None
    except RecursionError:
        raise TraceError(path, None, "is nested too deeply") from None
    return header, events, raw


def dump(path: str | Path, header: Header, events: Iterable[Event]) -> Path:
    """Write a trace's file and nothing beside it, not yet proved and not in any lock; TraceError
    where it cannot be written, and then no half of it is left."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        content = seal(header, events)
        if len(content) > MAX_BYTES:
            raise TraceError(path, None, f"{len(content)} bytes, more than {MAX_BYTES}")
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(content)
        part.replace(path)
    except (OSError, ValueError) as error:
        raise TraceError(path, None, "cannot be written: "
                         f"{getattr(error, 'strerror', None) or error}") from None
    finally:
        _is(part, lambda left: left.unlink(missing_ok=True))
    return path


def _parse(path: Path, n: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_constant=_no_number, parse_float=_finite)
    except ValueError as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise TraceError(path, n, f"is not JSON ({reason})") from None
    except RecursionError:
        raise TraceError(path, n, "is nested too deeply") from None
    if not isinstance(value, dict):
        raise TraceError(path, n, "is not a JSON object")
    return value


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        _no_number(text)
    return value


def _header(path: Path, first: dict[str, Any]) -> tuple[Header, End]:
    if first.get("schema") != SCHEMA:
        raise TraceError(path, 0, f"schema {first.get('schema')!r}, this reader "
                                  f"knows {SCHEMA!r}")
    try:
        end = convert(first, FirstLine, strict=True).end
    except ValidationError as error:
        raise TraceError(path, 0, str(error)) from None
    folder = path.resolve().parent
    if folder.parent == DATA.resolve() and folder.name != first["id"]:
        raise TraceError(path, 0, f"id {first['id']!r} does not match its folder")
    return Header(**{key: first[key] for key in Header.__dataclass_fields__}), end


def _events(path: Path, lines: list[str]) -> Iterator[Event]:
    if lines[-1:] != [""]:
        raise TraceError(path, max(len(lines), 1), "the last line is cut short")
    for n, line in enumerate(lines[:-1], 1):
        value = _parse(path, n, line)
        number, name = value.pop("n", None), value.pop("event", None)
        if not isinstance(name, str):
            raise TraceError(path, n, "has no event name")
        if type(number) is not int or number != n:
            raise TraceError(path, n, f"is numbered {number!r:.40}: one is missing or out of order")
        yield Event(n, name, value)


def _check_end(path: Path, first: dict[str, Any], end: End, lines: list[str]) -> None:
    count = len(lines) - 1
    if end.events != count:
        raise TraceError(path, count, f"the last of {count}; the header announces {end.events}")
    if end.sha256 != digest(first, lines[:-1]):
        raise TraceError(path, None, "its content does not match its digest: it was edited")


def _check_form(path: Path, lines: list[str], events: Iterable[Event]) -> None:
    """One way to write an event: no field twice, no spaces, every number as Python says it."""
    for event, line in zip(events, lines):
        if event.line() != line:
            raise TraceError(path, event.n, "is not written as capture writes it")
