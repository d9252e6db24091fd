"""A person's own recordings in place of a voice: one WAV a line, and the script to read from."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from studio.voice.base import VoiceError
from studio.voice.loudness import LOUDNESS, loudness
from studio.voice.slots import RATE, TENTH, Slot
from studio.voice.sound import SoundError, fade, read_wav, resample, trim

__all__ = ["recorded", "script"]


def recorded(slot: Slot, folder: Path) -> np.ndarray:
    """The recording of a line, `folder/<beat>.<line>.wav`, at RATE, silence around it removed.

    Raises VoiceError naming the file when it is missing, unreadable, silent or too long.
    """
    path = folder / f"{slot.name}.wav"
    if not path.is_file():
        raise VoiceError(f"{path.name} is missing in {folder}; the script lists all lines")
    try:
        samples, rate = read_wav(path)
    except SoundError as error:
        raise VoiceError(str(error)) from error
    sound = fade(resample(trim(samples, rate), rate))
    if not len(sound):
        raise VoiceError(f"{path.name} holds nothing but silence")
    if len(sound) > slot.tenths * TENTH:
        raise VoiceError(f"{path.name}: {len(sound) / RATE:.1f} s are said, the film gives this "
                         f"line {slot.tenths / 10:.1f} s")
    level = loudness(sound)  # recordings of several days are not equally loud
    return sound * np.float32(10 ** ((LOUDNESS - level) / 20)) if np.isfinite(level) else sound


def script(lines: Iterable[Slot], language: str) -> str:
    """What to read, for a person: file, seconds at most, words."""
    rows = [(f"{slot.name}.wav", f"{slot.tenths / 10:.1f} s", slot.text) for slot in lines]
    wide = max(len(name) for name, _, _ in rows)
    return "\n".join([
        f"# {len(rows)} lines in {language!r}: one PCM WAV file a line, silence around it is cut",
        *(f"{name:<{wide}}  {seconds:>6}  {text}" for name, seconds, text in rows)])
