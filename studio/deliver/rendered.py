"""What earlier renders left behind, read back: one `Rendered` a variant's folder."""

import json
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scenes.stage import LANGUAGES
from studio.deliver.captions import Cue
from studio.deliver.names import MANIFEST, Names
from studio.deliver.subtitles import read_vtt
from studio.errors import RenderError

__all__ = ["Rendered", "find", "link", "media_folder", "read"]


@dataclass(frozen=True)
class Rendered:
    """One variant's folder with its manifest and cue sheet."""

    folder: Path
    manifest: dict[str, Any]
    sheet: dict[str, Any]

    @property
    def variant(self) -> str:
        """Name of the variant, of its folder and files."""
        return str(self.manifest["variant"])

    @property
    def names(self) -> Names:
        """How its files are called."""
        return Names(self.variant)

    @property
    def fps(self) -> int:
        """Frames a second."""
        return int(self.manifest["fps"].split("/")[0])

    @property
    def beats(self) -> list[dict[str, Any]]:
        """The beats of the cue sheet."""
        return list(self.sheet["beats"])

    @property
    def voice(self) -> dict[str, Any] | None:
        """Who speaks: name, about, machine or not; None where nobody does."""
        voice: dict[str, Any] | None = self.manifest.get("voice")
        return voice

    def speaking(self, folder: Path) -> "Rendered":
        """The same with the film's sound in its clips, in the new `folder`; itself where they
        speak already. RenderError where nobody speaks in the film.
        """
        if not self.voice:
            raise RenderError(f"{self.folder}: nobody speaks in this film; render it with a voice "
                              "(render.py list --voices)")
        if self.manifest["clips_speak"]:
            return self
        from studio.voice.clips import let_speak

        for name in self.manifest["files"]:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            link(self.folder / name, folder / name)
        let_speak(self.folder / self.names.film, [
            (self.folder / beat["clip"], folder / beat["clip"],
             round(beat["start_seconds"] * 10), round(beat["seconds"] * 10))
            for beat in self.beats])
        return replace(self, folder=folder)

    def cues(self, language: str) -> tuple[Cue, ...]:
        """The film's subtitles, from the file that was written."""
        path = self.folder / self.names.subtitles(language, "vtt")
        return read_vtt(path.read_text(encoding="utf-8"))

    def beat_cues(self, beat: dict[str, Any], language: str) -> list[Cue]:
        """Those of one beat, with times from the beat's start."""
        start = round(beat["start_seconds"] * 10)
        end = start + round(beat["seconds"] * 10)
        return [Cue(cue.start - start, cue.end - start, cue.rows)
                for cue in self.cues(language) if start <= cue.start < end]

    def speaker_notes(self, beat: dict[str, Any], language: str) -> str:
        """The narration of a beat, then where it comes from."""
        return "\n".join([*beat["narration"][language], "",
                          "; ".join([beat["source"], *beat["anchors"]])])


def link(source: Path, target: Path) -> None:
    """The same file under another name where the disk allows, else a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


def read(folder: Path) -> Rendered | None:
    """The render in `folder`, or None when there is none; RenderError when it is damaged."""
    if not (folder / MANIFEST).is_file():
        return None
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        sheet = json.loads((folder / Names(manifest["variant"]).cues).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError):
        raise RenderError(f"{folder}: damaged; render it again") from None
    missing = [name for name in manifest["files"] if not (folder / name).is_file()]
    if missing:
        raise RenderError(f"{folder / missing[0]}: missing; render it again")
    return Rendered(folder, manifest, sheet)


def find(media: Path) -> list[Rendered]:
    """Every variant rendered into `media`: by act, plain English dark first."""
    folders = sorted(path.parent for path in media.glob(f"act*/{MANIFEST}"))
    found = [rendered for folder in folders if (rendered := read(folder))]
    return sorted(found, key=lambda r: (r.sheet["act"], r.variant.count("."),
                                        LANGUAGES.index(r.sheet["language"]), r.variant))


def media_folder(out: Path, media: Path | None, default: Path) -> Path:
    """Where the renders are: `media` if given, else `out` when it holds some, else `default`."""
    if media is not None:
        return media
    return out if any(out.glob(f"act*/{MANIFEST}")) else default
