"""The plan: every beat's whole length, words, sources, before anything is drawn. Pure data."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from scenes.stage.beat import Mark, Source
from scenes.stage.lecture import Lecture
from scenes.stage.speech import speaking_seconds, speech_tenths
from scenes.stage.spoken import SpeechError
from scenes.stage.words import LANGUAGES, Words, WordsError, reading_tenths, silence, unmarked

__all__ = ["GRID", "TURN", "Cue", "Line", "Plan", "PlannedBeat", "plan"]

GRID = 30  # movements are whole frames at 30 a second; a tenth is 3 of them
TURN = 4  # tenths in which one beat's header gives way to the next one's

_Lines = list[tuple[str, dict[str, int]]]  # words, and each cue's place in them


@dataclass(frozen=True)
class Line:
    """One line of narration. `start` counts tenths from the act's beginning."""

    start: int
    tenths: int
    text: Mapping[str, str]  # language -> words, their marks taken out
    cues: Mapping[str, int]  # mark -> tenths from the line's start at which its word is spoken


@dataclass(frozen=True)
class Cue:
    """A mark inside the narration, at which a movement starts."""

    line: int  # index of its line
    tenths: int  # from the beat's start


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

    @cached_property
    def cues(self) -> dict[str, Cue]:
        """Mark -> its place, in the order of the narration."""
        return {name: Cue(k, line.start - self.start + at) for k, line in enumerate(self.lines)
                for name, at in line.cues.items()}

    def frames(self, fps: int) -> int:
        return self.tenths * fps // 10

    def start_frame(self, fps: int) -> int:
        return self.start * fps // 10


@dataclass(frozen=True)
class Plan:
    act: str  # "act04"
    number: int
    language: str  # the one that is spoken: it alone decides the lengths
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


def plan(lecture: Lecture, params: Any, story: Any = None, language: str = "en",
         all_languages: bool = True) -> Plan:
    """Plan an act for `params` as spoken in `language`; `story` spares telling it twice.

    Raises WordsError when a language lacks words, or when languages differ in lines or cues;
    without `all_languages`, the others' titles and lines are then left out where that is so.
    """
    story = lecture.tell(params) if story is None else story
    words = {each: Words(each, lecture.name) for each in LANGUAGES}
    titles = _read_all(words, language, all_languages, lambda each: each.title)
    beats, start = [], 0
    for mark in lecture.beats.values():
        planned = _beat(mark, story, words, language, start, all_languages)
        beats.append(planned)
        start += planned.tenths
    values, defaults = asdict(params), asdict(type(params)())
    changed = {name: value for name, value in values.items() if value != defaults[name]}
    return Plan(lecture.name, lecture.number, language, titles, tuple(beats), values, changed)


_Text = TypeVar("_Text")


def _read_all(words: Mapping[str, Words], spoken: str, all_languages: bool,
              read: Callable[[Words], _Text]) -> dict[str, _Text]:
    """Language -> what `read` finds in its words; others than the spoken one may be left out."""
    found = {}
    for language, each in words.items():
        try:
            found[language] = read(each)
        except WordsError as error:
            if language == spoken:
                raise
            if all_languages:
                raise WordsError(f"{error}; only a still (--still) does without it") from None
    return found


def _read(story: Any, value: Any) -> Any:
    """A field of the story where a mark names one."""
    return getattr(story, value) if isinstance(value, str) else value


def _beat(mark: Mark, story: Any, words: Mapping[str, Words], language: str, start: int,
          all_languages: bool) -> PlannedBeat:
    def told(each: Words) -> tuple[str, _Lines]:
        title, lines = each.beat(mark.name, story.facts, _read(story, mark.variant))
        return title, [unmarked(line) for line in lines]

    found = _read_all(words, language, all_languages, told)
    plain = {lang: lines for lang, (_, lines) in found.items()
             if all_languages or _shape(lines) == _shape(found[language][1])}
    _agree(mark.name, plain)
    least, lines, at = _read(story, mark.least), [], start
    for k, (spoken, marks) in enumerate(plain[language]):
        turn = TURN if k == 0 and mark.header else 0
        try:
            said = speech_tenths(language, spoken)
        except SpeechError as error:
            where = words[language].place("beats", mark.name, "lines", k)
            raise WordsError(f"{where}: {error}; rewrite it, or teach scenes/lexicon") from None
        rest, cues = silence(marks)
        tenths = max(least.get(k + 1, 0) + turn, reading_tenths(language, spoken), said) + rest
        lines.append(Line(at, tenths, {lang: text[k][0] for lang, text in plain.items()}, {
            name: round(10 * speaking_seconds(language, spoken[:place]))
            for name, place in cues.items()}))
        at += tenths
    return PlannedBeat(
        mark.name, start, at - start, {lang: title for lang, (title, _) in found.items()},
        tuple(lines), _read(story, mark.source or "source"), tuple(_read(story, mark.steps)),
        tuple(chain.from_iterable(_anchors(story, anchor) for anchor in mark.anchors)), mark.header)


def _anchors(story: Any, text: str) -> tuple[str, ...]:
    """One line of the engine's source, `file:line`; or the name of a story's field of some."""
    return (text,) if ":" in text else _read(story, text)


def _shape(lines: _Lines) -> list[list[str]]:
    """The cues of each line, in order."""
    return [[*cues] for _, cues in lines]


def _agree(beat: str, plain: Mapping[str, _Lines]) -> None:
    """All languages have as many lines, with the same cues in the same order."""
    shapes = {lang: _shape(lines) for lang, lines in plain.items()}
    if len({str(shape) for shape in shapes.values()}) > 1:
        raise WordsError(f"beat {beat}: languages differ in lines or cues: {shapes}; give each "
                         "language the same lines, with the same [marks]")
    marks = [name for shape in shapes.values() for line in shape
             for name in silence(dict.fromkeys(line, 0))[1]]
    if len(marks) != len(set(marks)) * len(shapes):
        raise WordsError(f"beat {beat}: a cue stands twice: {marks}")
