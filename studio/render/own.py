"""What was made here and may be replaced: everything else in its place is somebody's.

A folder of ours holds a list of its files with their digests (`manifest.json` and its like); of a
single file the last digests stand in `.made/` beside it.
"""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from studio.errors import UsageError
from studio.render.sources import file_digest

__all__ = ["list_files", "note", "require_own", "write_list"]

_LEDGER = ".made"
_LISTS = ("manifest.json", "deck.json", "site.json")  # what a folder of ours holds, one of them
_OF_THE_SYSTEM = frozenset((".DS_Store", "Thumbs.db", "desktop.ini"))
_REMEDY = "move it away, or use another --out"


def list_files(folder: Path) -> dict[str, str]:
    """Relative path -> SHA-256 of every file in a folder."""
    return {path.relative_to(folder).as_posix(): file_digest(path)
            for path in sorted(folder.rglob("*")) if path.is_file()}


def write_list(folder: Path, name: str) -> None:
    """Mark a finished folder as ours: write the list of its files to `name` in it."""
    text = json.dumps({"files": list_files(folder)}, indent=1, ensure_ascii=False)
    (folder / name).write_text(text + "\n", encoding="utf-8")


def require_own(final: Path) -> None:
    """Raise UsageError, naming it, where something stands in the place of a result that was not
    made here, or was edited since.
    """
    if final.is_symlink() or (final.exists() and not (final.is_dir() or final.is_file())):
        raise UsageError(f"{final} was not made here; {_REMEDY}")
    if final.is_dir():
        for fault in _foreign(final):
            raise UsageError(f"{fault}; {_REMEDY}")
    elif final.exists():
        known = _noted(final)
        if file_digest(final) not in known:
            what = "was edited since it was made" if known else "was not made here"
            raise UsageError(f"{final} {what}; {_REMEDY}")


def note(new: Path, final: Path) -> None:
    """Note that `new` is about to be put in the place of `final`: what stood there may stay."""
    place = final.parent / _LEDGER / final.name
    place.parent.mkdir(exist_ok=True)
    text = "\n".join([*_noted(final)[-1:], file_digest(new)])
    with tempfile.NamedTemporaryFile("w", dir=place.parent, delete=False) as file:
        file.write(text)
    os.replace(file.name, place)


def _noted(final: Path) -> list[str]:
    with suppress(OSError, ValueError):
        return (final.parent / _LEDGER / final.name).read_text(encoding="ascii").split()
    return []


def _foreign(folder: Path) -> Iterator[str]:
    """What in a folder is not of ours, one line each; links are never."""
    files = None
    for name in _LISTS:
        with suppress(OSError, ValueError, KeyError, TypeError):
            files = {**json.loads((folder / name).read_text(encoding="utf-8"))["files"], name: ""}
            break
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.name in _OF_THE_SYSTEM or (path.is_dir() and not path.is_symlink()):
            continue
        if files is None or name not in files or not path.is_file() or path.is_symlink():
            yield f"{path} was not made here"
        elif files[name] and file_digest(path) != files[name]:
            yield f"{path} was changed since it was made"
