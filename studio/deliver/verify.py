"""Checks what a render left behind against plan, manifest, traces and sources of today."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
from PIL import Image

from scenes.stage import LANGUAGES
from studio.deliver import captions
from studio.deliver.names import MANIFEST, Names
from studio.deliver.package import SUBTITLE_WRITERS, cue_sheet, from_plan, transcript
from studio.deliver.verify_film import expect, verify_film, verify_sound
from studio.errors import RenderError, StudioError
from studio.render.order import QUALITIES, RATES, Order
from studio.render.own import list_files
from studio.render.plan import RenderPlan
from studio.render.proofs import traces_today
from studio.stream.check import check

__all__ = ["Findings", "verify"]

_AGAIN = "render again"


class Findings:
    """What holds and what does not, a line each."""

    def __init__(self) -> None:
        self.held: list[str] = []
        self.faults: list[str] = []

    def look(self, subject: object, check: Callable[..., str | None], *arguments: Any) -> None:
        """Run a check; whatever it stumbles over is a fault of `subject`."""
        try:
            if line := check(*arguments):
                self.held.append(line)
        except StudioError as error:
            self.faults.append(str(error))
        except (OSError, av.FFmpegError, ArithmeticError, AttributeError, LookupError, TypeError,
                ValueError) as error:
            text = " ".join(str(error).split())
            self.faults.append(f"{subject}: damaged ({type(error).__name__}: {text}); {_AGAIN}")


def verify(order: Order, out: Path) -> Findings:
    """Everything that holds and everything that differs.

    Quality and rate are taken from the manifest; act, language, theme and settings from `order`.
    Raises RenderError when there is nothing to look at, or no order can be read from it.
    """
    folder = out / order.variant(order.planned())
    manifest = _read_manifest(folder, order.act)
    order = Order(order.act, manifest["quality"], int(manifest["fps"].split("/")[0]),
                  order.language, order.theme, order.settings)
    plan, found = RenderPlan.of(order), Findings()
    names, voice = Names(plan.variant), manifest.get("voice")
    found.faults += _files(folder, manifest["files"], _names(names, plan))
    if not found.faults:
        found.held.append(f"{len(manifest['files'])} files: whole, as the manifest says")
    found.faults += _manifest(plan, manifest)
    found.look(MANIFEST, _verify_traces, order, manifest)
    found.look(folder, _verify_pictures, folder, names, plan, manifest)
    for name, text in _texts(names, plan).items():
        found.look(name, _verify_text, folder / name, text)
    film, language, tenths = folder / names.film, order.language, plan.plan.tenths
    found.look(film.name, verify_film, film, plan.plan, order.fps, language)
    found.look(film.name, verify_sound, film, tenths, language, voice)
    for beat in plan.plan.beats:
        clip = folder / names.clip(beat.name)
        found.look(clip.name, check, clip, beat.frames(order.fps), order.fps)
        found.look(clip.name, _silently, verify_sound, clip, beat.tenths, language,
                   voice if manifest.get("clips_speak") else None, False)
    if not found.faults:
        found.held.append(f"{len(plan.plan.beats)} clips: every frame as planned")
    return found


def _silently(check: Callable[..., str], *arguments: Any) -> None:
    check(*arguments)


def _read_manifest(folder: Path, act: str) -> dict[str, Any]:
    """The manifest, of which quality, rate and files can be relied upon."""
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        rates = [f"{rate}/1" for rate in RATES]
        whole = manifest["quality"] in QUALITIES and manifest["fps"] in rates and all(
            isinstance(value, str) for value in manifest["files"].values())
    except FileNotFoundError:
        raise RenderError(f"{folder}: nothing rendered there; run render.py {act}") from None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        text = f"{type(error).__name__}: {error}"
        raise RenderError(f"{path}: damaged ({text}); {_AGAIN}") from None
    if not whole:
        raise RenderError(f"{path}: damaged (quality, fps or files are none); {_AGAIN}")
    return dict(manifest)


def _names(names: Names, plan: RenderPlan) -> set[str]:
    """All files of a variant besides the manifest."""
    beats = [beat.name for beat in plan.plan.beats]
    return {names.film, names.poster, *_texts(names, plan), *map(names.clip, beats),
            *(names.picture(beat, which) for beat in beats for which in ("first", "last"))}


def _files(folder: Path, listed: dict[str, str], wanted: set[str]) -> list[str]:
    there = list_files(folder)
    there.pop(MANIFEST, None)
    return [
        *(f"{folder / name}: missing; {_AGAIN}" for name in sorted({*wanted, *listed} - {*there})),
        *(f"{folder / name}: of no render; move it away" for name in sorted({*there} - wanted)),
        *(f"{MANIFEST}: does not list {name}; {_AGAIN}" for name in sorted(wanted - {*listed})),
        *(f"{folder / name}: changed since it was rendered; {_AGAIN}"
          for name in sorted({*there} & {*listed}) if there[name] != listed[name])]


def _manifest(plan: RenderPlan, manifest: dict[str, Any]) -> list[str]:
    """What the manifest says otherwise than an order of today would."""
    faults = []
    for name, value in json.loads(json.dumps(from_plan(plan))).items():
        if name == "sources" and manifest.get(name) != value:
            faults.append(f"{MANIFEST}: the act's files have changed since, or the programs that "
                          f"draw it; {_AGAIN}")
        elif name not in ("traces", "versions", "settings") and manifest.get(name) != value:
            faults.append(f"{MANIFEST}: {name} is {manifest.get(name)!r}, planned {value!r}; "
                          f"{_AGAIN}")
    return faults


def _verify_traces(order: Order, manifest: dict[str, Any]) -> str:
    """The film was drawn from the traces that are there now, and these are proved."""
    then, now = manifest["traces"], traces_today(order)
    other = sorted(name for name in {*then, *now} if then.get(name) != now.get(name))
    if other:
        raise RenderError(f"{MANIFEST}: drawn from other traces than today's: "
                          f"{', '.join(other)}; {_AGAIN}")
    return f"{len(now)} traces: proved, and those of the film"


def _verify_pictures(folder: Path, names: Names, plan: RenderPlan,
                     manifest: dict[str, Any]) -> str:
    pictures = sorted(name for name in _names(names, plan) if name.endswith(".png"))
    for name in pictures:
        with Image.open(folder / name) as picture:
            expect(plan.order.size, picture.size, f"{name}: size")
    with Image.open(folder / names.picture(plan.plan.beats[0].name, "first")) as picture:
        ground = picture.convert("RGB").crop((0, 0, 1, 1)).tobytes().hex().upper()
    expect(f"#{ground}", manifest["ground"], f"{MANIFEST}: ground")
    return f"{len(pictures)} pictures: of the film's size"


def _texts(names: Names, plan: RenderPlan) -> dict[str, Any]:
    """File name -> what a text must be; the cue sheet as plain data."""
    texts: dict[str, Any] = {
        names.cues: json.loads(json.dumps(cue_sheet(plan.order, plan.plan, names.variant)))}
    for language in LANGUAGES:
        texts[names.transcript(language)] = transcript(plan.plan, language)
        for kind, write in SUBTITLE_WRITERS.items():
            texts[names.subtitles(language, kind)] = write(captions.cues(plan.plan, language))
    return texts


def _verify_text(path: Path, wanted: Any) -> str:
    text = path.read_text(encoding="utf-8")
    expect(wanted, text if isinstance(wanted, str) else json.loads(text), path.name)
    return f"{path.name}: as planned"
