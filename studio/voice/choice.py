"""Who speaks in a film: what was asked for on the command line, and what came of it."""

import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scenes.stage import Plan
from scenes.stage.words import ISO639
from studio.errors import UsageError
from studio.render import sealed
from studio.render.order import Order, require_known
from studio.render.sources import file_digest
from studio.voice.base import VOICES, VoiceInfo, default_voice
from studio.voice.slots import Slot, slots

__all__ = ["AUTO", "SILENT", "Speaker", "Voicing", "described", "silence", "speaker",
           "spoken_by", "voices"]


@dataclass(frozen=True)
class Voicing:
    """`voice`: a name, "none", or "" for the language's own where it is installed.

    `folder`: a person's recordings instead. `clips`: the clips speak as well, not only the film.
    """

    voice: str = ""
    folder: Path | None = None
    clips: bool = False


AUTO, SILENT = Voicing(), Voicing("none")


@dataclass(frozen=True)
class Speaker:
    """What gives a film its sound. `about` goes into the manifest."""

    about: dict[str, Any]
    say: Callable[[Slot], np.ndarray]
    kept: Path  # folder of tracks made before
    clips: bool = False

    def rehearse(self, plan: Plan, told: Callable[[str], None]) -> None:
        """Have every line ready, kept on disk, before anything is drawn.

        `told(line)` hears of each. Raises VoiceError for the first that does not fit.
        """
        for slot in slots(plan):
            told(slot.name)
            self.say(slot)

    def track(self, plan: Plan) -> Path:
        """The film's sound, coded and checked, as long as the film; kept until a line changes."""
        from studio.voice.track import assemble, write_track

        said = {slot: self.say(slot) for slot in slots(plan)}
        key = _digest(plan.tenths, said)
        path, seal = (self.kept / f"track-{key}{suffix}" for suffix in (".m4a", ".seal"))
        wanted = sealed.read(seal, key)
        if not (wanted and sealed.is_plain_file(path) and file_digest(path).encode() == wanted):
            sealed.make_folder(self.kept)
            sealed.discard(path)
            write_track(assemble(said, said.__getitem__, plan.tenths), path,
                        ISO639.get(plan.language, plan.language))
            sealed.write(seal, key, file_digest(path).encode())
        os.utime(path)  # so that what is used is forgotten last
        return path

    def finish(self, film: Path, tenths: int, clips: list[tuple[Path, int, int]]) -> None:
        """Decode the film's track; let the clips, (path, start, tenths), speak as well if that was
        asked for.
        """
        from studio.voice.clips import let_speak
        from studio.voice.track import check_sound

        check_sound(film, tenths, level=None)
        if self.clips:
            let_speak(film, [(path, path, start, length) for path, start, length in clips])


def _digest(tenths: int, said: dict[Slot, np.ndarray]) -> str:
    """A key of a track: which sound begins where, and how tracks are made."""
    key = hashlib.sha256(f"{tenths}".encode())
    for name in ("track", "loudness", "sound"):
        key.update((Path(__file__).parent / f"{name}.py").read_bytes())
    for slot, sound in said.items():
        key.update(f"{slot.start}".encode() + sound.tobytes())
    return key.hexdigest()[:40]


def speaker(order: Order, voicing: Voicing, kept: Path) -> Speaker | None:
    """Who speaks in a film, or None. `kept`: folder of lines said before.

    Raises UsageError for a voice that is unknown or speaks another language, VoiceError for one
    that was asked for by name and is not installed.
    """
    if voicing.folder is not None:
        return _person(voicing.folder, voicing, kept)
    if voicing.voice == "none":
        return None
    info = default_voice(order.language)
    if voicing.voice:
        require_known("voice", voicing.voice, ["none", *VOICES])
        info = VOICES[voicing.voice]
        if info.language != order.language:
            raise UsageError(f"voice {info.name} speaks {info.language!r}, the film is in "
                             f"{order.language!r}")
    elif info is None or info.missing():
        return None
    return _machine(info, kept, voicing.clips) if info else None


def _person(folder: Path, voicing: Voicing, kept: Path) -> Speaker:
    from studio.voice.recordings import recorded

    if not folder.is_dir():
        raise UsageError(f"--voice-dir {folder}: no such folder")
    if voicing.voice:
        raise UsageError("give either --voice or --voice-dir")
    return Speaker({"name": "recordings", "about": "a person's recordings", "machine": False},
                   lambda slot: recorded(slot, folder), kept, voicing.clips)


def _machine(info: VoiceInfo, kept: Path, clips: bool) -> Speaker:
    from studio.voice.lines import fitted

    voice = info.load()
    about = {"name": info.name, "about": info.about, "licence": info.licence,
             "version": voice.version, "machine": True}
    return Speaker(about, lambda slot: fitted(slot, voice, kept), kept, clips)


def silence(order: Order, voicing: Voicing) -> str:
    """Why a film that was to speak will not, and what would give it a voice; "" otherwise."""
    if voicing.voice or voicing.folder is not None:
        return ""
    info = default_voice(order.language)
    return info.missing() if info else f"no voice speaks {order.language!r} yet"


def voices() -> str:
    """Text of `render.py list --voices`."""
    rows = []
    for info in VOICES.values():
        lacks = info.missing()
        rows.append(f"{info.name:<10} {info.language:<3} {info.about}: a machine voice "
                    f"({info.licence})"
                    + (f"\n    {lacks}" if lacks else ""))
    return "\n".join([*rows, f"{'none':<10} {'':<3} a film without a spoken track",
                      "--voice-dir DIR takes a person's recordings; `render.py script act04` "
                      "prints what to read"])


def spoken_by(manifest: dict[str, Any]) -> Voicing | None:
    """What would let a film be spoken again as its manifest says; None where a person spoke."""
    if "voice" not in manifest:
        return AUTO
    voice = manifest["voice"]
    if voice is None:
        return SILENT
    return Voicing(voice["name"], clips=manifest["clips_speak"]) if voice["machine"] else None


def described(about: dict[str, Any] | None) -> str:
    """A manifest's voice in a few words: "hibari (a machine)"."""
    if not about:
        return "nobody speaks"
    return f"spoken by {about['name']} ({'a machine' if about['machine'] else 'a person'})"
