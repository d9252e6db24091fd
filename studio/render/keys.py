"""Cache keys by content: what snapshots and segments depend on, and nothing else.

A beat's pictures depend on the snapshot in which the beats before have left the act, on the beat's
source, the import closures of its module and of the act, stage, studio, traces, labels, settings,
size, rate and versions. Narration counts only through its lengths, except where it is drawn:
rewording a line that keeps its length draws nothing; a changed beat that ends as before spares
those after it.
"""

import sys
from dataclasses import fields
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scenes.stage import Plan, act_folder
from scenes.stage.plan import PlannedBeat
from scenes.stage.yaml_files import read_yaml
from studio.render.order import Order
from studio.render.sources import (
    ROOT,
    ActFiles,
    act_files,
    digest,
    file_digest,
    files_below,
    source_digest,
    trace_digest,
    traces_named,
)

__all__ = ["CacheKeys", "listing_key", "versions"]

_PACKAGES = ("manim", "numpy", "pycairo", "av", "uharfbuzz", "typst", "fontpkg-inter",
             "fontpkg-jetbrains-mono", "manimgx-fonts-cjk")


@cache
def versions() -> dict[str, str]:
    """Versions of everything that decides a picture or a stream."""
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "missing"
    try:
        import cairo
        found["cairo"] = cairo.cairo_version_string()
    except ImportError:
        found["cairo"] = "missing"
    return found


def _digests(*paths: Path) -> list[tuple[str, str]]:
    return [(path.relative_to(ROOT).as_posix(), file_digest(path)) for path in sorted(paths)]


@cache
def _playing() -> str:
    """What decides how any act is played: stage, player, snapshots."""
    return digest(versions(), _digests(*files_below("scenes/stage", "studio/draw"),
                                       ROOT / "studio/render/snapshots.py"))


@cache
def _coding() -> str:
    """What decides the bits of a segment beyond its pictures."""
    return digest(_digests(*files_below("studio/stream"), ROOT / "studio/render/worker.py"))


def _words(order: Order) -> dict[str, Any]:
    """What of an act's words any beat may draw."""
    words = read_yaml(act_folder(order.act) / f"{order.language}.yaml")
    return {"title": words["title"], "labels": words.get("labels")}


def _recalled(order: Order, beat: PlannedBeat, source: str | None) -> list[Any]:
    """Narration that a beat draws: `Act.recall` writes it into the picture; or what is left out."""
    if not any(call in (source or "") for call in (".recall(", ".leaves_out")):
        return []
    words = read_yaml(act_folder(order.act) / f"{order.language}.yaml")
    return [words.get("leaves_out"), *(line.text[order.language] for line in beat.lines)]


@cache
def listing_key(act: str) -> str:
    """Key of what is planned for an act with its defaults; does not load the act."""
    words = act_folder(act).glob("*.yaml")
    code = [path for path in files_below("scenes", "traces") if path.suffix != ".yaml"]
    return digest(versions(), _digests(*words, *code, *files_below("scenes/lexicon"),
                                       ROOT / "studio/tools/listing.py"))


def _without(item: Any, *names: str) -> dict[str, Any]:
    """A dataclass's fields as plain data, some left out."""
    return {field.name: getattr(item, field.name) for field in fields(item)
            if field.name not in names}


class CacheKeys:
    """Keys of the snapshots between beats, which do not depend on the size, and of segments."""

    def __init__(self, order: Order, plan: Plan) -> None:
        files = act_files(order.act)
        shared = files.shared()
        self.start = digest(
            _playing(), self._closure_digests(shared), _words(order),
            order.language, order.theme, dict(plan.params), dict(plan.title))
        self._beats = [[self.start, *self._beat(order, beat, files, shared)]
                       for beat in plan.beats]
        self._format = [order.language, order.size, order.fps]

    def _beat(self, order: Order, beat: PlannedBeat, files: ActFiles,
              shared: frozenset[Path]) -> list[Any]:
        """What decides a beat's pictures besides `start` and the snapshot before it."""
        source = files.beat_source(beat.name)
        return [source, self._closure_digests(files.of_beat(beat.name) - shared),
                trace_digest(beat.source.trace) if beat.source.trace else "",
                _without(beat, "start", "lines"),
                [_without(line, "start", "text") for line in beat.lines],
                _recalled(order, beat, source)]

    @staticmethod
    def _closure_digests(paths: frozenset[Path]) -> list[Any]:
        code = [(path.relative_to(ROOT).as_posix(), source_digest(path))
                for path in sorted(paths)]
        return [code, [(name, trace_digest(name)) for name in sorted(traces_named(paths))]]

    @property
    def sources(self) -> str:
        """Digest of everything that is keyed: differs when a file was changed meanwhile."""
        return digest(self._beats, _coding())

    def transition(self, index: int, snapshot: str) -> str:
        """Key of the way from the snapshot at a beat's start to the one at its end."""
        return digest("transition", snapshot, self._beats[index])

    def segment(self, index: int, snapshot: str) -> str:
        """Key of a beat's segment, given the hash of the snapshot at its start."""
        return digest("segment", snapshot, self._beats[index], self._format, _coding())
