"""Beats given to a Dask scheduler: many machines draw, this one checks, keeps and joins.

A beat is a pure unit of work: an order, the snapshot it starts from, and out come the bytes of its
segment, the same on every machine. A worker that is lost loses nothing: its beats go elsewhere.
What costs time is the workers': playing an act to its snapshots, drawing, decoding what was drawn.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import RenderError, UsageError
from studio.render.plan import Job
from studio.render.pool import Report, Segments
from studio.render.remote import Drawn, Request, draw_beat, find_states
from studio.render.snapshots import Snapshots
from studio.render.store import Store

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["draw_on_cluster", "take_back"]

_PATIENCE = 15  # seconds for a scheduler to answer
_STATES_FIRST = 1_000_000  # priority, above every beat's: its frames
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
    total = sum(job.frames for job in jobs)
    done, wanted = 0, [list[_Beat]() for _ in jobs]
    with _client(address) as client:
        for beat, drawn in _Course(client, store, jobs, wanted).drawn():
            if drawn:
                take_back(drawn, beat.key, beat.frames, store, scratch)
            done += beat.frames
            report(done, total, f"{beat.job.render_plan.order.act} {beat.name} on {address}")
    found = {beat.key: store.get(beat.key) for beats in wanted for beat in beats}
    lost = [beat.name for beats in wanted for beat in beats if not found[beat.key]]
    if lost:
        raise RenderError(f"segments vanished while rendering: {', '.join(lost)}")
    return [Segments(job, tuple(segment for beat in beats if (segment := found[beat.key])))
            for job, beats in zip(jobs, wanted)]


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


class _Course:
    """What the cluster is asked for: an act's snapshots first, then its beats, longest first."""

    def __init__(self, client: "Client", store: Store, jobs: Sequence[Job],
                 wanted: list[list[_Beat]]) -> None:
        """`wanted`: for each job its beats, filled as its snapshots become known."""
        from distributed import as_completed

        self._client, self._store, self._jobs, self._wanted = client, store, jobs, wanted
        self._asked: dict[Any, int | _Beat] = {}  # a job by its place
        self._answers = as_completed(loop=client.loop)

    def drawn(self) -> Iterator[tuple[_Beat, Drawn | None]]:
        """(beat, what its worker gave), None for what is kept; RenderError for a failure."""
        for place, job in enumerate(self._jobs):
            plan, last = job.render_plan, job.beats[-1]
            if len(Snapshots(self._store.root, plan.keys).known(last)) > last:
                yield from self._begin(place)
            else:
                self._ask(find_states, Request(plan.order, last, plan.keys.sources), place,
                          _STATES_FIRST)
        for future in self._answers:
            asked = self._asked.pop(future)
            answer = self._answer(future, asked)
            if isinstance(asked, _Beat):
                yield asked, answer
            else:
                snapshots = Snapshots(self._store.root, self._jobs[asked].render_plan.keys)
                snapshots.receive(answer.hashes, answer.packed)
                yield from self._begin(asked)

    def _begin(self, place: int) -> Iterator[tuple[_Beat, None]]:
        """Ask for the beats of a job whose snapshots are known; yields those that are kept."""
        self._wanted[place] = [*_beats(self._jobs[place], self._store)]
        for beat in self._wanted[place]:
            if self._store.get(beat.key):
                yield beat, None
            else:
                self._ask(draw_beat, beat.request, beat, beat.frames)

    def _ask(self, what: Callable[[Request], Any], request: Request, asked: int | _Beat,
             priority: int) -> None:
        future = self._client.submit(what, request, pure=False, priority=priority)
        self._asked[future] = asked
        self._answers.add(future)

    def _answer(self, future: Any, asked: int | _Beat) -> Any:
        """What a worker gave; after a failure nothing more is asked: RenderError, one line."""
        if not (error := future.exception()):
            answer = future.result()
            future.release()
            return answer
        self._client.cancel([*self._asked])
        text = " ".join(str(error).split())
        if "deserializ" in text:
            text = "scheduler and workers must be started in this project's folder"
        if isinstance(asked, _Beat):
            raise RenderError(f"{asked.job.render_plan.order.act}, beat {asked.name}: {text}")
        raise RenderError(f"{self._jobs[asked].render_plan.order.act}: {text}")


def _beats(job: Job, store: Store) -> Iterator[_Beat]:
    """The beats of a job whose snapshots are known."""
    plan = job.render_plan
    snapshots = Snapshots(store.root, plan.keys)
    states = snapshots.known(job.beats[-1])
    for index in job.beats:
        yield _Beat(job, index, plan.keys.segment(index, states[index]), Request(
            plan.order, index, plan.keys.sources, tuple(states[:index + 1]),
            snapshots.packed(states[index])))


def take_back(drawn: Drawn, key: str, frames: int, store: Store, scratch: Path) -> None:
    """Keep what came back under its key, if it is what its worker had decoded strictly."""
    if not isinstance(drawn, Drawn) or not {*drawn.files} <= _PARTS:
        raise RenderError("a worker sent something else than a segment")
    if not drawn.whole:
        raise RenderError("its segment was damaged on the way; run again")
    folder = scratch / key
    folder.mkdir()
    for name, data in drawn.files.items():
        (folder / name).write_bytes(data)
    store.put(key, folder, frames)
