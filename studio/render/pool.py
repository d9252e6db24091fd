"""Workers: at most so many at once, one act in each, watched by one parent.

They are forked from a server process that has manim loaded and no threads (where there is no fork,
each is spawned): a worker starts in milliseconds, and nothing of the parent reaches it. One worker
of an act finds the snapshots in which its beats start; the others draw beats whose start is known.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from studio.errors import RenderError
from studio.render.forkserver import ignore_sigint, start_server, worker_context
from studio.render.messages import (
    DrawRun,
    Failed,
    FastForward,
    FramesDrawn,
    Idle,
    RunFinished,
    SnapshotKnown,
    Task,
)
from studio.render.plan import Job, RenderPlan
from studio.render.schedule import Schedule
from studio.render.store import Segment, Store
from studio.render.worker import work

__all__ = ["Report", "Segments", "available_cores", "draw_segments"]

Report = Callable[[int, int, str], None]  # (frames done, of how many, a note or "")


def available_cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True)
class Segments:
    """The finished segments of a job, one for each of its beats, in order."""

    job: Job
    items: tuple[Segment, ...]

    @property
    def plan(self) -> RenderPlan:
        """What they are segments of."""
        return self.job.render_plan


def draw_segments(jobs: Sequence[Job], store: Store, limit: int, scratch: Path,
                  report: Report) -> list[Segments]:
    """The segments of `jobs`; what is missing is drawn by at most `limit` workers.

    Raises RenderError when a worker fails or dies; the others are then killed.
    """
    pool = _Pool([Schedule(job, store) for job in jobs], limit, scratch, report)
    pool.run()
    return [_collect(schedule, store) for schedule in pool.schedules]


def _collect(schedule: Schedule, store: Store) -> Segments:
    names = [beat.name for beat in schedule.plan.plan.beats]
    found = {beat: store.get(schedule.segment_keys[beat]) for beat in schedule.job.beats}
    lost = [names[beat] for beat, segment in found.items() if segment is None]
    if lost:
        raise RenderError(f"{schedule.plan.order.act}: segments vanished while rendering: "
                          f"{', '.join(lost)}")
    return Segments(schedule.job, tuple(segment for segment in found.values() if segment))


@dataclass
class _Worker:
    process: BaseProcess
    pipe: "Connection[Any, Any]"
    schedule: Schedule
    task: Task | None = None

    def tell(self, task: Task | None) -> None:
        self.task = task
        with suppress(BrokenPipeError):  # it is gone: reading from it will tell
            self.pipe.send(task)

    def kill(self) -> None:
        self.process.kill()
        self.process.join()


class _Pool:
    """The workers of one render."""

    def __init__(self, schedules: list[Schedule], limit: int, scratch: Path,
                 report: Report) -> None:
        self.schedules, self._limit = schedules, limit
        self._scratch, self._report = scratch, report
        self._workers: list[_Worker] = []
        self._started = self._drawn = 0

    def run(self) -> None:
        """Draw everything that is missing."""
        self._show_progress()
        try:
            while True:
                self._give_tasks()
                busy: dict[Any, _Worker] = {worker.pipe: worker for worker in self._workers
                                            if worker.task}
                if not busy:
                    return
                for pipe in wait(list(busy), timeout=1.0):
                    self._show_progress(self._receive(busy[pipe]))
        finally:
            for worker in self._workers:
                worker.kill()

    def _show_progress(self, note: str = "") -> None:
        cached = sum(schedule.cached_frames for schedule in self.schedules)
        total = sum(schedule.job.frames for schedule in self.schedules)
        self._report(self._drawn + cached, total, note)

    def _share(self) -> int:
        """Frames to give a worker: half of its part of what is left.

        So whole beats at first, short runs at the end.
        """
        return sum(schedule.frames_left for schedule in self.schedules) // (2 * self._limit)

    def _give_tasks(self) -> None:
        """Give idle workers tasks of their act; kill an idle one when another act needs one."""
        for worker in self._workers:
            if not worker.task and (task := worker.schedule.next_task(self._share())):
                worker.tell(task)
        for schedule in self.schedules:
            while schedule.has_task:
                if len(self._workers) >= self._limit:
                    idle = next((worker for worker in self._workers if not worker.task), None)
                    if idle is None:
                        return
                    idle.kill()
                    self._workers.remove(idle)
                self._start(schedule).tell(schedule.next_task(self._share()))

    def _start(self, schedule: Schedule) -> _Worker:
        folder = self._scratch / f"worker-{self._started}"
        folder.mkdir()
        self._started += 1
        ours, theirs = worker_context().Pipe()
        start_server()
        process = worker_context().Process(
            target=work, args=(schedule.plan, schedule.store_root, folder, theirs), daemon=True)
        with ignore_sigint():
            process.start()
        theirs.close()
        self._workers.append(_Worker(process, ours, schedule))
        return self._workers[-1]

    def _receive(self, worker: _Worker) -> str:
        """Take in one message of a worker; a note for the progress bar."""
        schedule, task = worker.schedule, worker.task
        act = schedule.plan.order.act
        try:
            message = worker.pipe.recv()
        except EOFError:
            worker.process.join()
            raise RenderError(f"{act}: a worker was killed (exit code {worker.process.exitcode}); "
                              "run again to resume") from None
        match message:
            case Failed(text):
                raise RenderError(text if text.startswith("scenes/") else f"{act}, {text}")
            case SnapshotKnown():
                schedule.refresh()
            case FramesDrawn(count):
                self._drawn += count
            case RunFinished(folder) if isinstance(task, DrawRun):
                if schedule.finish_run(task, folder):
                    return f"{act} {schedule.plan.plan.beats[task.beat].name}"
            case Idle():
                if isinstance(task, FastForward):
                    schedule.finish_fast_forward()
                worker.task = None
        return ""
