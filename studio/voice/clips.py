"""Sound in written files: the film's track, and clips that speak."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from studio.voice.lines import TENTH
from studio.voice.track import SoundStream, decoded

__all__ = ["let_speak", "sounding", "spoken_clips", "with_sound"]


def sounding(samples: np.ndarray, language: str) -> Callable[..., SoundStream]:
    """What adds `samples` to a film that is being written (`studio.stream.mp4.join`)."""
    return lambda film: SoundStream(film, samples, language)


def let_speak(clips: Iterable[tuple[Path, int, int]], samples: np.ndarray, language: str) -> None:
    """Put its part of the film's sound into each clip: (path, start, length), in tenths."""
    for clip, start, tenths in clips:
        spoken = clip.with_suffix(".spoken")
        with_sound(clip, samples[start * TENTH:(start + tenths) * TENTH], spoken, language)
        spoken.replace(clip)


def spoken_clips(film: Path, clips: Iterable[tuple[Path, int, int]], folder: Path) -> None:
    """Copies in `folder` of a film's silent clips, each with its part of the film's track."""
    samples = decoded(film)
    with av.open(str(film)) as file:
        language = file.streams.audio[0].language or "und"
    for clip, start, tenths in clips:
        with_sound(clip, samples[start * TENTH:(start + tenths) * TENTH], folder / clip.name,
                   language)


def with_sound(clip: Path, samples: np.ndarray, target: Path, language: str) -> None:
    """Write `clip` to `target` with `samples` as its sound; its pictures stay the same bytes."""
    with av.open(str(clip)) as source, av.open(
            str(target), "w", format="mp4", options={"movflags": "+faststart"}) as made:
        made.metadata.update(source.metadata)
        pictures = source.streams.video[0]
        video = made.add_stream_from_template(pictures)
        sound = SoundStream(made, samples, language)
        made.start_encoding()
        for packet in source.demux(pictures):
            if packet.pts is None:
                continue
            seconds, step = packet.pts * packet.time_base, packet.time_base / video.time_base
            packet.pts = packet.dts = round(packet.pts * step)
            packet.duration = round(packet.duration * step)
            packet.time_base, packet.stream = video.time_base, video
            made.mux_one(packet)
            sound.until(Fraction(seconds))
        sound.close()
