"""The lines of a film, each said by a voice, fitted to its place in the plan, kept on disk."""

import hashlib
from pathlib import Path

import numpy as np

from scenes.stage.spoken import spoken
from studio.render import sealed
from studio.voice.base import Voice, VoiceError
from studio.voice.slots import RATE, Slot
from studio.voice.sound import fade, resample, trim

__all__ = ["FASTEST", "fitted"]

FASTEST = 1.15  # times natural speed


def fitted(slot: Slot, voice: Voice, kept: Path) -> np.ndarray:
    """The line's sound at RATE, no longer than its room, at natural speed where that fits.

    `kept`: folder of lines said before. Raises VoiceError where even FASTEST is too slow.
    """
    words = spoken(voice.language, slot.text)
    speed = 1.0
    sound = natural = _said(words, voice, speed, kept)
    while len(sound) > slot.room and speed < FASTEST:
        speed = min(FASTEST, max(speed + 0.01, round(speed * len(sound) / slot.room + 0.005, 2)))
        sound = _said(words, voice, speed, kept)
    if len(sound) > slot.room:
        raise VoiceError(
            f"beat {slot.beat}, line {slot.number}: {voice.name} takes {len(natural) / RATE:.1f} s "
            f"for it, the plan gives {slot.tenths / 10:.1f} s, and a line is said at most "
            f"{FASTEST} times as fast: {slot.text!r}")
    return sound


def _said(words: str, voice: Voice, speed: float, kept: Path) -> np.ndarray:
    """Words as sound at RATE, trimmed, its ends faded; from the folder where it is kept."""
    key = "\n".join((words, voice.name, voice.version, f"{speed:.2f}"))
    name = hashlib.sha256(key.encode()).hexdigest()[:40]
    path = kept / f"{name}.f32"
    if data := sealed.read(path, name):
        return np.frombuffer(data, np.float32)
    said = trim(voice.speak(words, speed), voice.rate)
    if not len(said):
        raise VoiceError(f"{voice.name} gives silence for {words!r}")
    sound = fade(resample(said, voice.rate)).astype(np.float32)
    sealed.write(path, name, sound.tobytes())
    return sound
