"""The film as WebM: VP9 is slow, so parts of whole beats are encoded side by side, then joined."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import av
import ffmpeg

from studio.deliver.ffmpeg import publish_video, run_ffmpeg
from studio.deliver.rendered import Rendered
from studio.render.pool import Report
from studio.render.scratch import scratch_folder

__all__ = ["parts", "webm"]


def parts(lengths: Sequence[int], count: int) -> list[range]:
    """Cut beats of these lengths into at most `count` runs of neighbours of about one length."""
    ends, total = list(accumulate(lengths)), sum(lengths)
    runs, first = [], 0
    for k in range(1, count + 1):
        wanted = total * k / count
        stop = 1 + min(range(len(ends)), key=lambda beat: abs(ends[beat] - wanted))
        if k == count:
            stop = len(ends)
        if stop > first:
            runs.append(range(first, stop))
            first = stop
    return runs


def webm(rendered: Rendered, out: Path, jobs: int, report: Report) -> Path:
    """The film as VP9 in WebM, with both subtitle tracks, sound if it has any, and the chapters."""
    final, frames = out / f"{rendered.variant}.webm", rendered.sheet["total_frames"]
    runs = parts([beat["frames"] for beat in rendered.beats], jobs)
    done = [0] * len(runs)

    with scratch_folder(out) as scratch:
        def encode(k: int) -> Path:
            def count(so_far: int, *_: object) -> None:
                done[k] = so_far
                report(sum(done), frames, final.name)

            (scratch / str(k)).mkdir()
            return _encode(rendered, runs[k], scratch / str(k), count)

        with ThreadPoolExecutor(len(runs)) as pool:
            made = list(pool.map(encode, range(len(runs))))
        _join(made, rendered.fps, scratch / "joined.mp4")
        film = ffmpeg.input(str((rendered.folder / rendered.names.film).resolve()))
        sound = [film["a"]] if rendered.voice else []
        stream = ffmpeg.output(ffmpeg.input("joined.mp4")["v"], *sound, film["s"], "made.webm", **{
            "c:v": "copy", "c:a": "libopus", "b:a": "64k", "c:s": "webvtt",
            "map_metadata": 1, "map_chapters": 1})
        run_ffmpeg(stream, scratch, frames, report, final.name)
        return publish_video(scratch / "made.webm", final, frames)


def _encode(rendered: Rendered, run: range, folder: Path, report: Report) -> Path:
    """A run of beats as VP9, a key frame on each, in frames from 0."""
    beats, fps = rendered.beats[run.start:run.stop], rendered.fps
    start, frames = beats[0]["start_frame"], sum(beat["frames"] for beat in beats)
    film = str((rendered.folder / rendered.names.film).resolve())
    # half a frame early, so that rounding cannot lose the first one
    source = ffmpeg.input(film, ss=f"{max(0.0, (start - 0.5) / fps):.6f}")
    keys = ",".join(f"{(beat['start_frame'] - start) / fps:.6f}" for beat in beats)
    stream = source["v"].filter("setpts", f"N/{fps}/TB").output("part.mp4", **{
        "frames:v": frames, "r": fps, "c:v": "libvpx-vp9", "crf": 30, "b:v": 0,
        "deadline": "good", "cpu-used": 4, "row-mt": 1, "force_key_frames": keys})
    run_ffmpeg(stream, folder, frames, report, f"{rendered.variant}.webm")
    return folder / "part.mp4"


def _join(made: Sequence[Path], fps: int, path: Path) -> None:
    """Copy the parts' packets into one stream; the n-th is shown at frame n."""
    with av.open(str(path), "w") as film:
        target: Any = None
        index = 0
        for part in made:
            with av.open(str(part)) as source:
                stream = source.streams.video[0]
                target = target or film.add_stream_from_template(stream)
                for packet in source.demux(stream):
                    if packet.dts is None:
                        continue
                    packet.stream, packet.time_base = target, Fraction(1, fps)
                    packet.pts = packet.dts = index
                    packet.duration = 1
                    film.mux(packet)
                    index += 1
