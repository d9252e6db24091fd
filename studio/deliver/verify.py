"""Checks what a render left behind against the plan, by decoding everything."""

import json
from pathlib import Path
from typing import Any

import av

from scenes.stage import LANGUAGES, Plan
from scenes.stage.words import ISO639
from studio.deliver import captions
from studio.deliver.mux import chapters, tracks
from studio.deliver.names import MANIFEST, Names
from studio.deliver.package import SUBTITLE_WRITERS, cue_sheet
from studio.errors import RenderError
from studio.render.order import Order
from studio.render.proofs import traces_today
from studio.render.sources import file_digest
from studio.stream.check import check
from studio.stream.mp4 import Chapter, read_payload, time_base
from studio.voice.choice import described

__all__ = ["verify"]


def verify(order: Order, out: Path) -> list[str]:
    """Lines of what holds; StudioError naming the first thing that does not.

    Quality and rate are taken from the manifest, act, language, theme and settings from `order`.
    """
    plan = order.planned()
    names = Names(order.variant(plan))
    folder = out / names.variant
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RenderError(f"{folder}: nothing rendered there; run render.py {order.act}") from None
    except ValueError:
        raise RenderError(f"{folder}/{MANIFEST}: damaged; render again") from None
    order = Order(order.act, manifest["quality"], int(manifest["fps"].split("/")[0]),
                  order.language, order.theme, order.settings)
    found = [_verify_files(folder, manifest), _verify_traces(order, manifest),
             _verify_texts(folder, names, order, plan),
             _verify_film(folder / names.film, plan, order.fps, order.language),
             _verify_sound(folder / names.film, plan.tenths, order.language, manifest["voice"])]
    for beat in plan.beats:
        clip = folder / names.clip(beat.name)
        check(clip, beat.frames(order.fps), order.fps)
        _verify_sound(clip, beat.tenths, order.language,
                      manifest["voice"] if manifest["clips_speak"] else None, whole=False)
    return [*found, f"{len(plan.beats)} clips: every frame as planned"]


def _expect(wanted: Any, found: Any, what: str) -> None:
    if wanted != found:
        raise RenderError(f"{what}: differs from the plan; render again")


def _verify_files(folder: Path, manifest: dict[str, Any]) -> str:
    for name, value in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise RenderError(f"{path}: missing; render again")
        if file_digest(path) != value:
            raise RenderError(f"{path}: changed since it was rendered; render again")
    return f"{len(manifest['files'])} files: whole, as the manifest says"


def _verify_traces(order: Order, manifest: dict[str, Any]) -> str:
    """The film was drawn from the traces that are there now, and these are proved."""
    then, now = manifest["traces"], traces_today(order)
    other = sorted(name for name in {*then, *now} if then.get(name) != now.get(name))
    if other:
        raise RenderError(f"{MANIFEST}: drawn from other traces than today's: "
                          f"{', '.join(other)}; render again")
    return f"{len(now)} traces: proved, and those of the film"


def _verify_texts(folder: Path, names: Names, order: Order, plan: Plan) -> str:
    sheet = json.loads((folder / names.cues).read_text(encoding="utf-8"))
    wanted = json.loads(json.dumps(cue_sheet(order, plan, names.variant)))
    _expect(wanted, sheet, names.cues)
    for language in LANGUAGES:
        for kind, write in SUBTITLE_WRITERS.items():
            name = names.subtitles(language, kind)
            text = (folder / name).read_text(encoding="utf-8")
            _expect(write(captions.cues(plan, language)), text, name)
    return f"cue sheet and subtitles: as planned, {len(plan.beats)} beats"


def _verify_film(path: Path, plan: Plan, fps: int, language: str) -> str:
    check(path, plan.frames(fps), fps)
    payload, starts = read_payload(path), [beat.start_frame(fps) for beat in plan.beats]
    ends = [*payload.keyframes[1:], plan.frames(fps)]
    _expect(list(range(plan.frames(fps))), payload.pts, f"{path.name}: pts")
    _expect(set(), set(starts) - set(payload.keyframes), f"{path.name}: key frames of the beats")
    _expect(True, max(b - a for a, b in zip(payload.keyframes, ends)) <= fps,
            f"{path.name}: distance of key frames")
    _expect(True, _is_faststart(path), f"{path.name}: faststart")
    with av.open(f"file:{path}") as film:
        context = film.streams.video[0].codec_context
        _expect((1, 1, 1, 1, "High", "yuv420p"),
                (context.color_primaries, context.color_trc, context.colorspace,
                 context.color_range, context.profile, context.pix_fmt),
                f"{path.name}: profile and colour tags")
        found = [Chapter(c["start"], c["end"], c["metadata"]["title"]) for c in film.chapters()]
        _expect(chapters(plan, language), found, f"{path.name}: chapters")
        _expect([track.language for track in tracks(plan)],
                [stream.language for stream in film.streams.subtitles],
                f"{path.name}: subtitle tracks")
    for k, track in enumerate(tracks(plan)):
        _expect(list(track.cues), _read_track(path, k), f"{path.name}: {track.title} subtitles")
    return f"{path.name}: {plan.frames(fps)} frames at {fps} a second, decoded without a fault"


def _verify_sound(path: Path, tenths: int, language: str, voice: dict[str, Any] | None,
                  whole: bool = True) -> str:
    """The track is in the film's language and as long as planned; a `whole` film's is as loud as
    it should be. Where nobody speaks there is none.
    """
    with av.open(f"file:{path}") as film:
        found = [stream.language for stream in film.streams.audio]
    _expect([ISO639.get(language, language)] if voice else [], found, f"{path.name}: sound")
    if voice:
        from studio.voice.loudness import LOUDNESS
        from studio.voice.track import check_sound

        check_sound(path, tenths, LOUDNESS if whole else None)
    return f"{path.name}: {described(voice)}"


def _read_track(path: Path, index: int) -> list[tuple[int, int, str]]:
    """Cues of a subtitle track, times in milliseconds."""
    found = []
    with av.open(f"file:{path}") as film:
        stream = film.streams.subtitles[index]
        for packet in film.demux(stream):
            data = bytes(packet)
            if packet.pts is not None and len(data) > 2:  # else the sample between two cues
                text = data[2:2 + int.from_bytes(data[:2], "big")].decode()
                start, length = (round(ticks * time_base(stream) * 1000)
                                 for ticks in (packet.pts, packet.duration or 0))
                found.append((start, start + length, text))
    return found


def _is_faststart(path: Path) -> bool:
    """Whether the index (moov) comes before the pictures (mdat)."""
    with path.open("rb") as file:
        while header := file.read(8):
            if header[4:] in (b"moov", b"mdat"):
                return header[4:] == b"moov"
            file.seek(int.from_bytes(header[:4], "big") - 8, 1)
    return False
