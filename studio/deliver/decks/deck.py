"""A slide deck of a rendered act: which formats there are, and what to warn of."""

from pathlib import Path
from typing import Protocol

from studio.deliver.decks import handout, manim_slides, pptx, reveal
from studio.deliver.decks.talk import Talk
from studio.render.files import publish
from studio.render.order import require_known
from studio.render.own import require_own, write_list
from studio.render.scratch import scratch_folder

__all__ = ["FORMATS", "deck_format", "warnings", "write_deck"]

MOST_CLIPS, MOST_BYTES = 25, 200 << 20  # beyond this PowerPoint is slow to open and to save


class DeckFormat(Protocol):
    """A kind of deck: a module of this package."""

    def require(self) -> None:
        """Raise RenderError when a package is missing that writing needs."""

    def name(self, talk: Talk) -> str:
        """Name of the deck's file or folder."""

    def write(self, talk: Talk, path: Path) -> None:
        """Write the deck to `path`, where there is nothing yet."""


FORMATS: dict[str, DeckFormat] = {"pptx": pptx, "reveal": reveal, "manim-slides": manim_slides,
                                  "pdf": handout}


def deck_format(name: str) -> DeckFormat:
    """A format by name, ready to write.

    Raises UsageError for an unknown one, RenderError when a package it needs is missing.
    """
    require_known("format", name, FORMATS)
    FORMATS[name].require()
    return FORMATS[name]


def write_deck(form: DeckFormat, talk: Talk, out: Path, speaks: bool = False) -> Path:
    """Write the deck into `out`; its path.

    UsageError where one stands there that somebody has edited or that was not made here.
    `speaks`: the clips have the film's sound; RenderError where the film has none.
    """
    require_own(out / form.name(talk))
    with scratch_folder(out) as scratch:
        if speaks:
            talk = talk.speaking(scratch / "speaking")
        made = scratch / "deck"
        form.write(talk, made)
        if made.is_dir():
            write_list(made, "deck.json")
        return publish(made, out / form.name(talk))


def warnings(talk: Talk) -> list[str]:
    """What a lecturer should know before carrying this deck to a lecture."""
    clips = [act.folder / beat["clip"] for act, beat in talk.slides]
    size = sum(path.stat().st_size for path in clips)
    found = []
    if len(clips) > MOST_CLIPS:
        found.append(f"{len(clips)} clips: above {MOST_CLIPS} slides with video, programs get slow")
    if size > MOST_BYTES:
        found.append(f"{size >> 20} MB of clips, above {MOST_BYTES >> 20} MB; "
                     "--quality deck (1280x720) is smaller")
    return found
