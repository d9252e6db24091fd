"""Workers: at most so many at once, one act in each, watched by one parent.

They are forked from a server process that has manim loaded and no threads (where there is no fork,
each is spawned): a worker starts in milliseconds, and no state of the parent reaches it. One
worker of an act finds the states in which its beats start; the others draw what is known.
"""

import os
from collections import Counter, defaultdict, deque
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from studio.draw.states import States
from studio.render.server import context, deaf
from studio.render.store import Store
from studio.render.worker import Bench, work
from studio.stream.encoder import PIECE
from studio.stream.mp4 import join

__all__ = ["Job", "RenderError", "run"]


class RenderError(RuntimeError):
    """A render or a check failed; the message is one line."""


class Job:
    """The beats of one act that are wanted, and which of them are known, ready, done.

    A beat is drawn in runs of frames, cut at whole pieces, and is one segment in the store.
    """

    def __init__(self, bench: Bench, places: list[int]):
        self.bench, self.scouting = bench, False
        self.segments: dict[int, str] = {}  # place -> key, as far as known
        self.cached = 0  # frames found in the store
        self._store, self._states = Store(bench.root), States(bench.root, bench.keys)
        self._unknown, self._ready = set(places), deque()
        self._given, self._drawn = Counter(), defaultdict(dict)  # frames; first frame -> folder
        self.places = places
        self.refresh()

    @property
    def total(self) -> int:
        """Frames of all beats that are wanted."""
        return sum(map(self.bench.frames, self.places))

    @property
    def left(self) -> int:
        """Frames of known beats that no worker was told to draw yet."""
        return sum(self.bench.frames(place) - self._given[place] for place in self._ready)

    def refresh(self) -> None:
        """Look which starts of beats are known by now."""
        for place, digest in enumerate(self._states.known(self.places[-1])):
            if place in self._unknown:
                self._unknown.discard(place)
                key = self.segments[place] = self.bench.keys.segment(place, digest)
                if self._store.get(key):
                    self.cached += self.bench.frames(place)
                else:
                    self._ready.append(place)

    def next(self, share: int):
        """What to tell a worker now, or None; `share`: about how many frames."""
        if self._unknown and not self.scouting:
            self.scouting = True
            return "scout", max(self._unknown)
        if not self._ready:
            return None
        place = self._ready[0]
        first, count = self._given[place], self.bench.frames(place)
        piece = PIECE * self.bench.order.fps
        stop = min(count, first + max(1, -(-share // piece)) * piece)
        self._given[place] = stop
        if stop == count:
            self._ready.popleft()
        return "draw", place, range(first, stop)

    @property
    def has_work(self) -> bool:
        return bool(self._ready or (self._unknown and not self.scouting))

    def scouted(self) -> None:
        self.scouting = False
        self.refresh()
        if self._unknown:
            names = [self.bench.planned.beats[place].name for place in sorted(self._unknown)]
            raise RenderError(f"{self.bench.order.act}: states of {', '.join(names)} were not kept "
                              f"in {self.bench.root}")

    def drawn(self, place: int, run: range, folder: Path) -> bool:
        """Take over a run; whether its beat is in the store now."""
        runs = self._drawn[place]
        runs[run.start] = folder, len(run)
        count = self.bench.frames(place)
        if sum(length for _, length in runs.values()) < count:
            return False
        parts = [runs[first] for first in sorted(runs)]
        self._store.put(self.segments[place], _whole(parts, self.bench.order.fps), count)
        return True


def _whole(parts, fps: int) -> Path:
    """Put the runs of a beat, (folder, frames) each, into the first one's folder."""
    (folder, _), *others = parts
    if others:
        film = folder / "film.mp4"
        join([path / film.name for path, _ in parts], [count for _, count in parts],
             folder / "whole.mp4", fps)
        os.replace(folder / "whole.mp4", film)
        for other, _ in others:
            for picture in other.glob("*.png"):
                os.replace(picture, folder / picture.name)
    return folder


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
    total = sum(job.total for job in jobs)
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
                frames, note = _hear(busy[pipe])
                drawn += frames
                done(note)
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
    """Give idle workers work of their act; end those whose place another act needs.

    A worker is given half of its part of what is left: whole beats at first, pieces at the end.
    """
    def share():
        return sum(job.left for job in jobs) // (2 * limit)

    for member in members:
        if not member.task and (task := member.job.next(share())):
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
            start(job).tell(job.next(share()))


def _hear(member) -> tuple[int, str]:
    """What a worker says: frames that it has drawn, and a note."""
    job = member.job
    act = job.bench.order.act
    try:
        kind, value = member.pipe.recv()
    except EOFError:
        member.process.join()
        raise RenderError(f"{act}: a worker was killed (exit code {member.process.exitcode}); "
                          "run again to resume") from None
    if kind == "error":
        raise RenderError(f"{act}, {value}")
    if kind == "state":
        job.refresh()
    elif kind == "drawn":
        _, place, frames = member.task
        if job.drawn(place, frames, value):
            return 0, f"{act} {job.bench.planned.beats[place].name}"
    elif kind == "idle":
        if member.task[0] == "scout":
            job.scouted()
        member.task = None
    return (value if kind == "frames" else 0), ""
