"""Checks what a render left behind against the plan, by decoding everything."""

import json
from pathlib import Path

import av

from scenes.stage import LANGUAGES
from studio.deliver import captions
from studio.deliver.package import SUBTITLES, Names, chapters, clip_name, cue_sheet, tracks
from studio.render.keys import file_digest
from studio.render.order import Order
from studio.render.pool import RenderError
from studio.stream.mp4 import check, payload
from studio.voice.choice import ISO639, described

__all__ = ["verify"]


def verify(order: Order, out: Path) -> list[str]:
    """Lines of what holds; RenderError naming the first thing that does not.

    Quality and rate are taken from the manifest, act, language, theme and settings from `order`.
    """
    planned = order.planned()
    stem = order.variant(planned)
    folder = out / stem
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RenderError(f"{folder}: nothing rendered there; run render.py {order.act}") from None
    except ValueError:
        raise RenderError(f"{folder}/manifest.json: damaged; render again") from None
    order = Order(order.act, manifest["quality"], int(manifest["fps"].split("/")[0]),
                  order.language, order.theme, order.settings)
    names, fps = Names(stem), order.fps
    found = [_files(folder, manifest), _texts(folder, names, order, planned),
             _film(folder / names.film, planned, fps, order.language),
             _sound(folder / names.film, planned.tenths, order.language, manifest["voice"])]
    for beat in planned.beats:
        clip = folder / clip_name(stem, beat.name)
        check(clip, beat.frames(fps), fps)
        _sound(clip, beat.tenths, order.language, manifest["voice"] if manifest["clips_speak"]
               else None, whole=False)
    return [*found, f"{len(planned.beats)} clips: every frame as planned"]


def _expect(wanted, found, what):
    if wanted != found:
        raise RenderError(f"{what}: differs from the plan; render again")


def _files(folder, manifest):
    for name, value in manifest["files"].items():
        path = folder / name
        if not path.is_file():
            raise RenderError(f"{path}: missing; render again")
        if file_digest(path) != value:
            raise RenderError(f"{path}: changed since it was rendered; render again")
    return f"{len(manifest['files'])} files: whole, as the manifest says"


def _texts(folder, names, order, planned):
    sheet = json.loads((folder / names.cues).read_text(encoding="utf-8"))
    _expect(json.loads(json.dumps(cue_sheet(order, planned, names.stem))), sheet, names.cues)
    for language in LANGUAGES:
        for kind, write in SUBTITLES.items():
            name = names.subtitles(language, kind)
            text = (folder / name).read_text(encoding="utf-8")
            _expect(write(captions.cues(planned, language)), text, name)
    return f"cue sheet and subtitles: as planned, {len(planned.beats)} beats"


def _film(path, planned, fps, language):
    check(path, planned.frames(fps), fps)
    coded, starts = payload(path), [beat.start_frame(fps) for beat in planned.beats]
    _expect(list(range(planned.frames(fps))), coded.pts, f"{path.name}: pts")
    _expect(set(), set(starts) - set(coded.keys), f"{path.name}: key frames of the beats")
    gaps = [b - a for a, b in zip(coded.keys, [*coded.keys[1:], planned.frames(fps)])]
    _expect(True, max(gaps) <= fps, f"{path.name}: distance of key frames")
    with av.open(str(path)) as film:
        context = film.streams.video[0].codec_context
        tags = (context.color_primaries, context.color_trc, context.colorspace,
                context.color_range, context.profile, context.pix_fmt)
        _expect((1, 1, 1, 1, "High", "yuv420p"), tags, f"{path.name}: profile and colour tags")
        found = [(c["start"], c["end"], c["metadata"]["title"]) for c in film.chapters()]
        _expect(chapters(planned, language), found, f"{path.name}: chapters")
        texts = film.streams.subtitles
        _expect([track.language for track in tracks(planned, language)],
                [s.language for s in texts], f"{path.name}: subtitle tracks")
    for k, track in enumerate(tracks(planned, language)):
        _expect(list(track.cues), _cues(path, k), f"{path.name}: {track.title} subtitles")
    _expect(True, _fast(path), f"{path.name}: faststart")
    return f"{path.name}: {planned.frames(fps)} frames at {fps} a second, decoded without a fault"


def _sound(path, tenths, language, voice, whole=True):
    """The track is in the film's language, as long as planned, and, if it is a whole film's, as
    loud; or there is none."""
    with av.open(str(path)) as film:
        found = [stream.language for stream in film.streams.audio]
    _expect([ISO639.get(language, language)] if voice else [], found, f"{path.name}: sound")
    if not voice:
        return f"{path.name}: silent, as the manifest says"
    from studio.voice.track import LOUDNESS, check_sound

    check_sound(path, tenths, LOUDNESS if whole else None)
    return f"{path.name}: {described(voice)}, decoded without a fault"


def _cues(path, index):
    found = []
    with av.open(str(path)) as film:
        stream = film.streams.subtitles[index]
        for packet in film.demux(stream):
            data = bytes(packet)
            if packet.pts is not None and len(data) > 2:
                text = data[2:2 + int.from_bytes(data[:2], "big")].decode()
                start, length = (round(t * stream.time_base * 1000)
                                 for t in (packet.pts, packet.duration))
                found.append((start, start + length, text))
    return found


def _fast(path) -> bool:
    """Whether the index (moov) comes before the pictures (mdat)."""
    with path.open("rb") as file:
        while header := file.read(8):
            if header[4:] in (b"moov", b"mdat"):
                return header[4:] == b"moov"
            file.seek(int.from_bytes(header[:4], "big") - 8, 1)
    return False
