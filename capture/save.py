"""Prove recordings and write them: all of one scenario or none, and the lock with them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from capture.recording import Recording
from traces.files import dump
from traces.lock import LOCK, entry_of, read_lock, write_lock
from traces.schema import TraceError
from traces.verify import verify

__all__ = ["save"]

_TRACE = "trace.jsonl"


def save(recordings: Iterable[Recording], out: Path) -> list[Path]:
    """Write ``out/<id>/trace.jsonl`` of each and their entries in ``out/lock.json``.

    TraceError in one line where one cannot be proved, or where something cannot be written: then
    everything is as it was.
    """
    recordings = list(recordings)
    if not recordings:  # a scenario that only prints
        return []
    staging: Path | None = None
    try:
        out.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=".capture-", dir=out))
        parts = [dump(staging / header.id / _TRACE, header, events)
                 for header, events in recordings]
        entries = dict(read_lock(out.resolve() / LOCK))
        for part in parts:
            header = verify(part).header
            entries[header.id] = entry_of(header, part.read_bytes())
        return _place(parts, out, lambda: write_lock(out, entries))
    except TraceError as error:
        if staging is None or not error.path.startswith(str(staging)):
            raise
        path = out / Path(error.path).relative_to(staging)
        raise TraceError(path, error.event, error.message) from None
    except OSError as error:
        raise TraceError(out, None, f"cannot be written: {error.strerror or error}") from None
    finally:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)


def _place(parts: Sequence[Path], out: Path, last) -> list[Path]:
    """Rename all parts into their places, then do ``last``; undo what was done if one fails."""
    done: list[tuple[Path, Path]] = []
    try:
        for part in parts:
            target, before = out / part.parent.name / _TRACE, part.with_name("before")
            target.parent.mkdir(exist_ok=True)
            if target.is_dir():
                raise IsADirectoryError(0, f"{target} is a folder")
            done.append((target, before))
            if target.exists():
                os.replace(target, before)
            os.replace(part, target)
        last()
    except BaseException:
        for target, before in reversed(done):
            with suppress(OSError):
                os.replace(before, target) if before.exists() else target.unlink(missing_ok=True)
            with suppress(OSError):
                target.parent.rmdir()  # only where it is empty: it was made here
        raise
    return [target for target, _ in done]
