"""Rendering: plan, missing segments, workers, package, swap."""

import os
import shutil
from pathlib import Path

from studio.deliver.package import build
from studio.render.keys import Keys
from studio.render.order import Order
from studio.render.pool import Job, RenderError, run
from studio.render.store import Segment, Store, disk_full, settle, swap
from studio.render.worker import Bench
from studio.stream.mp4 import join
from studio.voice.choice import SILENT, Speaker, Voicing, speaker

__all__ = ["RenderError", "clean", "clip", "cores", "render", "still", "store_of"]

# Bytes a frame at 1080p of everything a render writes: segment, film, clip, pictures. Drawn
# frames measured about 2 kB; a beat's pictures are counted apart.
_FRAME, _PICTURES, _RESERVE = 8_000, 1_500_000, 32 << 20


def cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def store_of(out: Path) -> Store:
    return Store(out / ".studio")


def _job(order: Order, out: Path, names=None) -> Job:
    planned = order.planned()
    places = sorted(order.beat_index(planned, name) for name in names or
                    [beat.name for beat in planned.beats])
    return Job(Bench(order, planned, Keys(order, planned), store_of(out).root), places)


def _need_space(out: Path, jobs: list[Job]) -> None:
    need = _RESERVE
    for job in jobs:
        width, height = job.bench.order.size
        frames = job.total
        need += int(width * height / (1920 * 1080)
                    * (_FRAME * frames + _PICTURES * len(job.places)))
    free = shutil.disk_usage(out).free
    if free < need:
        raise RenderError(f"{out}: about {need >> 20} MB needed, {free >> 20} MB free; "
                          "make room and run again")


def _segments(job: Job, store: Store) -> dict[str, Segment]:
    found = {job.bench.planned.beats[k].name: store.get(job.segments[k]) for k in job.places}
    lost = [name for name, segment in found.items() if segment is None]
    if lost:
        raise RenderError(f"{job.bench.order.act}: segments vanished while rendering: "
                          f"{', '.join(lost)}")
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


def _speakers(jobs: list[Job], voicing: Voicing, store: Store, report) -> list[Speaker | None]:
    """Who speaks in each film; all lines are said first: a line that does not fit draws nothing."""
    found = []
    for job in jobs:
        order, planned = job.bench.order, job.bench.planned
        found.append(speaker(order, voicing, store.voice))
        if found[-1]:
            found[-1].rehearse(planned, order.language,
                               lambda line, job=job: report(0, job.total, f"speaking {line}"))
    return found


def render(orders: list[Order], out: Path, workers: int, report,
           voicing: Voicing = SILENT) -> list[Path]:
    """Render acts whole; `report(done, total, note)` counts frames. The variants' folders.

    Raises RenderError, or VoiceError for a line that cannot be said in its time; what was there
    before then stays, finished segments too.
    """
    jobs = [_job(order, out) for order in orders]

    def work(scratch):
        _need_space(out, jobs)
        store, folders = store_of(out), []
        speaking = _speakers(jobs, voicing, store, report)
        run(jobs, workers, scratch, report)
        for k, (job, voice) in enumerate(zip(jobs, speaking)):
            order, planned = job.bench.order, job.bench.planned
            folder = scratch / f"package-{k}"
            build(folder, order, planned, _segments(job, store), voice)
            settle(folder)
            folders.append(out / order.variant(planned))
            swap(folder, folders[-1])
        store.prune(keep={key for job in jobs for key in job.segments.values()})
        return folders

    return _guarded(out, work)


def clip(order: Order, names: list[str], out: Path, workers: int, report) -> Path:
    """Render beats alone, joined, to `<variant>-<first beat>.mp4` in `out`."""
    job = _job(order, out, names)

    def work(scratch):
        _need_space(out, [job])
        run([job], workers, scratch, report)
        segments = _segments(job, store_of(out)).values()
        planned = job.bench.planned
        name = f"{order.variant(planned)}-{names[0]}.mp4"
        join([s.film for s in segments], [s.frames for s in segments], scratch / name, order.fps,
             metadata={"title": planned.beat(names[0]).title[order.language]})
        settle(scratch / name)
        os.replace(scratch / name, out / name)
        return out / name

    return _guarded(out, work)


def still(order: Order, beat: str, out: Path) -> Path:
    """Draw the last picture of a beat to `<variant>-<beat>.png` in `out`."""
    from PIL import Image

    from studio.draw.player import Player
    from studio.draw.states import States

    planned = order.planned()
    index = order.beat_index(planned, beat)
    last = planned.beats[index].frames(order.fps) - 1

    def work(scratch):
        states = States(store_of(out).root, Keys(order, planned))
        name = f"{order.variant(planned)}-{beat}.png"

        def want(_, start, count):
            return [last] if start <= last < start + count else []

        def take(_, frame, pixels, repeat, boxes):
            Image.fromarray(pixels).convert("RGB").save(scratch / name)

        states.draw(Player(order, scratch / "media"), index, want, take)
        os.replace(scratch / name, out / name)
        return out / name

    return _guarded(out, work)


def clean(out: Path, everything: bool) -> int:
    """Remove what no render of the last ones used, or all that is kept; bytes freed."""
    store = store_of(out)
    if not everything:
        return store.prune()
    freed = sum(path.stat().st_size for path in store.root.rglob("*") if path.is_file())
    shutil.rmtree(store.root, ignore_errors=True)
    return freed
