"""The plan: every beat's whole length, words, sources, before anything is drawn. Pure data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from scenes.stage.beat import Source, beats_of
from scenes.stage.speech import speech_tenths
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


def plan(act, params, story=None) -> Plan:
    """Plan an Act class for `params`; `story` spares telling it twice."""
    story = act.tell(params) if story is None else story
    key = f"act{act.number:02d}"
    words = {language: Words(language, key) for language in LANGUAGES}
    beats, start = [], 0
    for name, mark in beats_of(act).items():
        planned = _beat(name, mark, story, words, start)
        beats.append(planned)
        start += planned.tenths
    values, defaults = asdict(params), asdict(type(params)())
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    titles = {language: w.title for language, w in words.items()}
    return Plan(key, act.number, titles, tuple(beats), values, changed)


def _beat(name, mark, story, words, start) -> PlannedBeat:
    variant = mark.variant(story) if mark.variant else None
    spoken = {language: w.beat(name, story.facts, variant) for language, w in words.items()}
    least = tuple(mark.least(story) if callable(mark.least) else mark.least)
    counts = {len(lines) for _, lines in spoken.values()} | {len(least)}
    if len(counts) != 1:
        told = {language: len(lines) for language, (_, lines) in spoken.items()}
        raise ValueError(f"beat {name}: {len(least)} line times, but narration has {told}")
    lines, at = [], start
    for k, time in enumerate(least):
        text = {language: lines_[k] for language, (_, lines_) in spoken.items()}
        turn = TURN if k == 0 and mark.header else 0
        tenths = max(time + turn, *(max(reading_tenths(lang, t), speech_tenths(lang, t))
                                    for lang, t in text.items()))
        lines.append(Line(at, tenths, text))
        at += tenths
    given = mark.source or story.source
    return PlannedBeat(
        name, start, at - start, {language: title for language, (title, _) in spoken.items()},
        tuple(lines), given(story) if callable(given) else given,
        tuple(mark.steps(story) if callable(mark.steps) else mark.steps), mark.anchors, mark.header,
    )
