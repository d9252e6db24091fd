"""Films: segments joined by copying packets, and the checks of what was written.

ffmpeg's concat gives irregular steps (PyAV 18.1, ffmpeg 8); copying packets does not.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av

__all__ = ["Payload", "StreamError", "Track", "check", "join", "payload"]


class StreamError(RuntimeError):
    """A stream is not what the plan says."""


@dataclass(frozen=True)
class Track:
    """A subtitle track: ISO 639-2 language and cues (start, end, text), times in milliseconds."""

    language: str
    title: str
    cues: tuple[tuple[int, int, str], ...]


def join(segments, counts, path: Path, fps: int, tracks=(), chapters=(), metadata=None) -> None:
    """Copy the packets of `segments` (paths) into one file with faststart.

    `counts`: frames of each segment. Raises StreamError when the segments were encoded with
    different settings.
    """
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as film:
        film.metadata.update(metadata or {})
        with av.open(str(segments[0])) as first:
            source = first.streams.video[0]
            extradata = source.codec_context.extradata
            video = film.add_stream_from_template(source)
        texts = [_add_track(film, track) for track in tracks]
        film.set_chapters([
            {"id": k, "start": start, "end": end, "time_base": Fraction(1, 1000),
             "metadata": {"title": title}} for k, (start, end, title) in enumerate(chapters)])
        film.start_encoding()
        for track, stream in zip(tracks, texts):
            _write_track(film, track, stream)
        start = 0
        for segment, count in zip(segments, counts):
            _copy(film, video, segment, start, fps, extradata)
            start += count


def _copy(film, video, segment, start, fps, extradata):
    step = round(1 / (fps * video.time_base))
    with av.open(str(segment)) as part:
        source = part.streams.video[0]
        if source.codec_context.extradata != extradata:
            raise StreamError(f"{segment}: encoded with other settings than the first segment")
        base = 1 / (fps * source.time_base)
        for packet in part.demux(source):
            if packet.pts is None:
                continue
            packet.pts = (start + round(packet.pts / base)) * step
            packet.dts = packet.pts
            packet.duration, packet.time_base, packet.stream = step, video.time_base, video
            film.mux_one(packet)


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


@dataclass(frozen=True)
class Payload:
    """What a file holds, undecoded: hash and sizes of its coded pictures, pts, key frames."""

    digest: str
    sizes: list[int]
    pts: list[Fraction]  # in frames, sorted
    keys: list[int]


def payload(path: Path) -> Payload:
    """Read the packets of a file's video."""
    digest, sizes, pts, keys = hashlib.sha256(), [], [], []
    with av.open(str(path)) as film:
        stream = film.streams.video[0]
        base = 1 / (stream.average_rate * stream.time_base)
        for packet in film.demux(stream):
            if packet.pts is None:
                continue
            digest.update(bytes(packet))
            sizes.append(packet.size)
            pts.append(packet.pts / base)
            if packet.is_keyframe:
                keys.append(int(packet.pts / base))
    return Payload(digest.hexdigest(), sizes, sorted(pts), keys)


def check(path: Path, count: int, fps: int, again: bool = True) -> None:
    """Decode a file strictly; StreamError unless it holds `count` frames at an even pace.

    `again=False` decodes no 16 packets in a row that were all met before, byte for byte: they
    are repeats within a hold, which are numbered up to 16.
    """
    try:
        with av.open(str(path), options={"err_detect": "explode"}) as film:
            stream = film.streams.video[0]
            stream.thread_type = "NONE"  # the other cores are drawing
            step = 1 / (fps * stream.time_base)
            packets = [packet for packet in film.demux(stream) if packet.size]
            skipped = 0 if again else _thin(packets)
            times, decoded = [], 0
            for packet in packets:
                times.append(packet.pts)
                decoded += sum(_sound(frame, path) for frame in stream.decode(packet))
            decoded += sum(_sound(frame, path) for frame in stream.decode(None))
    except (av.FFmpegError, IndexError) as error:
        raise StreamError(f"{path.name}: {error}") from error
    if decoded + skipped != count:
        raise StreamError(f"{path.name}: {decoded + skipped} frames, planned {count}")
    if not skipped and sorted(times) != [k * step for k in range(count)]:
        raise StreamError(f"{path.name}: its steps are not of one frame")


def _sound(frame, path) -> bool:
    if frame.is_corrupt:
        raise StreamError(f"{path.name}: frame at {frame.pts} is corrupt")
    return True


def _thin(packets) -> int:
    """Take out runs of 16 packets that were met before, key frames apart; how many went."""
    kept, met, at = [], set(), 0
    data = [b"" if packet.is_keyframe else bytes(packet) for packet in packets]
    while at < len(packets):
        run = data[at:at + 16]
        if len(run) == 16 and all(run) and met.issuperset(run):
            at += 16
        else:
            kept.append(packets[at])
            met.add(data[at])
            at += 1
    gone = len(packets) - len(kept)
    packets[:] = kept
    return gone
