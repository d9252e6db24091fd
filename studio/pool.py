"""Workers: at most so many at once, one act in each, watched by one parent.

They are forked from a server process that has manim loaded and no threads (where there is no fork,
each is spawned): a worker starts in milliseconds, and no state of the parent reaches it. One
worker of an act finds the states in which its beats start; the others draw what is known.
"""

from collections import deque
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from studio.server import context, deaf
from studio.states import States
from studio.store import Store
from studio.worker import Bench, work

__all__ = ["Job", "RenderError", "run"]


class RenderError(RuntimeError):
    """A render or a check failed; the message is one line."""


class Job:
    """The beats of one act that are wanted, and which of them are known, ready, done."""

    def __init__(self, bench: Bench, places: list[int]):
        self.bench, self.ready, self.scouting = bench, deque(), False
        self.segments: dict[int, str] = {}  # place -> key, as far as known
        self.cached = 0  # frames found in the store
        self._store, self._states = Store(bench.root), States(bench.root, bench.keys)
        self._unknown = set(places)
        self.places = places
        self.refresh()

    def frames(self, place: int) -> int:
        return self.bench.planned.beats[place].frames(self.bench.order.fps)

    def refresh(self) -> None:
        """Look which starts of beats are known by now."""
        for place, digest in enumerate(self._states.known(self.places[-1])):
            if place in self._unknown:
                self._unknown.discard(place)
                key = self.segments[place] = self.bench.keys.segment(place, digest)
                if self._store.get(key):
                    self.cached += self.frames(place)
                else:
                    self.ready.append(place)

    def next(self):
        """What to tell a worker now, or None."""
        if self._unknown and not self.scouting:
            self.scouting = True
            return "scout", max(self._unknown)
        if self.ready:
            place = self.ready.popleft()
            return "draw", place, self.segments[place]
        return None

    @property
    def has_work(self) -> bool:
        return bool(self.ready or (self._unknown and not self.scouting))

    def scouted(self) -> None:
        self.scouting = False
        self.refresh()
        if self._unknown:
            names = [self.bench.planned.beats[place].name for place in sorted(self._unknown)]
            raise RenderError(f"{self.bench.order.act}: states of {', '.join(names)} were not kept "
                              f"in {self.bench.root}")


@dataclass
class _Member:
    process: BaseProcess
    pipe: Connection
    job: Job
    task: tuple | None = None

    def tell(self, task):
        self.task = task
        self.pipe.send(task)


def run(jobs: list[Job], limit: int, scratch: Path, report) -> None:
    """Draw what is missing of `jobs` with at most `limit` workers; `report(done, total, note)`.

    Raises RenderError when a worker fails or dies; the others are then ended.
    """
    total = sum(job.frames(place) for job in jobs for place in job.places)
    drawn, started, members = 0, 0, []

    def done(note=""):
        report(drawn + sum(job.cached for job in jobs), total, note)

    def start(job):
        nonlocal started
        folder = scratch / f"worker-{started}"
        folder.mkdir()
        started += 1
        members.append(_launch(job, folder))
        return members[-1]

    done()
    try:
        while True:
            _assign(jobs, members, limit, start)
            busy = {member.pipe: member for member in members if member.task}
            if not busy:
                return
            for pipe in wait(list(busy), timeout=1.0):
                kind, value = _hear(busy[pipe])
                drawn += value if kind == "frames" else 0
                beat = busy[pipe].job.bench.planned.beats[value].name if kind == "beat" else ""
                done(f"{busy[pipe].job.bench.order.act} {beat}" if beat else "")
    finally:
        for member in members:
            member.process.kill()
            member.process.join()


def _launch(job, folder):
    ours, theirs = context().Pipe()
    process = context().Process(target=work, args=(job.bench, folder, theirs), daemon=True)
    with deaf():
        process.start()
    theirs.close()
    return _Member(process, ours, job)


def _assign(jobs, members, limit, start):
    """Give idle workers work of their act; end those whose place another act needs."""
    for member in members:
        if not member.task and (task := member.job.next()):
            member.tell(task)
    for job in jobs:
        while job.has_work:
            idle = next((member for member in members if not member.task), None)
            if len(members) >= limit and idle is None:
                return
            if len(members) >= limit:
                idle.process.kill()
                idle.process.join()
                members.remove(idle)
            start(job).tell(job.next())


def _hear(member):
    job = member.job
    try:
        kind, value = member.pipe.recv()
    except EOFError:
        member.process.join()
        raise RenderError(f"{job.bench.order.act}: a worker was killed (exit code "
                          f"{member.process.exitcode}); run again to resume") from None
    if kind == "error":
        raise RenderError(f"{job.bench.order.act}, {value}")
    if kind == "state":
        job.refresh()
    if kind == "idle":
        if member.task[0] == "scout":
            job.scouted()
        member.task = None
    return kind, value
