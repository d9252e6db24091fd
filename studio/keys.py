"""Keys by content: what a segment's pictures depend on, and nothing else.

A beat's pictures depend on the act file outside of beats, the sources of this beat and of those
before it, kit, stage, lessons, traces and their data, labels, settings, size, rate and versions.
Narration counts only through its lengths: rewording a line that keeps its length draws nothing.
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
from studio.order import Order

__all__ = ["file_digest", "segment_keys", "trace_digests", "versions"]

ROOT = Path(scenes.__file__).parent.parent
_PACKAGES = ("manim", "numpy", "pycairo", "av", "uharfbuzz", "typst", "fontpkg-inter",
             "fontpkg-jetbrains-mono", "manimgx-fonts-cjk")
# of the studio: they decide the bits
_DRAWING = ("manim022.py", "painter.py", "encoder.py", "h264.py", "stream.py", "worker.py")


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
             *(ROOT / "studio" / name for name in _DRAWING)]
    return digest(versions(), [(str(p.relative_to(ROOT)), file_digest(p)) for p in paths])


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
    import yaml
    path = ROOT / "scenes" / "words" / order.language / f"{order.act}.yaml"
    words = yaml.safe_load(path.read_text(encoding="utf-8"))
    return {"title": words["title"], "labels": words.get("labels")}


def segment_keys(order: Order, planned: Plan) -> dict[str, str]:
    """Beat name -> key of its segment."""
    rest, sources = _sources(order.act)
    chain = digest(_common(), rest, _words(order), dict(order.settings), order.size, order.fps,
                   order.language, order.theme, dict(planned.params))
    keys = {}
    for beat in planned.beats:
        chain = digest(chain, beat.name, sources.get(beat.name), beat.title[order.language],
                       [line.tenths for line in beat.lines], str(beat.source), beat.anchors,
                       beat.header)
        keys[beat.name] = chain
    return keys
