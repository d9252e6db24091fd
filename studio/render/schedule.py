"""Which task a worker of an act gets next, and what became of those given out."""

import os
from collections import Counter, defaultdict, deque
from pathlib import Path

from studio.errors import RenderError
from studio.render.messages import DrawRun, FastForward, Task
from studio.render.plan import Job
from studio.render.snapshots import Snapshots
from studio.render.store import Store
from studio.stream.encoder import RESTART_SECONDS
from studio.stream.mp4 import Part, join

__all__ = ["Schedule", "join_runs"]


class Schedule:
    """The beats of one job: which start from a known snapshot, are given out, are drawn.

    A beat is drawn in runs of frames, cut where the encoder restarts, and is one segment in the
    store.
    """

    def __init__(self, job: Job, store: Store) -> None:
        self.job, self.plan, self._store = job, job.render_plan, store
        self.store_root = store.root
        self.cached_frames = 0  # of segments that were in the store
        self.segment_keys: dict[int, str] = {}  # by beat, as far as known
        self._snapshots = Snapshots(store.root, self.plan.keys)
        self._unknown, self._ready = set(job.beats), deque[int]()
        self._is_fast_forwarding = False
        self._given: Counter[int] = Counter()  # frames given out, by beat
        self._runs: dict[int, dict[int, Part]] = defaultdict(dict)  # by beat and first frame
        self.refresh()

    @property
    def frames_left(self) -> int:
        """Frames of beats with known snapshots that no worker was told to draw yet."""
        return sum(self.plan.frames(beat) - self._given[beat] for beat in self._ready)

    @property
    def has_task(self) -> bool:
        """Whether `next_task` has one."""
        return bool(self._ready or (self._unknown and not self._is_fast_forwarding))

    def refresh(self) -> None:
        """Look which snapshots are known by now."""
        for beat, snapshot in enumerate(self._snapshots.known(self.job.beats[-1])):
            if beat in self._unknown:
                self._unknown.discard(beat)
                key = self.segment_keys[beat] = self.plan.keys.segment(beat, snapshot)
                if self._store.get(key):
                    self.cached_frames += self.plan.frames(beat)
                else:
                    self._ready.append(beat)

    def next_task(self, share: int) -> Task | None:
        """What to tell a worker now, or None; `share`: about how many frames."""
        if self._unknown and not self._is_fast_forwarding:
            self._is_fast_forwarding = True
            return FastForward(max(self._unknown))
        if not self._ready:
            return None
        beat = self._ready[0]
        first, count = self._given[beat], self.plan.frames(beat)
        unit = RESTART_SECONDS * self.plan.order.fps
        stop = min(count, first + max(1, -(-share // unit)) * unit)
        self._given[beat] = stop
        if stop == count:
            self._ready.popleft()
        return DrawRun(beat, range(first, stop))

    def finish_fast_forward(self) -> None:
        """A worker went through the act: now all snapshots are known, or RenderError."""
        self._is_fast_forwarding = False
        self.refresh()
        if self._unknown:
            names = [self.plan.plan.beats[beat].name for beat in sorted(self._unknown)]
            raise RenderError(f"{self.plan.order.act}: snapshots of {', '.join(names)} were not "
                              f"kept in {self._store.root}")

    def finish_run(self, task: DrawRun, folder: Path) -> bool:
        """Take over a run's folder; whether its beat is in the store now."""
        runs, count = self._runs[task.beat], self.plan.frames(task.beat)
        runs[task.frames.start] = Part(folder, len(task.frames))
        if sum(run.frames for run in runs.values()) < count:
            return False
        whole = join_runs([runs[first] for first in sorted(runs)], self.plan.order.fps)
        self._store.put(self.segment_keys[task.beat], whole, count)
        return True


def join_runs(runs: list[Part], fps: int) -> Path:
    """Put the runs of a beat, which are folders, into the first one's folder."""
    folder, *others = (run.path for run in runs)
    if others:
        film = folder / "film.mp4"
        join([Part(run.path / film.name, run.frames) for run in runs], folder / "whole.mp4", fps)
        os.replace(folder / "whole.mp4", film)
        for other in others:
            for picture in other.glob("*.png"):
                os.replace(picture, folder / picture.name)
    return folder
