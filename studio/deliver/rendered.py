"""What earlier renders left behind, read back: one `Rendered` a variant's folder."""

import base64
import json
import re
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scenes.stage import LANGUAGES
from studio.deliver.package import Names, cue_sheet
from studio.render import film
from studio.render.order import Order
from studio.render.pool import RenderError
from studio.render.store import disk_full
from studio.voice.choice import AUTO, SILENT, Voicing

__all__ = ["Rendered", "data_url", "find", "media_folder", "read", "renew",
           "workplace"]

_CUE = re.compile(r"(?m)^(\d+):(\d\d):(\d\d)\.(\d)\d\d --> (\d+):(\d\d):(\d\d)\.(\d)\d\d\n"
                  r"((?:.+\n)+)")


@dataclass(frozen=True)
class Rendered:
    """One variant's folder with its manifest and cue sheet."""

    folder: Path
    manifest: dict
    sheet: dict

    @property
    def stem(self) -> str:
        return self.manifest["variant"]

    @property
    def names(self) -> Names:
        return Names(self.stem)

    @property
    def fps(self) -> int:
        return int(self.manifest["fps"].split("/")[0])

    @property
    def beats(self) -> list[dict]:
        return self.sheet["beats"]

    def subtitles(self, language: str) -> list[tuple[int, int, str]]:
        """(start, end, text) of every subtitle, in tenths of a second from the film's start."""
        text = (self.folder / self.names.subtitles(language, "vtt")).read_text(encoding="utf-8")
        found = []
        for match in _CUE.finditer(text):
            h, m, s, t, h2, m2, s2, t2 = map(int, match.groups()[:8])
            rows = re.sub("&lt;", "<", match[9].rstrip().replace("&gt;", ">"))
            found.append((((h * 60 + m) * 60 + s) * 10 + t, ((h2 * 60 + m2) * 60 + s2) * 10 + t2,
                          rows.replace("&amp;", "&")))
        return found

    def beat_subtitles(self, beat: dict, language: str) -> list[tuple[int, int, str]]:
        """Those of one beat, in tenths from the beat's start."""
        start = round(beat["start_seconds"] * 10)
        end = start + round(beat["seconds"] * 10)
        return [(a - start, b - start, text) for a, b, text in self.subtitles(language)
                if start <= a < end]


def read(folder: Path) -> Rendered | None:
    """The render in `folder`, or None when there is none; RenderError when it is damaged."""
    if not (folder / "manifest.json").is_file():
        return None
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        sheet = json.loads((folder / Names(manifest["variant"]).cues).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError):
        raise RenderError(f"{folder}: damaged; render it again") from None
    missing = [name for name in manifest["files"] if not (folder / name).is_file()]
    if missing:
        raise RenderError(f"{folder / missing[0]}: missing; render it again")
    return Rendered(folder, manifest, sheet)


def find(media: Path) -> list[Rendered]:
    """Every variant rendered into `media`: by act, plain English dark first."""
    folders = sorted(path.parent for path in media.glob("act*/manifest.json"))
    found = [item for folder in folders if (item := read(folder))]
    return sorted(found, key=lambda r: (r.sheet["act"], r.stem.count("."),
                                        LANGUAGES.index(r.sheet["language"]), r.stem))


def media_folder(out: Path, media: Path | None, default: Path) -> Path:
    """Where the renders are: `media` if given, else `out` when it holds some, else `default`."""
    if media is not None:
        return media
    return out if any(out.glob("act*/manifest.json")) else default


def renew(order: Order, media: Path, workers: int, report) -> Rendered:
    """The act as ordered and as the code now draws it; only what is missing is drawn.

    A render of another quality is not replaced: this one then goes to `media/<quality>/`. Who spoke
    in it speaks again; RenderError for a film with a person's recordings that is out of date.
    """
    planned = order.planned()
    there = read(media / order.variant(planned))
    if there and (there.manifest["quality"], there.fps) != (order.quality, order.fps):
        media = media / order.quality
        there = read(media / order.variant(planned))
    voicing = _voicing(there)
    if voicing is None:
        sheet = json.loads(json.dumps(cue_sheet(order, planned, there.stem)))
        if there.sheet != sheet:
            raise RenderError(f"{there.folder}: made with recordings, and out of date; render it "
                              "again with --voice-dir")
        return there
    return read(film.render([order], media, workers, report, voicing)[0])


def _voicing(there: Rendered | None) -> Voicing | None:
    """Who is to speak in a film that is made again; None: nobody can but a person."""
    if there is None or "voice" not in there.manifest:
        return AUTO
    voice = there.manifest["voice"]
    if voice is None:
        return SILENT
    return Voicing(voice["name"], clips=there.manifest["clips_speak"]) if voice["machine"] else None


def data_url(kind: str, data: bytes) -> str:
    """`data` as a URL: what a browser refuses to load beside a page opened from disk."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


@contextmanager
def workplace(out: Path):
    """A scratch folder on the disk of `out`, removed at the end; a full disk is one line."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        scratch = film.store_of(out).scratch()
    except OSError as error:
        raise RenderError(f"{out}: {error.strerror}") from error
    try:
        yield scratch
    except OSError as error:
        if disk_full(error):
            raise RenderError(f"{out}: no space left on the disk; make room and run again") \
                from error
        raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):
            scratch.parent.rmdir()  # when no segments are kept there
