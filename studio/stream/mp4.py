"""MP4 files made of segments by copying packets, and what such a file holds, undecoded.

ffmpeg's concat gives irregular steps (PyAV 18.1, ffmpeg 8); copying packets does not.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import av
from av.container import InputContainer, OutputContainer

from studio.errors import StreamError
from studio.stream.sound import CopiedSound

__all__ = ["Chapter", "Clip", "Part", "Payload", "Track", "join", "packets_with_frames",
           "read_payload", "ticks_per_frame", "time_base"]

_MILLISECOND = Fraction(1, 1000)


class Part(NamedTuple):
    """A segment of a film and how many frames it has."""

    path: Path
    frames: int


class Clip(NamedTuple):
    """A file of its own for one segment, and its metadata."""

    path: Path
    metadata: Mapping[str, str]


class Chapter(NamedTuple):
    """Start and end in milliseconds."""

    start: int
    end: int
    title: str


@dataclass(frozen=True)
class Track:
    """A subtitle track: ISO 639-2 language and cues (start, end, text), times in milliseconds."""

    language: str
    title: str
    cues: tuple[tuple[int, int, str], ...]


class Payload:
    """The coded pictures of a file: their hash and sizes, pts and key frames counted in frames."""

    def __init__(self) -> None:
        self.sizes: list[int] = []  # bytes
        self.pts: list[int | Fraction] = []
        self.keyframes: list[int | Fraction] = []
        self._hash = hashlib.sha256()

    def add(self, packet: av.Packet, frame: int | Fraction) -> None:
        """Take note of a packet whose pts is `frame`."""
        self._hash.update(bytes(packet))
        self.sizes.append(packet.size)
        self.pts.append(frame)
        if packet.is_keyframe:
            self.keyframes.append(frame)

    @property
    def digest(self) -> str:
        """SHA-256 over all packets."""
        return self._hash.hexdigest()


def join(parts: Sequence[Part], path: Path, fps: int, tracks: Sequence[Track] = (),
         chapters: Sequence[Chapter] = (), metadata: Mapping[str, str] | None = None,
         clips: Sequence[Clip] = (), sound: Path | None = None) -> list[Payload]:
    """Copy the packets of segments into one file with faststart; what each segment holds.

    `clips`: for each segment also a file of its own. `sound`: a file whose sound track is copied
    too. Raises StreamError when the segments were encoded with different settings.
    """
    with av.open(f"file:{parts[0].path}") as first, _new_mp4(path, metadata) as film:
        template = first.streams.video[0]
        extradata = template.codec_context.extradata
        video = film.add_stream_from_template(template)
        voice = CopiedSound(film, sound) if sound else None
        text_streams = [_add_track(film, track) for track in tracks]
        film.set_chapters([
            {"id": k, "start": chapter.start, "end": chapter.end, "time_base": _MILLISECOND,
             "metadata": {"title": chapter.title}} for k, chapter in enumerate(chapters)])
        film.start_encoding()
        for track, stream in zip(tracks, text_streams):
            _write_track(film, track, stream)
        start, payloads = 0, []
        for part, clip in zip_longest(parts, clips):
            with ExitStack() as stack:
                targets = [_Target(film, video, start)]
                if clip:
                    file = stack.enter_context(_new_mp4(*clip))
                    targets.append(_Target(file, file.add_stream_from_template(template), 0))
                    file.start_encoding()
                payloads.append(_copy(part.path, targets, fps, extradata))
            start += part.frames
            if voice:
                voice.until(Fraction(start, fps))
        if voice:
            voice.close()
    return payloads


@contextmanager
def _new_mp4(path: Path, metadata: Mapping[str, str] | None) -> Iterator[OutputContainer]:
    with av.open(f"file:{path}", "w", format="mp4", options={"movflags": "+faststart"}) as file:
        file.metadata.update(metadata or {})
        yield file


class _Target(NamedTuple):
    """Where a segment is copied to, and the frame at which it begins there."""

    file: OutputContainer
    stream: av.VideoStream
    start: int


def _copy(segment: Path, targets: list[_Target], fps: int, extradata: bytes | None) -> Payload:
    payload = Payload()
    steps = [round(ticks_per_frame(target.stream, fps)) for target in targets]
    with av.open(f"file:{segment}") as file:
        source = file.streams.video[0]
        if source.codec_context.extradata != extradata:
            raise StreamError(f"{segment}: encoded with other settings than the first segment")
        for packet, frame in packets_with_frames(file, source, fps):
            payload.add(packet, frame)
            for target, step in zip(targets, steps):
                packet.pts = packet.dts = int((target.start + frame) * step)
                packet.time_base, packet.duration = time_base(target.stream), step
                packet.stream = target.stream
                target.file.mux_one(packet)
    return payload


def time_base(stream: av.stream.Stream) -> Fraction:
    """The tick of a stream's clock, in seconds."""
    assert stream.time_base is not None, "an open stream has a clock"
    return stream.time_base


def ticks_per_frame(stream: av.stream.Stream, fps: int | Fraction) -> Fraction:
    """How many ticks of a stream's clock a frame lasts."""
    return 1 / (fps * time_base(stream))


def packets_with_frames(file: InputContainer, stream: av.VideoStream,
                        fps: int | Fraction) -> Iterator[tuple[av.Packet, int | Fraction]]:
    """The packets of a video stream, each with its pts in frames: an int unless it is uneven."""
    step = ticks_per_frame(stream, fps)
    whole = step.numerator if step.denominator == 1 else 0
    for packet in file.demux(stream):
        if packet.pts is not None:
            is_even = whole and packet.pts % whole == 0
            yield packet, packet.pts // whole if is_even else packet.pts / step


def _add_track(film: OutputContainer, track: Track) -> av.stream.Stream:
    stream = film.add_mux_stream("mov_text", time_base=_MILLISECOND)
    stream.language = track.language
    # a "title" would become a name box, of which ffmpeg warns when it reads the file
    stream.metadata.update({"language": track.language, "handler_name": track.title})
    return stream


def _write_track(film: OutputContainer, track: Track, stream: av.stream.Stream) -> None:
    for start, end, text in track.cues:  # the muxer writes the empty samples between cues
        data = text.encode()
        packet = av.Packet(len(data).to_bytes(2, "big") + data)
        packet.pts = packet.dts = start
        packet.duration, packet.time_base = end - start, _MILLISECOND
        packet.stream = stream
        film.mux_one(packet)


def read_payload(path: Path) -> Payload:
    """Read the packets of a file's video."""
    payload = Payload()
    with av.open(f"file:{path}") as file:
        stream = file.streams.video[0]
        for packet, frame in packets_with_frames(file, stream, stream.average_rate or Fraction(0)):
            payload.add(packet, frame)
    return payload
