"""A slide deck of a rendered act: which formats there are, and what to warn of."""

from pathlib import Path
from typing import Protocol

from studio.deliver.decks import manim_slides, pptx, reveal
from studio.deliver.rendered import Rendered
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

    def name(self, rendered: Rendered) -> str:
        """Name of the deck's file or folder."""

    def write(self, rendered: Rendered, language: str, path: Path) -> None:
        """Write the deck to `path`, where there is nothing yet."""


FORMATS: dict[str, DeckFormat] = {"pptx": pptx, "reveal": reveal, "manim-slides": manim_slides}


def deck_format(name: str) -> DeckFormat:
    """A format by name, ready to write.

    Raises UsageError for an unknown one, RenderError when a package it needs is missing.
    """
    require_known("format", name, FORMATS)
    FORMATS[name].require()
    return FORMATS[name]


def write_deck(form: DeckFormat, rendered: Rendered, language: str, out: Path,
               speaks: bool = False) -> Path:
    """Write the deck into `out`, with titles and notes in `language`; its path.

    UsageError where one stands there that somebody has edited or that was not made here.
    `speaks`: the clips have the film's sound; RenderError where the film has none.
    """
    require_own(out / form.name(rendered))
    with scratch_folder(out) as scratch:
        if speaks:
            rendered = rendered.speaking(scratch / "speaking")
        made = scratch / "deck"
        form.write(rendered, language, made)
        if made.is_dir():
            write_list(made, "deck.json")
        return publish(made, out / form.name(rendered))


def warnings(rendered: Rendered) -> list[str]:
    """What a lecturer should know before carrying this deck to a lecture."""
    clips = [rendered.folder / beat["clip"] for beat in rendered.beats]
    size = sum(path.stat().st_size for path in clips)
    found = []
    if len(clips) > MOST_CLIPS:
        found.append(f"{len(clips)} clips: above {MOST_CLIPS} slides with video, programs get slow")
    if size > MOST_BYTES:
        found.append(f"{size >> 20} MB of clips, above {MOST_BYTES >> 20} MB; "
                     "--quality deck (1280x720) is smaller")
    return found
