"""Checks a film and its clips against the plan, by decoding them."""

from pathlib import Path
from typing import Any

import av

from scenes.stage import Plan
from scenes.stage.words import ISO639
from studio.deliver.mux import chapters, tracks
from studio.errors import RenderError
from studio.stream.check import check
from studio.stream.mp4 import Chapter, read_payload, time_base
from studio.voice.choice import described

__all__ = ["expect", "verify_film", "verify_sound"]


def expect(wanted: Any, found: Any, what: str) -> None:
    """Raise RenderError where what was found is not what the plan wants."""
    if wanted != found:
        raise RenderError(f"{what}: differs from the plan; render again")


def verify_film(path: Path, plan: Plan, fps: int, language: str) -> str:
    """Pictures, key frames, tags, chapters and subtitles; RenderError, StreamError."""
    check(path, plan.frames(fps), fps)
    payload, starts = read_payload(path), [beat.start_frame(fps) for beat in plan.beats]
    ends = [*payload.keyframes[1:], plan.frames(fps)]
    expect(list(range(plan.frames(fps))), payload.pts, f"{path.name}: pts")
    expect(set(), set(starts) - set(payload.keyframes), f"{path.name}: key frames of the beats")
    expect(True, max(b - a for a, b in zip(payload.keyframes, ends)) <= fps,
            f"{path.name}: distance of key frames")
    expect(True, _is_faststart(path), f"{path.name}: faststart")
    with av.open(f"file:{path}") as film:
        context = film.streams.video[0].codec_context
        expect((1, 1, 1, 1, "High", "yuv420p"),
                (context.color_primaries, context.color_trc, context.colorspace,
                 context.color_range, context.profile, context.pix_fmt),
                f"{path.name}: profile and colour tags")
        found = [Chapter(c["start"], c["end"], c["metadata"]["title"]) for c in film.chapters()]
        expect(chapters(plan, language), found, f"{path.name}: chapters")
        expect([track.language for track in tracks(plan)],
                [stream.language for stream in film.streams.subtitles],
                f"{path.name}: subtitle tracks")
    for k, track in enumerate(tracks(plan)):
        expect(list(track.cues), _read_track(path, k), f"{path.name}: {track.title} subtitles")
    return f"{path.name}: {plan.frames(fps)} frames at {fps} a second, decoded without a fault"


def verify_sound(path: Path, tenths: int, language: str, voice: dict[str, Any] | None,
                  whole: bool = True) -> str:
    """The track is in the film's language and as long as planned; a `whole` film's is as loud as
    it should be. Where nobody speaks there is none.
    """
    with av.open(f"file:{path}") as film:
        found = [stream.language for stream in film.streams.audio]
    expect([ISO639.get(language, language)] if voice else [], found, f"{path.name}: sound")
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
