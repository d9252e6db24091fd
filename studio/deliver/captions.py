"""Subtitles from the integer plan: lines of narration cut into cues on the grid of tenths."""

from dataclasses import dataclass
from functools import cache

from scenes.stage import Plan
from scenes.stage.plan import Line
from scenes.stage.words import BCP47

__all__ = ["Cue", "cues", "srt", "vtt"]

WIDTH = {"en": 42, "zh": 18}  # characters a line
PACE = {"en": 17.0, "zh": 9.0}  # characters a second, at most
ROWS = 2
LONGEST = 70  # tenths a cue is shown
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


def cues(planned: Plan, language: str) -> tuple[Cue, ...]:
    """All cues of an act in one language, in order, never overlapping."""
    return tuple(cue for beat in planned.beats for line in beat.lines
                 for cue in _line_cues(line, language))


def _line_cues(line: Line, language: str):
    text = " ".join(line.text[language].split())
    pieces = _split(text, language)
    least = [_least(piece, language) for piece in pieces]
    spare = line.tenths - sum(least)
    if spare < 0:
        raise ValueError(f"{line.tenths} tenths are too short to read: {text!r}")
    at, weight, total = line.start, 0, sum(len(piece) for piece in pieces)
    for piece, need in zip(pieces, least):
        before = spare * weight // total
        weight += len(piece)
        extra = spare * weight // total - before
        shown = max(need, min(need + extra, LONGEST))
        yield Cue(at, at + shown, _wrap(piece, language))
        at += need + extra


def _least(text: str, language: str) -> int:
    return -int(-10 * len(text) // PACE.get(language, PACE["en"]))


def _room(text: str) -> int:
    """Width of a row in half characters of Chinese: Latin letters take one, Chinese two."""
    return sum(1 if ord(char) < 0x2E80 else 2 for char in text)


def _width(language: str) -> int:
    return 2 * WIDTH["zh"] if language == "zh" else WIDTH.get(language, WIDTH["en"])


@cache
def _split(text: str, language: str) -> tuple[str, ...]:
    """Cut a line of narration into texts that fit a cue, at the best stop near the middle."""
    if _wrap(text, language):
        return (text,)
    halves = min(_cuts(text, language), key=lambda cut: cut[0], default=None)
    if halves is None:
        raise ValueError(f"no place to break a subtitle: {text!r}")
    return _split(halves[1], language) + _split(halves[2], language)


@cache
def _wrap(text: str, language: str) -> tuple[str, ...]:
    """The rows of one cue, or none when the text needs more than two."""
    width = _width(language)
    if _room(text) <= width:
        return (text,)
    fits = [cut for cut in _cuts(text, language) if max(map(_room, cut[1:])) <= width]
    return min(fits)[1:] if fits else ()


def _cuts(text: str, language: str):
    """Ways to cut a text in two, as (cost, head, tail): uneven halves and no stop cost."""
    spaced, stops = language != "zh", _STOPS.get(language, _STOPS["en"])
    for k in range(1, len(text)):
        before, after = text[k - 1], text[k]
        inside = spaced or (before.isascii() and after.isascii())  # of a word or a number
        if after in _NO_START or after == " " or before in _NO_END or (inside and before != " "):
            continue
        head, tail = text[:k].rstrip(), text[k:]
        rank = next((r for r, chars in enumerate(stops) if head[-1] in chars), 4)
        yield abs(_room(head) / _room(text) - 0.5) + 0.12 * rank, head, tail


def _clock(tenths: int, comma: str) -> str:
    seconds, tenth = divmod(tenths, 10)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{comma}{tenth}00"


def vtt(items) -> str:
    """WebVTT text of cues."""
    blocks = [f"{_clock(c.start, '.')} --> {_clock(c.end, '.')}\n" + "\n".join(
        row.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for row in c.rows)
        for c in items]
    return "\n\n".join(["WEBVTT", *blocks]) + "\n"


def srt(items) -> str:
    """SubRip text of cues."""
    return "\n".join(f"{k}\n{_clock(c.start, ',')} --> {_clock(c.end, ',')}\n" +
                     "\n".join(c.rows) + "\n" for k, c in enumerate(items, 1))


def tag(language: str) -> str:
    """The BCP 47 tag in file names: "zh" -> "zh-Hans"."""
    return BCP47.get(language, language)
