"""A beat: a named, whole number of tenths of a second, played by a function of the act."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

__all__ = ["COMMIT", "EVERYTHING", "Mark", "Source", "beat", "beats_of"]

COMMIT = "bb823b3"
EVERYTHING = ("*",)  # a beat that goes on with the whole picture of the one before


@dataclass(frozen=True)
class Source:
    """Where a beat's numbers come from: the text of the badge.

    `kind` is REAL TRACE, HAND-COMPUTED, SCALED-DOWN or SIMULATED; `trace` an id, or "".
    """

    kind: str
    trace: str = ""
    weights: str = ""

    def __str__(self) -> str:
        return " · ".join(part for part in (self.kind, self.trace, self.weights) if part)


@dataclass(frozen=True)
class Mark:
    """What `@beat` says of a function. A text names a field of the story, read when planning."""

    play: Callable[[Any], None]
    anchors: tuple[str, ...]
    source: Source | str | None
    steps: tuple[int, ...] | str  # numbers of the engine's steps shown, from 1
    variant: str | None  # which alternative of the words
    least: Mapping[int, int] | str  # line of narration, from 1 -> tenths its movements need
    carries: tuple[str, ...]  # what the beat before hands on, see Act.keep
    header: bool

    @property
    def name(self) -> str:
        return self.play.__name__.replace("_", "-")

    @property
    def module(self) -> str:
        return self.play.__module__


def beat(anchors: str | tuple[str, ...] = (), *, source: Source | str | None = None,
         steps: tuple[int, ...] | str = (), variant: str | None = None,
         least: Mapping[int, int] | str | None = None, carries: str | tuple[str, ...] = (),
         header: bool = True) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Mark a function of an act as a beat, named after it (`first_cut` -> "first-cut").

    A line of narration lasts as long as reading it takes; `least` gives a line more where its
    movements need more. `anchors`: lines of the engine, `file:line`, or a field of the story that
    holds some. `carries`: names of `act.kept`, parted by spaces, that stay in the
    picture; all else fades as the header turns. `header=False`: a title card.
    """
    anchors = (anchors,) if isinstance(anchors, str) else tuple(anchors)
    carries = tuple(carries.split()) if isinstance(carries, str) else carries

    def mark(function: Callable[[Any], None]) -> Callable[[Any], None]:
        function.mark = Mark(function, anchors, source, steps,  # type: ignore[attr-defined]
                             variant, least or {}, carries, header)
        return function

    return mark


def beats_of(sections: tuple[ModuleType, ...]) -> dict[str, Mark]:
    """Beat name -> Mark, section by section in the order of their functions.

    Raises ValueError for two beats of one name.
    """
    marks: dict[str, Mark] = {}
    for section in sections:
        for item in vars(section).values():
            mark = getattr(item, "mark", None)
            if isinstance(mark, Mark) and mark.module == section.__name__:
                if mark.name in marks:
                    raise ValueError(f"{section.__name__}: a second beat {mark.name!r}")
                marks[mark.name] = mark
    return marks
