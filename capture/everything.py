"""``python -m capture all``: every scenario that this machine can record, and what changed.

Each runs in a process of its own with its own time-out; one that fails is reported and the next
one goes on. Every trace is proved before it is written, and compared with the committed lock.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from capture.gpu.guards import Refusal, check_port, gpu_count
from capture.scenarios import Scenario, scenarios
from traces.differences import differences
from traces.files import DATA, read
from traces.lock import LOCK, entry_of, read_lock
from traces.schema import TraceError
from traces.trace import Trace

__all__ = ["Everything", "record_all"]


@dataclass(frozen=True, slots=True)
class Everything:
    """What the command line gave. ``tiny``: the small model for the scenarios that are made for
    it; without it ``model`` serves them too."""

    model: Path | None
    tiny: Path | None
    out: Path
    timeout: int = 300


def record_all(order: Everything) -> int:
    """0 all that this machine can do is recorded and proved, 1 something failed."""
    gpus, failed, count = gpu_count(), [], 0
    before = dict(_committed())
    with tempfile.TemporaryDirectory() as folder:
        for scenario in scenarios().values():
            if not scenario.model:  # it records nothing
                continue
            if scenario.gpus > gpus:
                print(f"{scenario.name:26} left out: {scenario.gpus} GPU needed, {gpus} found")
                continue
            count += 1
            model = _model(scenario, order, Path(folder))
            ok, lines = _record(scenario, model, order)
            if not ok:
                failed.append(scenario.name)
            for line in lines:
                print(_changes(line, before) if ok else f"{scenario.name:26} failed: {line}",
                      flush=True)
    print(f"{count - len(failed)} of {count} recorded"
          + (f"; failed: {' '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def _committed() -> Iterator[tuple[str, tuple[Trace, str]]]:
    """The traces of the lock as they are before anything is written: id → trace, SHA-256."""
    for name in read_lock(DATA.resolve() / LOCK):
        path = DATA / name / "trace.jsonl"
        try:
            header, events, content = read(path)
        except TraceError:
            continue
        yield name, (Trace(header, events, path), entry_of(header, content).sha256)


def _model(scenario: Scenario, order: Everything, folder: Path) -> Path | None:
    """The checkpoint for a scenario; random weights of real geometry are made once for all."""
    if scenario.model in ("none", "tiny"):
        return (order.tiny or order.model) if scenario.model == "tiny" else None
    if order.model:
        return order.model
    made = folder / scenario.model
    if not made.exists():
        from capture.gpu.alone import alone
        from capture.gpu.models import make_seeded

        alone(make_seeded, scenario.model, made)
    return made


def _record(scenario: Scenario, model: Path | None, order: Everything) -> tuple[bool, list[str]]:
    """Whether it went well, and the paths it wrote or the last line it said."""
    command = [sys.executable, "-m", "capture", scenario.name, "--out", str(order.out)]
    command += ["--model", str(model)] if model else []
    if scenario.gpus:
        _wait_for_port()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:  # in a session of its own: the workers of an engine end with it
        said, errors = process.communicate(timeout=order.timeout)
    except subprocess.TimeoutExpired:
        return False, [f"not done after {order.timeout} s"]
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    if process.returncode == 0:
        return True, said.split("\n")[:-1]
    return False, (errors.strip().split("\n") or ["no word"])[-1:]


def _changes(path: str, before: dict[str, tuple[Trace, str]]) -> str:
    """One line for a trace that was written: what differs from the locked one."""
    header, events, content = read(Path(path))
    if header.id not in before:
        return f"{header.id:26} new: not in the lock"
    old, digest = before[header.id]
    if digest == entry_of(header, content).sha256:
        return f"{header.id:26} as locked"
    found = differences(old, Trace(header, events, Path(path)))
    return f"{header.id:26} {'; '.join(found)}"


def _wait_for_port(seconds: int = 20) -> None:
    """The engine before may take a moment to let go of its port."""
    for _ in range(seconds * 2):
        try:
            return check_port()
        except Refusal:
            time.sleep(0.5)
