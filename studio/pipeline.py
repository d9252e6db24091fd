"""The way of a render: order → plan → jobs → segments → mux → package → deliver.

Each step takes the frozen value of the one before: Order, RenderPlan, Job, Segments, Film, Package.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from scenes.stage import LANGUAGES
from studio.deliver import exports
from studio.deliver.decks.deck import deck_format, warnings, write_deck
from studio.deliver.decks.talk import Choice, Talk
from studio.deliver.mux import join_segments, mux
from studio.deliver.package import cue_sheet, deliver, package
from studio.deliver.rendered import Rendered, read
from studio.deliver.webm import webm as make_webm
from studio.errors import RenderError
from studio.render.cluster import draw_on_cluster
from studio.render.files import publish
from studio.render.order import Order, require_known
from studio.render.own import require_own
from studio.render.plan import Job, RenderPlan
from studio.render.pool import Report, draw_segments
from studio.render.proofs import traces_today
from studio.render.scratch import scratch_folder
from studio.render.store import Store
from studio.voice.choice import AUTO, SILENT, Speaker, Voicing, speaker, spoken_by

__all__ = ["burned", "clean", "clip", "deck", "gif", "master", "render", "still", "up_to_date",
           "webm"]

# Bytes at 1080p of everything a render writes: for a frame (segment, film, clip; drawn frames
# measured about 2 kB), for a beat's pictures; and what is left free on the disk.
_FRAME_BYTES, _PICTURES_BYTES, _RESERVE_BYTES = 8_000, 1_500_000, 32 << 20
_HD_PIXELS = 1920 * 1080


def render(orders: Sequence[Order], out: Path, workers: int, report: Report,
           voicing: Voicing = SILENT, cluster: str = "") -> list[Path]:
    """Render acts whole; the variants' folders in `out`.

    `cluster`: address of a Dask scheduler whose workers draw, not `workers` of this machine.
    Raises StudioError; what was there before then stays, finished segments too.
    """
    jobs = [RenderPlan.of(order).job() for order in orders]
    for job in jobs:
        require_own(out / job.render_plan.variant)
    store = Store.beside(out)
    with scratch_folder(out) as scratch:
        _require_space(out, jobs)
        jobs = [job.proved(store.proofs) for job in jobs]
        speakers = _speakers(jobs, voicing, store, report)
        drawn = (draw_on_cluster(jobs, store, cluster, scratch, report) if cluster
                 else draw_segments(jobs, store, workers, scratch, report))
        films = (mux(segments, scratch / f"film-{k}", voice)
                 for k, (segments, voice) in enumerate(zip(drawn, speakers)))
        folders = [deliver(package(film), out) for film in films]
        store.prune(keep={item.folder.name for segments in drawn for item in segments.items})
    return folders


def _speakers(jobs: Sequence[Job], voicing: Voicing, store: Store,
              report: Report) -> list[Speaker | None]:
    """Who speaks in each film; all lines are said first, so that one that does not fit is told
    before anything is drawn.
    """
    speakers = []
    for job in jobs:
        plan = job.render_plan.plan
        speakers.append(speaker(job.render_plan.order, voicing, store.voice))
        if speakers[-1]:
            speakers[-1].rehearse(plan, partial(_report_line, report, job.frames))
    return speakers


def _report_line(report: Report, frames: int, line: str) -> None:
    report(0, frames, f"speaking {line}")


def clip(order: Order, names: Sequence[str], out: Path, workers: int, report: Report) -> Path:
    """Render beats alone, joined, to `<variant>-<first beat>.mp4` in `out`."""
    job = RenderPlan.of(order).job(names)
    final = out / f"{job.render_plan.variant}-{names[0]}.mp4"
    require_own(final)
    with scratch_folder(out) as scratch:
        return publish(_joined(job, out, workers, scratch, report), final)


def _joined(job: Job, out: Path, workers: int, scratch: Path, report: Report) -> Path:
    """The beats of a job in one file in `scratch`; their segments are kept beside `out`."""
    _require_space(out, [job])
    job = job.proved(Store.beside(out).proofs)
    segments, = draw_segments([job], Store.beside(out), workers, scratch, report)
    join_segments(segments, scratch / "joined.mp4")
    return scratch / "joined.mp4"


def still(order: Order, beat: str, out: Path) -> Path:
    """Draw the last picture of a beat to `<variant>-<beat>.png` in `out`.

    The order's language suffices: others may lack the words still.
    """
    plan = RenderPlan.of(replace(order, all_languages=False))
    index, = plan.job([beat]).proved().beats
    final = out / f"{plan.variant}-{beat}.png"
    require_own(final)
    with scratch_folder(out) as scratch:
        path = scratch / final.name
        _draw_still(plan, index, path, scratch)
        return publish(path, final)


def _draw_still(plan: RenderPlan, index: int, path: Path, scratch: Path) -> None:
    from PIL import Image

    from studio.draw.player import Player
    from studio.render.snapshots import Snapshots

    last = plan.frames(index) - 1
    snapshots = Snapshots(scratch.parent, plan.keys)
    snapshots.draw(
        Player(plan.order, scratch / "media"), index,
        lambda _, start, count: [last] if start <= last < start + count else [],
        lambda _, frame, pixels, *__: Image.fromarray(pixels).convert("RGB").save(path))


def _require_space(out: Path, jobs: Sequence[Job]) -> None:
    needed = _RESERVE_BYTES
    for job in jobs:
        width, height = job.render_plan.order.size
        bytes_at_hd = _FRAME_BYTES * job.frames + _PICTURES_BYTES * len(job.beats)
        needed += int(width * height / _HD_PIXELS * bytes_at_hd)
    free = shutil.disk_usage(out).free
    if free < needed:
        raise RenderError(f"{out}: about {needed >> 20} MB needed, {free >> 20} MB free; "
                          "make room and run again")


def clean(out: Path, everything: bool) -> int:
    """Remove what was longest not used beyond a bound, or all that is kept; bytes freed."""
    store = Store.beside(out)
    return store.clear() if everything else store.prune()


def up_to_date(order: Order, media: Path, workers: int, report: Report) -> Rendered:
    """The act as ordered and as the code now draws it; only what is missing is drawn.

    A render of another quality is not replaced: this one then goes to `media/<quality>/`. Whoever
    spoke in it speaks again; RenderError where that was a person and the words have changed.
    """
    plan = order.planned()
    existing = read(media / order.variant(plan))
    if existing and (existing.manifest["quality"], existing.fps) != (order.quality, order.fps):
        media = media / order.quality
        existing = read(media / order.variant(plan)) or existing
    voicing = spoken_by(existing.manifest) if existing else AUTO
    if voicing is None and existing:
        if existing.sheet != json.loads(json.dumps(cue_sheet(order, plan, existing.variant))):
            raise RenderError(f"{existing.folder}: its recordings are of other words or another "
                              "size; render it again with --voice-dir")
        return existing
    folder, = render([order], media, workers, report, voicing or AUTO)
    rendered = read(folder)
    if rendered is None:
        raise RenderError(f"{folder}: vanished while it was used")
    return rendered


def deck(orders: Sequence[Order], kind: str, out: Path, media: Path, workers: int,
         report: Report, speaks: bool = False,
         choice: Choice = Choice()) -> tuple[Path, list[str]]:
    """Render what is missing into `media`, write one deck into `out`: (its path, warnings).

    `speaks`: the clips have the film's sound; RenderError where the film has none.
    UsageError for a beat or a template that is none.
    """
    form = deck_format(kind)
    for beat in choice.beats:
        orders[0].beat_index(orders[0].planned(), beat)
    acts = [up_to_date(order, media, workers, report) for order in orders]
    talk = Talk.of(acts, orders[0].language, choice)
    return write_deck(form, talk, out, speaks), warnings(talk)


def gif(order: Order, beat: str, out: Path, workers: int, report: Report) -> Path:
    """A looping GIF of one beat."""
    job = RenderPlan.of(order).job([beat])
    final = out / f"{job.render_plan.variant}-{beat}.gif"
    require_own(final)
    with scratch_folder(out) as scratch:
        source = _joined(job, out, workers, scratch, report)
        return exports.gif(source, job.frames, order.fps, final, report)


def webm(order: Order, out: Path, workers: int, report: Report) -> Path:
    """The film as WebM."""
    return make_webm(up_to_date(order, out, workers, report), out, workers, report)


def burned(order: Order, language: str, out: Path, workers: int, report: Report) -> Path:
    """The film with the subtitles of one language drawn in."""
    require_known("language", language, LANGUAGES)
    return exports.burned(up_to_date(order, out, workers, report), language, out, report)


def master(order: Order, out: Path, report: Report) -> Path:
    """The ProRes master."""
    traces_today(order)
    return exports.master(order, out, report)
