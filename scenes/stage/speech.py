"""How long it takes to say a line, from its text alone: so a film's plan needs no voice.

The lexicon's `pace` was fitted to the studio's voices (`python -m studio.voice pace` shows how
well); a voice is fitted to the plan, never the other way round.
"""

import math
import re
from collections.abc import Mapping
from functools import lru_cache

from scenes.stage.spoken import lexicon, spoken

__all__ = ["speaking_seconds", "speech_tenths"]

SPARE = 1.05  # a voice may be that much slower than the fit
BREATH = 0.3  # seconds of silence after a line
VOWELS = re.compile(r"[aeiouy]+")
WORD = re.compile(r"[A-Za-z']+")
# what the pace counts in the words of a line, besides Latin words
COUNTS = {
    "han": re.compile(r"[\u4e00-\u9fff]"),
    "comma": re.compile(r"[,，、]"),
    "colon": re.compile(r"[:;：；]"),
    "stop": re.compile(r"[.?!。？！](?=.)"),  # inside the line: the last one is followed by nothing
}


def speech_tenths(language: str, text: str) -> int:
    """Tenths of a second that saying a line takes at natural speed, the breath after it included.

    Raises SpeechError where a character is not said.
    """
    return math.ceil(10 * (SPARE * speaking_seconds(language, text) + BREATH))


@lru_cache(maxsize=4096)
def speaking_seconds(language: str, text: str) -> float:
    """What a voice probably takes for `text`; of a line's beginning: when it gets there."""
    words = spoken(language, text)
    pace: Mapping[str, float] = lexicon(language)["pace"]
    counts = {name: len(pattern.findall(words)) for name, pattern in COUNTS.items()}
    latin = WORD.findall(words)
    counts |= {"word": len(latin), "letter": sum(map(len, latin)),
               "syllable": sum(map(_syllables, latin)), "line": 1}
    return sum(seconds * counts[name] for name, seconds in pace.items())


def _syllables(word: str) -> int:
    """About as many as are spoken: groups of vowels; letters of a name that is spelled."""
    if word.isupper():
        return len(word) + 2 * word.count("W")
    found = len(VOWELS.findall(word.lower()))
    silent = found > 1 and word.lower().endswith("e") and not word.lower().endswith("le")
    return max(found - silent, 1)
