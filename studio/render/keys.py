"""Keys by content: what states and segments depend on, and nothing else.

A beat's pictures depend on the state in which the beats before have left the act, on the beat's
source, the act's files outside of beats, kit, stage, lessons, traces and their data, labels,
settings, size, rate and versions. Narration counts only through its lengths: rewording a line
that keeps its length draws nothing; a changed beat that ends as before spares those after it.
"""

import ast
import hashlib
import json
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import scenes
from scenes.stage import Plan
from scenes.stage.words import read_yaml
from studio.render.order import Order

__all__ = ["Keys", "digest", "file_digest", "listing_key", "trace_digests", "versions"]

ROOT = Path(scenes.__file__).parent.parent
_PACKAGES = ("manim", "numpy", "pycairo", "av", "uharfbuzz", "typst", "fontpkg-inter",
             "fontpkg-jetbrains-mono", "manimgx-fonts-cjk")
# of the studio: they decide states and pictures, and the bits
_PLAYING = tuple(f"draw/{name}.py" for name in ("player", "patches", "vmobjects", "states"))
_CODING = ("draw/painter.py", "draw/shapes.py", "draw/paths.py", "stream/encoder.py",
           "stream/h264.py", "stream/hints.py", "stream/mp4.py", "render/worker.py")


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


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(*parts) -> str:
    """A key of plain data."""
    text = json.dumps(parts, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _files(*roots: str):
    for root in roots:
        for path in sorted((ROOT / root).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                yield path


@cache
def _common() -> str:
    paths = [*_files("scenes/kit", "scenes/stage", "scenes/lessons", "traces"),
             *(ROOT / "studio" / name for name in _PLAYING)]
    return digest(versions(), [(str(p.relative_to(ROOT)), file_digest(p)) for p in paths])


@cache
def _coding() -> str:
    return digest([file_digest(ROOT / "studio" / name) for name in _CODING])


def trace_digests(planned: Plan) -> dict[str, str]:
    """Trace id -> SHA-256 over the names and contents of its files."""
    ids = sorted({beat.source.trace for beat in planned.beats} - {""})
    return {name: digest([(p.name, file_digest(p)) for p in _files(f"traces/data/{name}")])
            for name in ids if (ROOT / "traces/data" / name).is_dir()}


@cache
def _sources(act: str) -> tuple[str, dict[str, str]]:
    """The act's files without its beats, and each beat's source by name."""
    rest, beats = [], {}
    for path in sorted((ROOT / "scenes").glob(f"{act}_*.py")):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            marks = [d for d in getattr(node, "decorator_list", [])
                     if isinstance(d, ast.Call) and getattr(d.func, "id", "") == "beat"]
            if marks:
                first = node.decorator_list[0].lineno - 1
                name = node.name.replace("_", "-")
                beats[name] = "\n".join(lines[first:node.end_lineno])
                lines[first:node.end_lineno] = [""] * (node.end_lineno - first)
        rest += [path.name, *(line for line in lines if line.strip())]
    return "\n".join(rest), beats


def _words(order: Order) -> dict:
    path = ROOT / "scenes" / "words" / order.language / f"{order.act}.yaml"
    words = read_yaml(path)
    return {"title": words["title"], "labels": words.get("labels")}


def listing_key(act: str) -> str:
    """Key of what is planned for an act with its defaults."""
    words = [path for path in _files("scenes/words") if path.name == f"{act}.yaml"]
    paths = [*words, *_files("scenes/lexicon"), ROOT / "studio" / "listing.py"]
    return digest(_common(), _sources(act), [(str(p.relative_to(ROOT)), file_digest(p))
                                             for p in paths])


class Keys:
    """Keys of the states between beats, which do not depend on the size, and of segments."""

    def __init__(self, order: Order, planned: Plan):
        rest, self._sources = _sources(order.act)
        self._beats = planned.beats
        self.start = digest(_common(), rest, _words(order), dict(order.settings), order.language,
                            order.theme, dict(planned.params), dict(planned.title))
        self._stream = [order.language, order.size, order.fps]

    @property
    def sources(self) -> str:
        """Digest of everything that is keyed: differs when a file was changed meanwhile."""
        return digest([self._beat(index) for index in range(len(self._beats))], _coding())

    def _beat(self, index: int):
        beat = self._beats[index]
        return [self.start, beat.name, self._sources.get(beat.name), dict(beat.title),
                [line.tenths for line in beat.lines], str(beat.source), beat.anchors, beat.header]

    def turn(self, index: int, state: str) -> str:
        """Key of the way from the state at a beat's start to that at its end."""
        return digest("turn", state, self._beat(index))

    def segment(self, index: int, state: str) -> str:
        """Key of a beat's segment, given the digest of the state at its start."""
        return digest("segment", state, self._beat(index), self._stream, _coding())
