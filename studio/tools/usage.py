"""Time and memory of a command and of all processes that it starts."""

import contextlib
import itertools
import os
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

__all__ = ["Usage", "measure"]

_INTERVAL, _MEMORY_EVERY = 0.25, 4  # seconds between two samples; memory in every fourth


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int  # of the whole process tree, shared memory counted once (PSS; elsewhere USS)


class _TreeWatcher(threading.Thread):
    """Samples a process tree: peak memory, and the processor time of each process.

    Time is summed over processes, as workers forked from a server are nobody's waited children.
    Samples are few, memory's fewest: they take time from what is measured on busy cores.
    """

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.peak_bytes = 0
        self._root = psutil.Process(root)
        self._cpu_seconds: dict[int, float] = {}
        self._end = threading.Event()

    def run(self) -> None:
        for tick in itertools.count():
            if self._end.wait(_INTERVAL):
                return
            with contextlib.suppress(psutil.NoSuchProcess):
                processes = [self._root, *self._root.children(recursive=True)]
                for process in processes:
                    with contextlib.suppress(psutil.Error):
                        times = process.cpu_times()
                        self._cpu_seconds[process.pid] = times.user + times.system
                if tick % _MEMORY_EVERY == 0:
                    self.peak_bytes = max(self.peak_bytes, sum(map(_memory, processes)))

    def stop(self) -> float:
        """Seconds of processor time of the whole tree."""
        self._end.set()
        self.join()
        return sum(self._cpu_seconds.values())


def _memory(process: psutil.Process) -> int:
    try:
        used = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(used, "pss", used.uss))


def measure(command: list[str], folder: Path, python_path: Path) -> Usage:
    """Run a command in `folder`; RuntimeError with the end of its errors when it fails."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE,
                               env={**os.environ, "PYTHONPATH": str(python_path)})
    watcher = _TreeWatcher(process.pid)
    watcher.start()
    errors = process.communicate()[1]
    cpu_seconds = watcher.stop()
    if process.returncode:
        raise RuntimeError(errors.decode(errors="replace")[-2000:])
    return Usage(time.perf_counter() - start, cpu_seconds, watcher.peak_bytes)
