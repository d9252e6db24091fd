"""What a deck shows: beats of one act or of several, in one language."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from studio.deliver.rendered import Rendered
from studio.render.order import require_known

__all__ = ["COURSE", "Choice", "Talk"]

COURSE = {"en": "Visible inference", "zh": "看得见的推理"}


@dataclass(frozen=True)
class Choice:
    """What a lecturer may choose beside film and format."""

    beats: tuple[str, ...] = ()  # none: all
    template: Path | None = None  # PowerPoint: the lecturer's own
    covers: bool = True  # PowerPoint: a last picture stands for each clip in print


@dataclass(frozen=True)
class Talk:
    """Acts of one size, theme and language, each with the beats to show; words in `language`."""

    acts: tuple[Rendered, ...]
    language: str
    choice: Choice = Choice()
    is_selection: bool = False

    @classmethod
    def of(cls, acts: Sequence[Rendered], language: str, choice: Choice) -> "Talk":
        """All beats of these acts, or those that were chosen. UsageError for an unknown beat."""
        talk = cls(tuple(acts), language, choice)
        return talk.only(choice.beats) if choice.beats else talk

    @property
    def first(self) -> Rendered:
        """Whose size, ground and language are those of all."""
        return self.acts[0]

    @property
    def slides(self) -> Iterator[tuple[Rendered, dict[str, Any]]]:
        """Every beat with its act, in order."""
        return ((act, beat) for act in self.acts for beat in act.beats)

    @property
    def title(self) -> str:
        """The act's title, or the course's."""
        if len(self.acts) > 1:
            return COURSE[self.language]
        return str(self.first.sheet["title"][self.language])

    @property
    def subject(self) -> str:
        """Acts and the engine's commit, for a document's properties."""
        acts = ", ".join(act.sheet["act"] for act in self.acts)
        return f"{acts}; engine {self.first.manifest['engine']}"

    @property
    def name(self) -> str:
        """Of a deck's file: "act04", "act04.zh", "course.light", "act04.3-beats"."""
        variant, act = self.first.variant, self.first.sheet["act"]
        if len(self.acts) > 1:
            return "course" + variant.removeprefix(act)
        return f"{variant}.{len(self.first.beats)}-beats" if self.is_selection else variant

    def only(self, names: Sequence[str]) -> "Talk":
        """The same with these beats of its act, in this order. UsageError for an unknown one."""
        known = {beat["name"]: beat for beat in self.first.beats}
        for name in names:
            require_known("beat", name, known)
        act = replace(self.first, sheet={**self.first.sheet,
                                         "beats": [known[name] for name in names]})
        return replace(self, acts=(act,), is_selection=list(names) != list(known))

    def speaking(self, scratch: Path) -> "Talk":
        """The same with the films' sound in the clips, in new folders in `scratch`.

        RenderError where nobody speaks in a film.
        """
        return replace(self, acts=tuple(act.speaking(scratch / act.variant) for act in self.acts))
