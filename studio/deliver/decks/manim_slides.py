"""A presentation for manim-slides: its JSON beside the clips, no manim run needed."""

import json
import shutil
from pathlib import Path

from studio.deliver.decks.talk import Talk

__all__ = ["name", "require", "write"]


def require() -> None:
    """Writing needs nothing; showing needs manim-slides."""


def name(talk: Talk) -> str:
    """Name of the folder."""
    return f"{talk.name}-slides"


def write(talk: Talk, folder: Path) -> None:
    """`slides/<act>.json` and `clips/`: run `manim-slides present act04` in `folder`.

    manim-slides reads paths relative to the JSON's grandparent, and opens the file in the
    system's encoding: hence the ASCII escapes. `rev_file` may be the clip itself.
    """
    (folder / "slides").mkdir(parents=True)
    (folder / "clips").mkdir()
    slides = []
    for act, beat in talk.slides:
        shutil.copyfile(act.folder / beat["clip"], folder / beat["clip"])
        slides.append({"type": "video", "file": beat["clip"], "rev_file": beat["clip"],
                       "loop": False, "auto_next": False, "playback_rate": 1.0,
                       "reversed_playback_rate": 1.0,
                       "notes": act.speaker_notes(beat, talk.language)})
    config = {"slides": slides, "resolution": talk.first.sheet["size"],
              "background_color": talk.first.manifest["ground"]}
    path = folder / "slides" / f"{talk.name}.json"
    path.write_text(json.dumps(config, indent=1, ensure_ascii=True) + "\n", encoding="ascii")
