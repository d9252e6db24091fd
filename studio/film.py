"""Rendering: plan, missing segments, workers, package, swap."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from scenes.stage import Plan
from studio.keys import segment_keys
from studio.order import Order
from studio.package import build
from studio.pool import RenderError, run, shares
from studio.store import Segment, Store, disk_full, settle, swap
from studio.stream import join
from studio.worker import Task

__all__ = ["RenderError", "clip", "cores", "render", "store_of"]

# Bytes a frame at 1080p of everything a render writes: segment, film, clip, pictures. Drawn
# frames measured about 2 kB; a beat's pictures are counted apart.
_FRAME, _PICTURES, _RESERVE = 8_000, 1_500_000, 32 << 20


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def store_of(out: Path) -> Store:
    return Store(out / ".studio")


@dataclass(frozen=True)
class _Job:
    order: Order
    planned: Plan
    keys: dict[str, str]
    names: list[str]  # the beats asked for

    @classmethod
    def of(cls, order: Order, names=None):
        planned = order.planned()
        every = [beat.name for beat in planned.beats]
        return cls(order, planned, segment_keys(order, planned), names or every)

    def frames(self, names) -> list[int]:
        return [self.planned.beat(name).frames(self.order.fps) for name in names]


def _need_space(out: Path, jobs, missing):
    need = _RESERVE
    for job, names in zip(jobs, missing):
        pixels = job.order.size[0] * job.order.size[1] / (1920 * 1080)
        need += int(pixels * (_FRAME * sum(job.frames(job.names)) + _PICTURES * len(names)))
    free = shutil.disk_usage(out).free
    if free < need:
        raise RenderError(f"{out}: about {need >> 20} MB needed, {free >> 20} MB free; "
                          "make room and run again")


def _draw(jobs: list[_Job], out: Path, workers: int, scratch: Path, report) -> None:
    """Draw and store every segment that is missing."""
    store, tasks = store_of(out), []
    missing = [[n for n in job.names if store.get(job.keys[n]) is None] for job in jobs]
    _need_space(out, jobs, missing)
    total = sum(sum(job.frames(job.names)) for job in jobs)
    left = sum(sum(job.frames(names)) for job, names in zip(jobs, missing))
    report(total - left, total, "")
    share = max(1, workers // max(1, sum(map(bool, missing))))
    for job, names in zip(jobs, missing):
        for part in shares(job.frames(names), share):
            tasks.append(Task(job.order, job.planned, tuple(names[i] for i in part), job.keys,
                              store.root))
    done = total - left

    def heard(kind, value, task):
        nonlocal done
        if kind == "frames":
            done += value
            report(done, total, "")
        else:
            report(done, total, f"{task.order.act} {value}")

    run(tasks, workers, scratch, heard)


def _segments(job: _Job, store: Store) -> dict[str, Segment]:
    found = {name: store.get(job.keys[name]) for name in job.names}
    lost = [name for name, segment in found.items() if segment is None]
    if lost:
        raise RenderError(f"{job.order.act}: segments vanished while rendering: {', '.join(lost)}")
    return found


def _guarded(out: Path, work):
    """Run `work(scratch)` in a scratch folder on the disk of `out`; a full disk is one line."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        scratch = store_of(out).scratch()
    except OSError as error:
        raise RenderError(f"{out}: {error.strerror}") from error
    try:
        return work(scratch)
    except OSError as error:
        if disk_full(error):
            raise RenderError(f"{out}: no space left on the disk; make room and run again to "
                              "resume") from error
        raise RenderError(str(error)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def render(orders: list[Order], out: Path, workers: int, report) -> list[Path]:
    """Render acts whole; `report(done, total, note)` counts frames. The variants' folders.

    Raises RenderError; what was there before then stays, finished segments too.
    """
    jobs = [_Job.of(order) for order in orders]

    def work(scratch):
        _draw(jobs, out, workers, scratch, report)
        store, folders = store_of(out), []
        for k, job in enumerate(jobs):
            name = job.order.variant(job.planned)
            folder = scratch / f"package-{k}"
            build(folder, job.order, job.planned, _segments(job, store))
            settle(folder)
            swap(folder, out / name)
            folders.append(out / name)
        store.prune(keep={key for job in jobs for key in job.keys.values()})
        return folders

    return _guarded(out, work)


def clip(order: Order, names: list[str], out: Path, workers: int, report) -> Path:
    """Render beats alone, joined, to `<variant>-<first beat>.mp4` in `out`."""
    job = _Job.of(order, names)
    for name in names:
        order.beat_index(job.planned, name)

    def work(scratch):
        _draw([job], out, workers, scratch, report)
        segments = _segments(job, store_of(out)).values()
        name = f"{order.variant(job.planned)}-{names[0]}.mp4"
        join([s.film for s in segments], [s.frames for s in segments], scratch / name, order.fps,
             metadata={"title": job.planned.beat(names[0]).title[order.language]})
        settle(scratch / name)
        os.replace(scratch / name, out / name)
        return out / name

    return _guarded(out, work)


def still(order: Order, beat: str, out: Path) -> Path:
    """Draw the last picture of a beat to `<variant>-<beat>.png` in `out`."""
    from PIL import Image

    from studio.sheet import stills

    planned = order.planned()
    order.beat_index(planned, beat)
    last = planned.beat(beat).frames(order.fps) - 1

    def work(scratch):
        pixels = stills(order, {beat: [last]})[beat, last]
        name = f"{order.variant(planned)}-{beat}.png"
        Image.fromarray(pixels).convert("RGB").save(scratch / name)
        os.replace(scratch / name, out / name)
        return out / name

    return _guarded(out, work)
