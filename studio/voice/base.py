"""What a voice is, and which ones there are. A new voice is one class and one line in `VOICES`."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Protocol

import numpy as np

from studio.errors import StudioError

__all__ = ["VOICES", "Voice", "VoiceError", "VoiceInfo", "default_voice", "installed",
           "load_voice"]


class VoiceError(StudioError):
    """A voice is not installed, or cannot say a line; the message says what to do."""


class Voice(Protocol):
    """Turns words into sound. `version` changes whenever the same words may sound different."""

    name: str
    language: str
    version: str
    rate: int  # samples a second

    def speak(self, text: str, speed: float = 1.0) -> np.ndarray:
        """The words of one line (`spoken`'s result) as float32 mono; `speed` 1.15 is faster.

        The same arguments give the same samples. Raises VoiceError where a character is not said.
        """
        ...


@dataclass(frozen=True)
class VoiceInfo:
    """A voice that the studio knows, installed or not."""

    name: str
    language: str
    about: str  # for people: what it is
    licence: str
    module: str  # holds `missing() -> str`, and the class
    maker: str

    def missing(self) -> str:
        """"" when it can speak here; else what is lacking and the line that brings it."""
        lacks: Callable[[], str] = import_module(self.module).missing
        return lacks()

    def load(self) -> Voice:
        """Raises VoiceError when it is not installed."""
        if lacks := self.missing():
            raise VoiceError(lacks)
        voice: Voice = getattr(import_module(self.module), self.maker)()
        return voice


VOICES = {info.name: info for info in (
    VoiceInfo("hibari", "en", "hibari-tts, voice heart", "Apache-2.0",
              "studio.voice.english", "Hibari"),
    VoiceInfo("kokoro", "zh", "Kokoro-82M, voice zf_xiaoxiao", "Apache-2.0",
              "studio.voice.chinese", "Kokoro"),
)}


def default_voice(language: str) -> VoiceInfo | None:
    """The voice of a language, installed or not; None where there is none."""
    return next((info for info in VOICES.values() if info.language == language), None)


def load_voice(name: str) -> Voice:
    """A voice by name. Raises VoiceError when it is unknown or not installed."""
    if name not in VOICES:
        raise VoiceError(f"unknown voice {name!r}; valid: none, {', '.join(VOICES)}")
    return VOICES[name].load()


def installed(*packages: str) -> bool:
    """Whether all packages are there, without importing any."""
    try:
        return all(metadata.version(package) for package in packages)
    except metadata.PackageNotFoundError:
        return False
