"""Clips that speak: a silent clip's pictures, copied, with its part of the film's sound."""

from collections.abc import Iterable
from pathlib import Path

import av
import numpy as np

from studio.stream.mp4 import time_base
from studio.voice.slots import TENTH
from studio.voice.track import SoundStream, decoded

__all__ = ["let_speak", "with_sound"]


def let_speak(film: Path, clips: Iterable[tuple[Path, Path, int, int]]) -> None:
    """Write clips with their parts of a film's track: (silent clip, target, start, length), times
    in tenths of a second; a target may be the clip itself.
    """
    samples = decoded(film)
    with av.open(f"file:{film}") as file:
        language = file.streams.audio[0].language or "und"
    for clip, target, start, tenths in clips:
        spoken = target.with_suffix(".spoken")
        with_sound(clip, samples[start * TENTH:(start + tenths) * TENTH], spoken, language)
        spoken.replace(target)


def with_sound(clip: Path, samples: np.ndarray, target: Path, language: str) -> None:
    """Write `clip` to `target` with `samples` as its sound; its pictures stay the same bytes."""
    with av.open(f"file:{clip}") as source, av.open(
            f"file:{target}", "w", format="mp4", options={"movflags": "+faststart"}) as made:
        made.metadata.update(source.metadata)
        pictures = source.streams.video[0]
        video = made.add_stream_from_template(pictures)
        sound = SoundStream(made, samples, language)
        made.start_encoding()
        clock = time_base(video)  # the muxer chose it
        for packet in source.demux(pictures):
            if packet.pts is None:
                continue
            seconds, step = packet.pts * time_base(pictures), time_base(pictures) / clock
            packet.pts = packet.dts = round(packet.pts * step)
            packet.duration = round((packet.duration or 0) * step)
            packet.time_base, packet.stream = clock, video
            made.mux_one(packet)
            sound.until(seconds)
        sound.close()
