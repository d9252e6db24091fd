"""What a render leaves behind: film and clips with sidecars, pictures, manifest, in one folder."""

import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from scenes.stage import LANGUAGES, Plan
from scenes.stage.beat import COMMIT
from studio.deliver import captions, subtitles
from studio.deliver.captions import Cue
from studio.deliver.mux import Film
from studio.deliver.names import MANIFEST, Names
from studio.render.files import publish
from studio.render.keys import versions
from studio.render.order import Order
from studio.render.own import list_files
from studio.render.plan import RenderPlan
from studio.voice.choice import Speaker

__all__ = ["SUBTITLE_WRITERS", "Package", "cue_sheet", "deliver", "from_plan", "package",
           "transcript", "write_json"]

SUBTITLE_WRITERS: dict[str, Callable[[Iterable[Cue]], str]] = {
    "vtt": subtitles.vtt, "srt": subtitles.srt}


@dataclass(frozen=True)
class Package:
    """A folder with everything of a variant, not yet in its place."""

    folder: Path
    plan: RenderPlan


def package(film: Film) -> Package:
    """Add pictures, texts and manifest to a film's folder."""
    folder, plan = film.folder, film.plan
    names = Names(plan.variant)
    segments = [segment.folder for segment in film.segments.items]
    for beat, segment in zip(plan.plan.beats, segments):
        for which in ("first", "last"):
            shutil.copyfile(segment / f"{which}.png", folder / names.picture(beat.name, which))
    shutil.copyfile(segments[0] / "middle.png", folder / names.poster)
    _write_texts(folder, names, plan)
    with Image.open(segments[0] / "first.png") as picture:
        corner = picture.convert("RGB").crop((0, 0, 1, 1)).tobytes()
    _write_manifest(folder, plan, f"#{corner.hex().upper()}", film.voice)
    return Package(folder, plan)


def deliver(finished: Package, out: Path) -> Path:
    """Put a package in its place in `out`, whole or not at all; its folder there."""
    return publish(finished.folder, out / finished.plan.variant)


def cue_sheet(order: Order, plan: Plan, variant: str) -> dict[str, Any]:
    """Contents of cues.json: frames are the truth, seconds are derived."""
    fps, names = order.fps, Names(variant)
    beats = [{
        "name": beat.name, "start_frame": beat.start_frame(fps), "frames": beat.frames(fps),
        "start_seconds": beat.start / 10, "seconds": beat.tenths / 10,
        "clip": names.clip(beat.name), "poster": names.picture(beat.name, "first"),
        "first": names.picture(beat.name, "first"), "last": names.picture(beat.name, "last"),
        "title": dict(beat.title),
        "narration": {language: [line.text[language] for line in beat.lines]
                      for language in LANGUAGES},
        # from the beat's start: each line of narration, and the words that movements hang on
        "lines": [{"start_frame": (line.start - beat.start) * fps // 10,
                   "frames": line.tenths * fps // 10} for line in beat.lines],
        "cues": {name: cue.tenths * fps // 10 for name, cue in beat.cues.items()},
        "source": str(beat.source), "trace": beat.source.trace, "steps": list(beat.steps),
        "anchors": [f"{anchor}@{COMMIT}" for anchor in beat.anchors],
    } for beat in plan.beats]
    return {"act": plan.act, "title": dict(plan.title), "film": names.film,
            "fps": f"{fps}/1", "total_frames": plan.frames(fps), "size": list(order.size),
            "language": order.language, "theme": order.theme, "parameters": dict(plan.params),
            "beats": beats}


def transcript(plan: Plan, language: str) -> str:
    """The words of an act in Markdown, with times, sources and anchors."""
    lines = [f"# {plan.title[language]}", ""]
    for beat in plan.beats:
        minutes, seconds = divmod(beat.start // 10, 60)
        notes = [str(beat.source), *(f"`{anchor}@{COMMIT}`" for anchor in beat.anchors)]
        lines += [f"## {minutes}:{seconds:02} {beat.title[language]}", "",
                  *(line.text[language] for line in beat.lines), "", "; ".join(notes), ""]
    return "\n".join(lines)


def write_json(path: Path, data: Any) -> None:
    """Write plain data as people like to read it."""
    text = json.dumps(data, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")


def _write_texts(folder: Path, names: Names, plan: RenderPlan) -> None:
    write_json(folder / names.cues, cue_sheet(plan.order, plan.plan, names.variant))
    texts = {}
    for language in LANGUAGES:
        for kind, write in SUBTITLE_WRITERS.items():
            cues = captions.cues(plan.plan, language)
            texts[names.subtitles(language, kind)] = write(cues)
        texts[names.transcript(language)] = transcript(plan.plan, language)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


def from_plan(plan: RenderPlan) -> dict[str, Any]:
    """What a manifest says that was known before anything was drawn."""
    order = plan.order
    return {
        "act": plan.plan.act, "variant": plan.variant, "quality": order.quality,
        "size": list(order.size), "fps": f"{order.fps}/1", "language": order.language,
        "theme": order.theme, "parameters": dict(plan.plan.params),
        "settings": dict(order.settings), "engine": COMMIT, "versions": versions(),
        "sources": plan.keys.sources, "traces": dict(plan.traces)}


def _write_manifest(folder: Path, plan: RenderPlan, background: str,
                    voice: Speaker | None) -> None:
    write_json(folder / MANIFEST, {
        **from_plan(plan), "ground": background, "voice": voice.about if voice else None,
        "clips_speak": bool(voice and voice.clips), "files": list_files(folder),
    })
