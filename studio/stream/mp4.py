"""Films: segments joined by copying packets, and the checks of what was written.

ffmpeg's concat gives irregular steps (PyAV 18.1, ffmpeg 8); copying packets does not.
"""

import hashlib
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import av

from studio.stream.h264 import misnumbered
from studio.stream.sound import CopiedSound

__all__ = ["Payload", "StreamError", "Track", "check", "join", "payload"]


class StreamError(RuntimeError):
    """A stream is not what the plan says."""


@dataclass(frozen=True)
class Track:
    """A subtitle track: ISO 639-2 language and cues (start, end, text), times in milliseconds."""

    language: str
    title: str
    cues: tuple[tuple[int, int, str], ...]


def join(segments, counts, path: Path, fps: int, tracks=(), chapters=(),
         metadata=None, clips=(), sound=None) -> list["Payload"]:
    """Copy the packets of `segments` (paths) into one file with faststart: what each holds.

    `counts`: frames of each segment. `clips`: of each a file of its own, as (path, metadata).
    `sound`: a file whose sound track is copied too. Raises StreamError when the segments were
    encoded with different settings.
    """
    with av.open(str(segments[0])) as first, _written(path, metadata) as film:
        template = first.streams.video[0]
        extradata = template.codec_context.extradata
        video = film.add_stream_from_template(template)
        voice = CopiedSound(film, sound) if sound else None
        texts = [_add_track(film, track) for track in tracks]
        film.set_chapters([
            {"id": k, "start": start, "end": end, "time_base": Fraction(1, 1000),
             "metadata": {"title": title}} for k, (start, end, title) in enumerate(chapters)])
        film.start_encoding()
        for track, stream in zip(tracks, texts):
            _write_track(film, track, stream)
        start, found = 0, []
        for segment, count, clip in zip_longest(segments, counts, clips):
            with ExitStack() as stack:
                targets = [(film, video, start)]
                if clip:
                    alone = stack.enter_context(_written(*clip))
                    targets.append((alone, alone.add_stream_from_template(template), 0))
                    alone.start_encoding()
                found.append(_copy(segment, targets, fps, extradata))
            start += count
            if voice:
                voice.until(Fraction(start, fps))
        if voice:
            voice.close()
    return found


@contextmanager
def _written(path, metadata):
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as film:
        film.metadata.update(metadata or {})
        yield film


def _copy(segment, targets, fps, extradata) -> "Payload":
    """Copy a segment into files, given as (file, stream, frame at which it begins there)."""
    held = Payload()
    steps = [round(1 / (fps * stream.time_base)) for _, stream, _ in targets]
    with av.open(str(segment)) as part:
        source = part.streams.video[0]
        if source.codec_context.extradata != extradata:
            raise StreamError(f"{segment}: encoded with other settings than the first segment")
        for packet, frame in _pictures(part, source, fps):
            held.add(packet, frame)
            for (file, stream, start), step in zip(targets, steps):
                packet.pts = packet.dts = (start + frame) * step
                packet.time_base, packet.duration, packet.stream = stream.time_base, step, stream
                file.mux_one(packet)
    return held


def _pictures(file, stream, fps):
    """The packets of a video stream, each with its pts in frames: whole unless it is uneven."""
    step = 1 / (fps * stream.time_base)
    whole = step.numerator if step.denominator == 1 else 0
    for packet in file.demux(stream):
        if packet.pts is not None:
            even = whole and packet.pts % whole == 0
            yield packet, packet.pts // whole if even else packet.pts / step


def _add_track(film, track):
    stream = film.add_mux_stream("mov_text", time_base=Fraction(1, 1000))
    stream.language = track.language
    # a "title" would become a name box, of which ffmpeg warns when it reads the file
    stream.metadata.update({"language": track.language, "handler_name": track.title})
    return stream


def _write_track(film, track, stream):
    for start, end, text in track.cues:  # the muxer writes the empty samples between cues
        data = text.encode()
        packet = av.Packet(len(data).to_bytes(2, "big") + data)
        packet.pts = packet.dts = start
        packet.duration, packet.time_base = end - start, Fraction(1, 1000)
        packet.stream = stream
        film.mux_one(packet)


class Payload:
    """What a file holds, undecoded: hash and sizes of its coded pictures, pts, key frames."""

    def __init__(self):
        self.sizes, self.pts, self.keys = [], [], []  # bytes; frames; frames
        self._hash = hashlib.sha256()

    def add(self, packet, frame) -> None:
        """Take note of a packet whose pts is `frame`."""
        self._hash.update(bytes(packet))
        self.sizes.append(packet.size)
        self.pts.append(frame)
        if packet.is_keyframe:
            self.keys.append(frame)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()


def payload(path: Path) -> Payload:
    """Read the packets of a file's video."""
    held = Payload()
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        for packet, frame in _pictures(film, stream, stream.average_rate):
            held.add(packet, frame)
    return held


def check(path: Path, count: int, fps: int, again: bool = True) -> None:
    """Decode a file strictly; StreamError unless it holds `count` frames at an even pace.

    `again=False` decodes no second of film that was met before, byte for byte, nor the packets at
    a second's end that were met before: they are copies. All pictures are looked at for their
    numbers, about which decoders differ.
    """
    try:
        with av.open(str(path), options={"err_detect": "explode"}) as film:
            stream = film.streams.video[0]
            stream.thread_type = "NONE"  # the other cores are drawing
            step = 1 / (fps * stream.time_base)
            packets = [packet for packet in film.demux(stream) if packet.size]
            times, decoded = [packet.pts for packet in packets], 0
            wrong = misnumbered(map(bytes, packets), stream.codec_context.extradata)
            if wrong is not None:
                raise StreamError(f"{path.name}: picture {wrong} has a wrong number")
            skipped = 0 if again else _thin(packets)
            for packet in packets:
                decoded += sum(_sound(frame, path) for frame in stream.decode(packet))
            decoded += sum(_sound(frame, path) for frame in stream.decode(None))
    except (av.FFmpegError, IndexError) as error:
        raise StreamError(f"{path.name}: {error}") from error
    if decoded + skipped != count:
        raise StreamError(f"{path.name}: {decoded + skipped} frames, planned {count}")
    if sorted(times) != [k * step for k in range(count)]:
        raise StreamError(f"{path.name}: its steps are not of one frame")


def _sound(frame, path) -> bool:
    if frame.is_corrupt:
        raise StreamError(f"{path.name}: frame at {frame.pts} is corrupt")
    return True


def _thin(packets) -> int:
    """Take out what `check` need not decode again; how many packets went."""
    groups = []
    for packet in packets:
        if packet.is_keyframe or not groups:
            groups.append([])
        groups[-1].append(packet)
    kept, met, repeats = [], set(), set()
    for group in groups:
        data = tuple(map(bytes, group))
        if data in met:
            continue
        met.add(data)
        end = 1
        for k in range(1, len(group)):
            if data[k] not in repeats:
                repeats.add(data[k])
                end = k + 1
        kept += group[:end]
    gone = len(packets) - len(kept)
    packets[:] = kept
    return gone
