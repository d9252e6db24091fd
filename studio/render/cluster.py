"""Beats given to a Dask scheduler: many machines draw, this one checks, keeps and joins.

A beat is a pure unit of work: an order, the snapshot it starts from, and out come the bytes of its
segment, the same on every machine. A worker that is lost loses nothing: its beats go elsewhere.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import RenderError, UsageError
from studio.render.plan import Job
from studio.render.pool import Report, Segments
from studio.render.remote import Request, draw_beat, known_states
from studio.render.snapshots import Snapshots
from studio.render.store import Store
from studio.stream.check import check

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["draw_on_cluster"]

_PATIENCE = 15  # seconds for a scheduler to answer
_PARTS = frozenset(("film.mp4", "first.png", "middle.png", "last.png"))


@dataclass(frozen=True)
class _Beat:
    """A segment that is wanted: its key in the store, and what to ask for it."""

    job: Job
    index: int
    key: str
    request: Request

    @property
    def frames(self) -> int:
        return self.job.render_plan.frames(self.index)

    @property
    def name(self) -> str:
        return self.job.render_plan.plan.beats[self.index].name


def draw_on_cluster(jobs: Sequence[Job], store: Store, address: str, scratch: Path,
                    report: Report) -> list[Segments]:
    """The segments of `jobs`; what is missing is drawn by the workers of the scheduler at
    `address`. Raises UsageError where none answers, RenderError for the first that fails.
    """
    with _client(address) as client:
        beats = [beat for job in jobs for beat in _wanted(job, store)]
        missing = [beat for beat in beats if not store.get(beat.key)]
        total = sum(beat.frames for beat in beats)
        done = total - sum(beat.frames for beat in missing)
        report(done, total, f"{len(missing)} beats on {address}")
        for beat, files in _drawn(client, missing):
            _receive(beat, files, store, scratch)
            done += beat.frames
            report(done, total, f"{beat.job.render_plan.order.act} {beat.name}")
    found = {beat.key: store.get(beat.key) for beat in beats}
    lost = [beat.name for beat in beats if not found[beat.key]]
    if lost:
        raise RenderError(f"segments vanished while rendering: {', '.join(lost)}")
    return [Segments(job, tuple(segment for beat in beats if beat.job is job
                                and (segment := found[beat.key]))) for job in jobs]


@contextmanager
def _client(address: str) -> Iterator["Client"]:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise UsageError("--cluster needs Dask: pip install -e '.[cluster]'") from None
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        text = " ".join(str(error).split())
        raise UsageError(f"--cluster {address}: no scheduler answers there ({text})") from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise RenderError(f"--cluster {address}: the scheduler has no workers yet")
        yield client


def _wanted(job: Job, store: Store) -> Iterator[_Beat]:
    """The beats of a job, with the snapshots at which they start, made known here first."""
    plan, last = job.render_plan, job.beats[-1]
    snapshots = Snapshots(store.root, plan.keys)
    if len(snapshots.known(last)) <= last:
        known_states(plan.order, last, store.root)
    states = snapshots.known(last)
    for index in job.beats:
        key = plan.keys.segment(index, states[index])
        yield _Beat(job, index, key, Request(plan.order, index, plan.keys.sources,
                                             tuple(states[:index + 1]),
                                             snapshots.packed(states[index])))


def _drawn(client: "Client", beats: list[_Beat]) -> Iterator[tuple[_Beat, Any]]:
    """(beat, what its worker gave), the longest begun first; RenderError for the first failure."""
    from distributed import as_completed

    ordered = sorted(beats, key=lambda beat: -beat.frames)
    futures = {client.submit(draw_beat, beat.request, pure=False): beat for beat in ordered}
    for future in as_completed(list(futures), loop=client.loop):
        beat = futures[future]
        if error := future.exception():
            client.cancel(list(futures))
            text = " ".join(str(error).split())
            if "deserializ" in text:
                text = "scheduler and workers must be started in this project's folder"
            raise RenderError(f"{beat.job.render_plan.order.act}, beat {beat.name}: {text}")
        yield beat, future.result()
        future.release()


def _receive(beat: _Beat, files: dict[str, bytes], store: Store, scratch: Path) -> None:
    """Check what came back, and keep it."""
    if not isinstance(files, dict) or not {*files} <= _PARTS:
        raise RenderError(f"beat {beat.name}: a worker sent something else than a segment")
    folder = scratch / beat.key
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    check(folder / "film.mp4", beat.frames, beat.job.render_plan.order.fps, decode_copies=False)
    store.put(beat.key, folder, beat.frames)
