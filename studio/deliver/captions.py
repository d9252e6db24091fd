"""Subtitles from the integer plan: lines of narration cut into cues on the grid of tenths."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate

from scenes.stage import Plan
from scenes.stage.plan import Line
from scenes.stage.words import BCP47

__all__ = ["Cue", "cues", "tag"]

WIDTH = {"en": 42, "zh": 18}  # characters a row, of which a cue has two
PACE = {"en": 17.0, "zh": 9.0}  # characters a second, at most
LONGEST = 70  # tenths a cue is shown
_FIRST_WIDE = 0x2E80  # code point from which on characters are as wide as Chinese ones
_STOP_COST = 0.12  # of a cut at the next worse kind of stop, against uneven halves
# a break after one of these is better than elsewhere, the earlier in the list the better
_STOPS = {"en": (".!?", ";:", ",—–)"), "zh": ("。！？", "；：", "，、—）")}
_NO_START = frozenset("，。；：、？！）」』”’…%,.;:?!)")
_NO_END = frozenset("（「『“‘(")


@dataclass(frozen=True)
class Cue:
    """One subtitle; times in tenths of a second from the act's start, rows at most 2."""

    start: int
    end: int
    rows: tuple[str, ...]


def cues(plan: Plan, language: str) -> tuple[Cue, ...]:
    """All cues of an act in one language, in order, never overlapping.

    A film's lines last as its own language needs; another one's cues share what time there is.
    Raises ValueError for a line of the film's language that is too short to be read.
    """
    found: list[Cue] = []
    for beat in plan.beats:
        for number, line in enumerate(beat.lines, 1):
            try:
                found += _line_cues(line, language, language == plan.language)
            except ValueError as error:
                raise ValueError(f"beat {beat.name}, line {number} in {language}: {error}; "
                                 "shorten it, or give it spaces or more time") from None
    return tuple(found)


def _line_cues(line: Line, language: str, spoken: bool) -> Iterator[Cue]:
    """The cues of a line of narration: its spare time goes to them by their length."""
    text = " ".join(line.text[language].split())
    pieces = _split(text, language)
    reading_times = [_reading_tenths(piece, language) for piece in pieces]
    spare = line.tenths - sum(reading_times)
    if spare < 0 and spoken:
        raise ValueError(f"{line.tenths} tenths are too short to read: {text!r}")
    if spare < 0:
        reading_times = [line.tenths * time // sum(reading_times) for time in reading_times]
        spare = line.tenths - sum(reading_times)
    start, characters, total = line.start, 0, sum(map(len, pieces))
    for piece, needed in zip(pieces, reading_times):
        before = spare * characters // total
        characters += len(piece)
        extra = spare * characters // total - before
        shown = max(needed, min(needed + extra, LONGEST))
        yield Cue(start, start + shown, _wrap(piece, language))
        start += needed + extra


def _reading_tenths(text: str, language: str) -> int:
    return -int(-10 * len(text) // PACE.get(language, PACE["en"]))


def _width_of(text: str) -> int:
    """Width of a row in half Chinese characters: a Latin letter takes one, a Chinese one two."""
    return sum(1 if ord(char) < _FIRST_WIDE else 2 for char in text)


def _row_width(language: str) -> int:
    return 2 * WIDTH["zh"] if language == "zh" else WIDTH.get(language, WIDTH["en"])


@cache
def _split(text: str, language: str) -> tuple[str, ...]:
    """Cut a line of narration into texts that fit a cue, at the best stop near the middle."""
    if _wrap(text, language):
        return (text,)
    best = min(_cuts(text, language), key=lambda cut: cut[0], default=None)
    if best is None:
        raise ValueError(f"no place to break a subtitle: {text!r}")
    _, head, tail = best
    return _split(head, language) + _split(tail, language)


@cache
def _wrap(text: str, language: str) -> tuple[str, ...]:
    """The rows of one cue, or none when the text needs more than two."""
    width = _row_width(language)
    if _width_of(text) <= width:
        return (text,)
    fitting = [cut for cut in _cuts(text, language) if max(map(_width_of, cut[1:])) <= width]
    return min(fitting)[1:] if fitting else ()


def _cuts(text: str, language: str) -> Iterator[tuple[float, str, str]]:
    """Ways to cut a text in two, as (cost, head, tail): uneven halves and no stop cost."""
    stops = _STOPS.get(language, _STOPS["en"])
    starts = _word_starts(text) if language == "zh" else frozenset()
    for k in range(1, len(text)):
        before, after = text[k - 1], text[k]
        if after in _NO_START or after == " " or before in _NO_END:
            continue
        if before != " " and k not in starts:  # inside a word
            continue
        head, tail = text[:k].rstrip(), text[k:]
        rank = next((r for r, chars in enumerate(stops) if head[-1] in chars), 4)
        yield abs(_width_of(head) / _width_of(text) - 0.5) + _STOP_COST * rank, head, tail


@cache
def _word_starts(text: str) -> frozenset[int]:
    """Where words of a Chinese text begin; Latin words and numbers in it stay whole as well."""
    import jieba  # reads its dictionary, half a second

    jieba.setLogLevel("WARNING")
    words = re.findall(r"[!-~]+|[^!-~]+", text)
    lengths = [len(word) for run in words for word in ([run] if run.isascii() else jieba.cut(run))]
    return frozenset(accumulate(lengths))


def tag(language: str) -> str:
    """The BCP 47 tag in file names: "zh" -> "zh-Hans"."""
    return BCP47.get(language, language)
