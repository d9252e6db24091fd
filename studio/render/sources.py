"""What of the repository decides an act's pictures: source files, beats, traces."""

import ast
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import scenes
from scenes.stage import load_act
from studio.render.closure import ImportGraph

__all__ = ["ROOT", "ActFiles", "act_files", "digest", "file_digest", "files_below",
           "module_digest", "source_digest", "trace_digest", "traces_named"]

ROOT = Path(str(scenes.__file__)).parents[1]
TRACES = ROOT / "traces" / "data"
_LEAST_TRACE_NAME = 4  # characters of a string that may be the beginning of a trace's name
_graph = ImportGraph(ROOT)


@dataclass(frozen=True)
class ActFiles:
    """How an act's files are laid out; this class and `act_files` alone know it."""

    entry: Path  # the module that defines the act
    sections: frozenset[Path]  # modules of beats that the entry imports only to list them
    modules: Mapping[str, Path]  # beat name -> the module in which it is defined

    def shared(self) -> frozenset[Path]:
        """Files that may matter to every beat: the entry's import closure without sections."""
        return _graph.closure(self.entry, self.sections | _stage())

    def of_beat(self, name: str) -> frozenset[Path]:
        """Files that may matter to a beat: the import closure of its module.

        The stage is left out of both: it counts for every beat.
        """
        return _graph.closure(self.modules[name], _stage())

    def beat_source(self, name: str) -> str | None:
        """The source of a beat's function, its decorators included."""
        for path in (self.modules[name], *sorted(self.shared())):
            if name in _split(path)[1]:
                return _split(path)[1][name]
        return None


def act_files(act: str) -> ActFiles:
    """The files of an act such as "act04"."""
    lecture = load_act(act)
    sections = frozenset(Path(str(section.__file__)) for section in lecture.sections)
    modules = {name: Path(str(sys.modules[mark.module].__file__))
               for name, mark in lecture.beats.items()}
    return ActFiles(lecture.folder / "__init__.py", sections, modules)


def digest(*parts: Any) -> str:
    """32 hex digits over plain data."""
    text = json.dumps(parts, sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def file_digest(path: Path) -> str:
    """SHA-256 of a file's contents."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def files_below(*folders: str) -> Iterator[Path]:
    """All files in folders of the repository, without what Python compiled."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                yield path


def _is_beat(node: ast.AST) -> bool:
    calls = [mark.func if isinstance(mark, ast.Call) else mark
             for mark in getattr(node, "decorator_list", [])]
    return any(isinstance(function, ast.Name) and function.id == "beat" for function in calls)


@cache
def _stage() -> frozenset[Path]:
    return frozenset(files_below("scenes/stage"))


@cache
def _split(path: Path) -> tuple[str, dict[str, str]]:
    """A module's source without its beats and blank lines; the beats' source by name."""
    text = path.read_text(encoding="utf-8")
    lines, beats = text.splitlines(), {}
    if "@beat" not in text:
        return text, {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and _is_beat(node):
            first, last = node.decorator_list[0].lineno - 1, node.end_lineno or node.lineno
            beats[node.name.replace("_", "-")] = "\n".join(lines[first:last])
            lines[first:last] = [""] * (last - first)
    return "\n".join(line for line in lines if line.strip()), beats


@cache
def source_digest(path: Path) -> str:
    """Digest of a module without its beats, which count only where they are drawn."""
    return digest(_split(path)[0])


@cache
def module_digest(module: str) -> str:
    """Digest of the closure of a module of the scenes, "" for one from elsewhere.

    What `content_hash` asks of classes and functions in a snapshot: a beat may use what an earlier
    one has left without importing its class.
    """
    if not module.startswith("scenes."):
        return ""
    path = Path(str(sys.modules[module].__file__))
    return digest(sorted(map(source_digest, _graph.closure(path))))


def traces_named(paths: Iterable[Path]) -> set[str]:
    """Traces whose names, or beginnings of them, are written in these modules of the scenes."""
    names = [path.name for path in TRACES.iterdir()] if TRACES.is_dir() else []
    strings = {text for path in paths if path.is_relative_to(ROOT / "scenes")
               for text in _graph.strings(path) if len(text) >= _LEAST_TRACE_NAME}
    return {name for name in names if any(name.startswith(text) for text in strings)}


@cache
def trace_digest(name: str) -> str:
    """Digest over the names and contents of a trace's files, "" where there is none."""
    if not (TRACES / name).is_dir():
        return ""
    return digest([(path.name, file_digest(path)) for path in files_below(f"traces/data/{name}")])
