"""The stream: H.264 segments of one beat each, joined by copying packets.

Facts behind the choices (PyAV 18.1): PyAV asks x264 for slices unless `thread_type` is FRAME; the
number of threads is fixed, so the bits do not depend on the machine; ffmpeg's concat gives
irregular steps, packet copy does not.
"""

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
from av.video.reformatter import ColorRange, Colorspace

__all__ = ["Encoder", "Payload", "StreamError", "Track", "check", "join", "payload"]

THREADS = 4
_BT709 = 1  # of primaries, transfer and matrix alike (ISO/IEC 23091-2)
_OPTIONS = {
    "preset": "veryfast", "crf": "18", "profile": "high", "forced-idr": "1",
    "x264-params": "open-gop=0:scenecut=0",
}


class StreamError(RuntimeError):
    """A stream is not what the plan says."""


class Encoder:
    """Writes one beat: the first frame is an IDR, and so is every `fps`-th at the latest."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int):
        self.count = 0
        self._file = av.open(str(path), "w", format="mp4")
        options = {**_OPTIONS, "g": str(fps), "keyint_min": str(fps)}
        stream = self._file.add_stream("libx264", rate=fps, options=options)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        context = stream.codec_context
        context.time_base = Fraction(1, fps)
        context.thread_type, context.thread_count = "FRAME", THREADS
        context.color_primaries = context.color_trc = context.colorspace = _BT709
        context.color_range = ColorRange.MPEG
        self._stream = stream

    def add(self, pixels, repeat: int = 1) -> None:
        """`pixels`: RGBA [h, w, 4] uint8, converted once however often it is repeated."""
        frame = av.VideoFrame.from_ndarray(pixels, format="rgba").reformat(
            format="yuv420p", dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG)
        frame.time_base = self._stream.codec_context.time_base
        frame.color_primaries = frame.color_trc = frame.colorspace = _BT709
        for _ in range(repeat):
            frame.pts = self.count
            self._file.mux(self._stream.encode(frame))
            self.count += 1

    def close(self) -> None:
        if self.count:
            self._file.mux(self._stream.encode(None))
        self._file.close()


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
        base, index = 1 / (fps * source.time_base), 0
        for packet in part.demux(source):
            if packet.pts is None:
                continue
            packet.pts = (start + round(packet.pts / base)) * step
            packet.dts = (start + index - 2) * step
            packet.duration, packet.time_base, packet.stream = step, video.time_base, video
            film.mux_one(packet)
            index += 1


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


def check(path: Path, count: int, fps: int) -> None:
    """Decode a file strictly; StreamError unless it holds `count` frames at an even pace."""
    try:
        with av.open(str(path), options={"err_detect": "explode"}) as film:
            stream = film.streams.video[0]
            stream.thread_type = "AUTO"
            step = 1 / (fps * stream.time_base)
            index = 0
            for frame in film.decode(stream):
                if frame.is_corrupt or frame.pts != index * step:
                    raise StreamError(f"{path.name}: frame {index} stands at {frame.pts}")
                index += 1
    except (av.FFmpegError, IndexError) as error:
        raise StreamError(f"{path.name}: {error}") from error
    if index != count:
        raise StreamError(f"{path.name}: {index} frames, planned {count}")
