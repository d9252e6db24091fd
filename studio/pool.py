"""Workers: at most so many at once, one act in each, watched by one parent.

They are forked from a server process that has manim loaded and no threads (where there is no fork,
each is spawned): a worker starts in milliseconds, and no state of the parent reaches it.
"""

from multiprocessing.connection import wait
from pathlib import Path

from studio.server import context, deaf
from studio.worker import Task, work

__all__ = ["RenderError", "run", "shares"]


class RenderError(RuntimeError):
    """A render or a check failed; the message is one line."""


def shares(weights: list[int], parts: int) -> list[range]:
    """Cut a list into at most `parts` contiguous ranges of about equal weight."""
    total, cuts, done = sum(weights), [0], 0
    for k, weight in enumerate(weights):
        goal = total * len(cuts) / parts
        if k > cuts[-1] and len(cuts) < parts and done + weight / 2 > goal:
            cuts.append(k)
        done += weight
    return [range(a, b) for a, b in zip(cuts, [*cuts[1:], len(weights)]) if a < b]


def run(tasks: list[Task], jobs: int, scratch: Path, heard) -> None:
    """Work through `tasks`; `heard(kind, value, task)` gets every message of the workers.

    Raises RenderError when a worker fails or dies; the others are then ended.
    """
    start, waiting, busy = context(), list(tasks), {}
    try:
        while waiting or busy:
            while waiting and len(busy) < jobs:
                task = waiting.pop(0)
                folder = scratch / f"worker-{len(tasks) - len(waiting)}"
                folder.mkdir()
                ours, theirs = start.Pipe(duplex=False)
                process = start.Process(target=work, args=(task, folder, theirs), daemon=True)
                with deaf():
                    process.start()
                theirs.close()
                busy[ours] = (process, task)
            for pipe in wait(list(busy), timeout=1.0):
                _hear(pipe, busy, heard)
    finally:
        for process, _ in busy.values():
            process.kill()
            process.join()


def _hear(pipe, busy, heard):
    process, task = busy[pipe]
    try:
        kind, value = pipe.recv()
    except EOFError:
        process.join()
        raise RenderError(f"{task.order.act}: a worker was killed (exit code "
                          f"{process.exitcode}); run again to resume") from None
    if kind == "error":
        raise RenderError(f"{task.order.act}, {value}")
    if kind == "done":
        process.join()
        del busy[pipe]
    else:
        heard(kind, value, task)
