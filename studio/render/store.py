"""Finished segments on disk, bound to their keys. Entries appear by rename: whole or not at all."""

import contextlib
import errno
import json
import os
import shutil
import tempfile
from collections.abc import Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from studio.errors import RenderError
from studio.render import sealed
from studio.render.files import fsync_tree
from studio.render.lease import LOCK, alone, shared
from studio.render.sources import file_digest

__all__ = ["LIMIT", "Segment", "Store"]

LIMIT = 8 << 30  # bytes of finished segments and snapshots kept
_ENTRY = "entry.json"  # of a segment: its files' digests, sealed with its key
_PARTS = frozenset(("film.mp4", "first.png", "last.png"))


@dataclass(frozen=True)
class Segment:
    """One finished beat: `film.mp4`, `first.png`, `last.png` in `folder`.

    The act's first beat has `middle.png` too: the poster.
    """

    folder: Path
    frames: int

    @property
    def film(self) -> Path:
        """Its coded pictures."""
        return self.folder / "film.mp4"


class Store:
    """`root/segments/<key>/` holds finished segments, `root/tmp-…` unfinished work."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self._segments = self.root / "segments"

    @classmethod
    def beside(cls, out: Path) -> "Store":
        """The store of a folder of results: another user of the folder has one of their own.

        What is kept holds pickles, which only their own author may open.
        """
        root = out / ".studio"
        with contextlib.suppress(FileNotFoundError):
            if root.stat().st_uid != os.geteuid():
                return cls(out / f".studio-{os.geteuid()}")
        return cls(root)

    @property
    def proofs(self) -> Path:
        """Where proofs of traces are kept."""
        return self.root / "proofs"

    @property
    def voice(self) -> Path:
        """Where spoken lines and tracks are kept."""
        return self.root / "voice"

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A fresh folder on the same disk, removed at the end; so are those of dead processes."""
        with shared(self.root, self._sweep):
            folder = Path(tempfile.mkdtemp(prefix="tmp-", dir=self.root))
            try:
                yield folder
            finally:
                shutil.rmtree(folder, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what killed processes have left, while nobody else is here."""
        for left in [*self.root.glob("tmp-*"), *self.root.glob("*/.*")]:
            shutil.rmtree(left, ignore_errors=True)
            with contextlib.suppress(OSError):
                left.unlink(missing_ok=True)

    def get(self, key: str) -> Segment | None:
        """The finished segment; None, and what stands there removed, when it is not whole."""
        folder = self._segments / key
        with contextlib.suppress(OSError):
            if data := sealed.read(folder / _ENTRY, f"segment {key}"):
                frames, files = json.loads(data)
                if all(sealed.is_plain_file(folder / name) and file_digest(folder / name) == value
                       for name, value in files.items()):
                    os.utime(folder)
                    return Segment(folder, frames)
        with contextlib.suppress(NotADirectoryError):
            sealed.discard(folder)
        return None

    def put(self, key: str, folder: Path, frames: int) -> None:
        """Take over a scratch folder as the segment `key`; the first of two equal ones stays."""
        files = {path.name: file_digest(path) for path in sorted(folder.iterdir())}
        if missing := _PARTS - {*files}:
            raise RenderError(f"segment {key}: {', '.join(sorted(missing))} was not drawn")
        sealed.write(folder / _ENTRY, f"segment {key}", json.dumps([frames, files]).encode())
        fsync_tree(folder)
        sealed.make_folder(self._segments)
        try:
            os.rename(folder, self._segments / key)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
            if self.get(key):  # else it is gone now
                shutil.rmtree(folder)
            else:
                os.rename(folder, self._segments / key)

    def entries(self) -> list[tuple[float, int, Path]]:
        """(last use, bytes, path) of every segment, snapshot and spoken line, oldest first."""
        found = []
        for path in [*self._segments.glob("*"), *(self.root / "snapshots").glob("*"),
                     *self.voice.glob("*")]:
            with contextlib.suppress(OSError):
                found.append((path.stat().st_mtime, _bytes_below(path), path))
        return sorted(found)

    def prune(self, limit: int = LIMIT, keep: Container[str] = ()) -> int:
        """Remove what was longest not used until `limit` bytes are left; bytes freed."""
        entries = self.entries()
        total, freed = sum(size for _, size, _ in entries), 0
        for _, size, path in entries:
            if total - freed <= limit:
                break
            if path.name not in keep:
                freed += size - _removed(path)
        return freed

    def clear(self) -> int:
        """Remove everything; bytes freed. RenderError while a render is at work, or where
        something cannot be removed.
        """
        if not self.root.is_dir():
            return 0
        freed = _bytes_below(self.root)
        with alone(self.root):
            left = sum(_removed(path) for path in self.root.iterdir() if path.name != LOCK)
            if left:
                raise RenderError(f"{self.root}: {left / 1e6:.1f} MB cannot be removed; "
                                  "may you write there?")
            (self.root / LOCK).unlink()
            self.root.rmdir()
        return freed


def _bytes_below(path: Path) -> int:
    inside = path.rglob("*") if path.is_dir() else [path]
    return sum(each.lstat().st_size for each in inside if each.is_file())


def _removed(path: Path) -> int:
    """Remove a file or folder; bytes of what could not be."""
    with contextlib.suppress(OSError):
        sealed.discard(path)
    return _bytes_below(path) if path.exists() else 0
