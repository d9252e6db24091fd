"""The film's spoken track: every line at its place, levelled, and coded beside the pictures."""

import os
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from studio.voice.base import VoiceError
from studio.voice.loudness import CEILING, LOUDNESS, levelled, loudness, true_peak
from studio.voice.slots import RATE, TENTH, Slot

__all__ = ["SoundStream", "assemble", "check_sound", "decoded", "write_track"]

FRAME = 1024  # samples of an AAC frame
BITS = 96_000  # a second
TOLERANCE = 1.0  # LUFS


def assemble(lines: Iterable[Slot], say: Callable[[Slot], np.ndarray], tenths: int) -> np.ndarray:
    """The track of a film of `tenths`: each line's sound from its first sample on, levelled.

    `say` gives a line's sound at RATE. Raises VoiceError where one is longer than its line.
    """
    track = np.zeros(tenths * TENTH, np.float32)
    for slot in lines:
        sound = say(slot)
        if len(sound) > slot.tenths * TENTH:
            raise VoiceError(f"{slot.name}: sound of {len(sound) / RATE:.2f} s for a line of "
                             f"{slot.tenths / 10:.1f} s")
        at = slot.start * TENTH
        track[at:at + len(sound)] += sound
    return levelled(track)


def write_track(samples: np.ndarray, path: Path, language: str) -> None:
    """Code a track by itself, check it, and put it under its name whole."""
    part = path.with_suffix(f".{os.getpid()}")
    with av.open(f"file:{part}", "w", format="mp4") as file:
        sound = SoundStream(file, samples, language)
        file.start_encoding()
        sound.close()
    check_sound(part, len(samples) // TENTH)
    os.replace(part, path)


class SoundStream:
    """An AAC track of a file that is being written; fed as the pictures are, so both interleave.

    The muxer writes an edit list for the coder's delay: sample n of `samples` is heard at n / RATE.
    """

    def __init__(self, film: av.container.OutputContainer, samples: np.ndarray,
                 language: str) -> None:
        self._film, self._samples, self._at = film, samples, 0
        self._stream = film.add_stream("aac", rate=RATE)
        self._stream.layout, self._stream.bit_rate = "mono", BITS
        self._stream.codec_context.options = {"aac_coder": "fast"}
        self._stream.metadata.update({"language": language})

    def until(self, seconds: float | Fraction) -> None:
        """Write what is heard before a time."""
        while self._at < min(len(self._samples), seconds * RATE):
            piece = self._samples[self._at:self._at + FRAME]
            frame = av.AudioFrame.from_ndarray(piece[None], format="fltp", layout="mono")
            frame.sample_rate, frame.pts, frame.time_base = RATE, self._at, Fraction(1, RATE)
            self._at += len(piece)
            self._mux(frame)

    def close(self) -> None:
        """Write the rest."""
        self.until(Fraction(len(self._samples), RATE))
        self._mux(None)

    def _mux(self, frame: av.AudioFrame | None) -> None:
        for packet in self._stream.encode(frame):
            self._film.mux_one(packet)


def check_sound(path: Path, tenths: int, level: float | None = LOUDNESS) -> None:
    """Decode a file's track strictly. Raises VoiceError unless it is as long as planned and,
    with `level`, as loud, its peaks below the ceiling.
    """
    samples = decoded(path)
    with av.open(f"file:{path}") as film:
        length = film.streams.audio[0].duration
    if length != tenths * TENTH or not 0 <= len(samples) - length < FRAME:
        raise VoiceError(f"{path.name}: {length} samples of sound, planned {tenths * TENTH}")
    if level is None:
        return
    if abs(found := loudness(samples) - level) > TOLERANCE:
        raise VoiceError(f"{path.name}: {level + found:.1f} LUFS instead of {level:.0f}")
    if true_peak(samples) > CEILING:
        raise VoiceError(f"{path.name}: a peak of {true_peak(samples):.1f} dB")


def decoded(path: Path) -> np.ndarray:
    """A file's sound as it is heard, to the end of its last frame. Raises VoiceError."""
    try:
        with av.open(f"file:{path}", options={"err_detect": "explode"}) as film:
            frames = [frame.to_ndarray()[0] for frame in film.decode(audio=0)]
    except (av.FFmpegError, IndexError) as error:
        raise VoiceError(f"{path.name}: no sound can be decoded ({error})") from error
    return np.concatenate(frames)
