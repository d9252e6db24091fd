"""English by hibari-tts: a small model with its voice inside, on onnxruntime alone."""

import re
from functools import cached_property
from importlib import metadata
from typing import Any

import numpy as np

from studio.voice.base import VoiceError, installed

__all__ = ["Hibari", "missing", "phonemes"]

SEED = 1  # of the noise in the sound: the same words give the same samples
LETTER_A = re.compile(r"(?<=[\w,;] )A\b(?! [a-z]+ing\b)")


def missing() -> str:
    """"" when the package is there; else the line that brings it."""
    if installed("hibari-tts"):
        return ""
    return ("the English voice is not installed; .venv/bin/python -m pip install hibari-tts "
            "brings it")


def phonemes(reader: Any, text: str) -> list[str]:
    """The phonemes of each sentence of an English text, by a `hibari.Hibari`.

    Raises VoiceError where a sentence holds what the model has no sound for.
    """
    # in the middle of a sentence a capital A is a name; hibari takes it for the article
    said: list[str] = reader.phonemize(LETTER_A.sub("[A](/ˈA/)", text))
    for sentence in said:
        lost = sorted(set(sentence) - reader.vocab.keys())
        if lost:
            raise VoiceError(f"hibari has no sound for {''.join(lost)!r} in {text!r}")
    return said


class Hibari:
    """The voice "heart" of hibari-tts."""

    name, language = "hibari", "en"

    def __init__(self) -> None:
        self.version = f"{metadata.version('hibari-tts')}/heart"
        self.rate = 24000

    @cached_property
    def _model(self) -> Any:
        from hibari import Hibari as Model

        return Model(voice="heart", threads=1)

    def speak(self, text: str, speed: float = 1.0) -> np.ndarray:
        """See `Voice.speak`."""
        rng = np.random.default_rng(SEED)
        model = self._model
        parts = [model.from_ids(model.ids(sentence), speed, rng)
                 for sentence in phonemes(model, text)]
        if not parts:
            raise VoiceError(f"hibari says nothing for {text!r}")
        return np.concatenate(parts).astype(np.float32)
