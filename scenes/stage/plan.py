"""The plan: every beat's whole length, words, sources, before anything is drawn. Pure data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from scenes.stage.beat import Mark, Source
from scenes.stage.lecture import Lecture
from scenes.stage.words import LANGUAGES, Words, reading_tenths

__all__ = ["GRID", "TURN", "Line", "Plan", "PlannedBeat", "plan"]

GRID = 30  # movements are whole frames at 30 a second; a tenth is 3 of them
TURN = 4  # tenths in which one beat's header gives way to the next one's


@dataclass(frozen=True)
class Line:
    """One line of narration. `start` counts tenths from the act's beginning."""

    start: int
    tenths: int
    text: Mapping[str, str]  # language -> words


@dataclass(frozen=True)
class PlannedBeat:
    name: str
    start: int  # tenths
    tenths: int
    title: Mapping[str, str]
    lines: tuple[Line, ...]
    source: Source
    steps: tuple[int, ...]
    anchors: tuple[str, ...]
    header: bool

    def frames(self, fps: int) -> int:
        return self.tenths * fps // 10

    def start_frame(self, fps: int) -> int:
        return self.start * fps // 10


@dataclass(frozen=True)
class Plan:
    act: str  # "act04"
    number: int
    title: Mapping[str, str]
    beats: tuple[PlannedBeat, ...]
    params: Mapping[str, object]
    changed: Mapping[str, object]  # the parameters that differ from their defaults

    @property
    def tenths(self) -> int:
        return sum(beat.tenths for beat in self.beats)

    def frames(self, fps: int) -> int:
        return self.tenths * fps // 10

    def beat(self, name: str) -> PlannedBeat:
        return next(beat for beat in self.beats if beat.name == name)


def plan(lecture: Lecture, params: Any, story: Any = None,
         languages: Sequence[str] = LANGUAGES) -> Plan:
    """Plan an act for `params`; `story` spares telling it twice.

    Raises WordsError when a language lacks words, ValueError when languages differ in lines.
    """
    story = lecture.tell(params) if story is None else story
    words = {language: Words(language, lecture.name) for language in languages}
    beats, start = [], 0
    for mark in lecture.beats.values():
        planned = _beat(mark, story, words, start)
        beats.append(planned)
        start += planned.tenths
    values, defaults = asdict(params), asdict(type(params)())
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    titles = {language: w.title for language, w in words.items()}
    return Plan(lecture.name, lecture.number, titles, tuple(beats), values, changed)


def _read(story: Any, value: Any) -> Any:
    """A field of the story where a mark names one."""
    return getattr(story, value) if isinstance(value, str) else value


def _beat(mark: Mark, story: Any, words: Mapping[str, Words], start: int) -> PlannedBeat:
    variant = _read(story, mark.variant)
    spoken = {language: w.beat(mark.name, story.facts, variant) for language, w in words.items()}
    if len({len(lines) for _, lines in spoken.values()}) != 1:
        told = {language: len(lines) for language, (_, lines) in spoken.items()}
        raise ValueError(f"beat {mark.name}: languages differ in lines of narration: {told}")
    least = _read(story, mark.least)
    lines, at = [], start
    for k, spoken_line in enumerate(zip(*(lines_ for _, lines_ in spoken.values()))):
        text = dict(zip(spoken, spoken_line))
        turn = TURN if k == 0 and mark.header else 0
        tenths = max(least.get(k + 1, 0) + turn,
                     *(reading_tenths(lang, t) for lang, t in text.items()))
        lines.append(Line(at, tenths, text))
        at += tenths
    return PlannedBeat(
        mark.name, start, at - start, {language: title for language, (title, _) in spoken.items()},
        tuple(lines), _read(story, mark.source or "source"), tuple(_read(story, mark.steps)),
        mark.anchors, mark.header)
