"""A lecture: everything that one act is, as plain data for the stage."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from scenes.geometry import Region
from scenes.stage.beat import EVERYTHING, Mark, beat, beats_of
from scenes.stage.lab import Lab
from scenes.stage.params import Params

__all__ = ["Furniture", "Lecture", "Look"]


class Furniture(Protocol):
    """Header, badge and anchor of a picture: the kit's Frame, or its like."""

    @property
    def ground(self) -> str: ...

    @property
    def act_line(self) -> str: ...

    @property
    def shown(self) -> list[Any]: ...

    def open(self, source: str) -> list[Any]: ...

    def turn(self, title: str, source: str, anchor: str = "") -> list[Any]: ...


class Look(Protocol):
    """What the stage needs of the kit: furniture, title card, closing lines, and for pages the
    hex colour of every role."""

    def frame(self, theme: str, act_line: str) -> Furniture: ...

    def title_card(self, act_line: str, question: str, other: str, motif: Any) -> Any: ...

    def remember(self, lines: Sequence[str], leaves_out: str, pictures: bool,
                 large: bool = False) -> Any: ...

    def colours(self, theme: str) -> dict[str, str]: ...


@dataclass(frozen=True, eq=False)
class Lecture:
    """One act. Its words lie beside its sections, one file a language.

    `params` is a frozen dataclass of `param` fields; `tell(params)` returns the story: plain
    data with `facts` (for the words) and `source`. `sections` are modules of functions marked
    `@beat`, in order; the closing lines to remember follow by themselves, unless the act has a
    beat `remember` of its own, which then ends it.

    `replays`: one generator function a closing line, `replay(act, room)`. It first yields a small
    picture in that region, which comes with the line, then what moves while the line is spoken.
    `large`: each replay has the stage to itself, its line below.

    `lab`: what may be tried in the act's page.
    """

    number: int
    params: type[Params]
    tell: Callable[[Any], Any]
    sections: tuple[ModuleType, ...]
    look: Look
    replays: tuple[Callable[[Any, Region], Iterator[Any]], ...] = ()
    large: bool = False
    lab: Lab | None = None

    @property
    def name(self) -> str:
        """"act04"."""
        return f"act{self.number:02d}"

    @property
    def folder(self) -> Path:
        return Path(str(self.sections[0].__file__)).parent

    @cached_property
    def beats(self) -> dict[str, Mark]:
        """Beat name -> Mark, in the order of the film."""
        marks = beats_of(self.sections)
        last = marks.pop("remember", remember.mark)  # type: ignore[attr-defined]
        return {**marks, "remember": last}


@beat(carries=EVERYTHING)
def remember(act: Any) -> None:
    """The lines to remember, each with its narration, and what the act leaves out."""
    act.recall()
