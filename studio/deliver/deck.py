"""Slide decks from an act's clips: which formats there are, and what to warn of."""

import os
from pathlib import Path

from studio.deliver.rendered import Rendered, renew, workplace
from studio.render.order import Order, choose
from studio.render.store import settle, swap

__all__ = ["FORMATS", "deck", "notes", "warnings"]

FORMATS = ("pptx", "reveal", "manim-slides")
MOST_CLIPS, MOST_BYTES = 25, 200 << 20  # beyond this PowerPoint is slow to open and to save


def notes(beat: dict, language: str) -> str:
    """Speaker notes of a slide: the narration, then where it comes from."""
    return "\n".join([*beat["narration"][language], "",
                      "; ".join([beat["source"], *beat["anchors"]])])


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


def deck(order: Order, kind: str, out: Path, media: Path, workers: int,
         report) -> tuple[Path, list[str]]:
    """Render what is missing, write the deck into `out`: (its path, warnings).

    Raises UsageError for an unknown `kind`, RenderError when a package it needs is missing.
    """
    choose("format", kind, FORMATS)
    from studio.deliver import deck_pptx, deck_reveal, deck_slides

    maker = {"pptx": deck_pptx, "reveal": deck_reveal, "manim-slides": deck_slides}[kind]
    maker.require()
    rendered = renew(order, media, workers, report)
    final = out / maker.name(rendered)
    with workplace(out) as scratch:
        made = scratch / "deck"
        maker.write(rendered, order.language, made)
        settle(made)
        if made.is_dir():
            swap(made, final)
        else:
            os.replace(made, final)
    return final, warnings(rendered)
