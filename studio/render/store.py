"""Finished segments on disk, found by key. Entries appear by rename: whole or not at all."""

import contextlib
import errno
import json
import os
import shutil
import tempfile
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

import psutil

from studio.render.files import fsync_tree
from studio.render.sources import file_digest

__all__ = ["Segment", "Store"]

LIMIT = 8 << 30  # bytes of finished segments and snapshots kept


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
    """`root/segments/<key>/` holds finished segments, `root/tmp-<pid>-…` unfinished work."""

    def __init__(self, root: Path) -> None:
        self.root = Path(root)
        self._segments = self.root / "segments"

    @classmethod
    def beside(cls, out: Path) -> "Store":
        """The store of a folder of results."""
        return cls(out / ".studio")

    @property
    def proofs(self) -> Path:
        """Where proofs of traces are kept."""
        return self.root / "proofs"

    @property
    def voice(self) -> Path:
        """Where spoken lines and tracks are kept."""
        return self.root / "voice"

    def new_scratch_folder(self) -> Path:
        """A fresh folder on the same disk; those of dead processes are removed first."""
        self.root.mkdir(parents=True, exist_ok=True)
        for old in self.root.glob("tmp-*"):
            pid = old.name.split("-")[1]
            if not (pid.isdecimal() and psutil.pid_exists(int(pid))):
                shutil.rmtree(old, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f"tmp-{os.getpid()}-", dir=self.root))

    def get(self, key: str) -> Segment | None:
        """The finished segment, or None; a damaged one is removed and counts as missing."""
        folder = self._segments / key
        try:
            entry = json.loads((folder / "entry.json").read_text())
            if all(file_digest(folder / name) == value
                   for name, value in entry["sha256"].items()):
                os.utime(folder)
                return Segment(folder, entry["frames"])
        except (OSError, ValueError, KeyError):
            pass
        shutil.rmtree(folder, ignore_errors=True)
        return None

    def put(self, key: str, folder: Path, frames: int) -> None:
        """Take over a scratch folder as the segment `key`; the first of two equal ones stays."""
        files = {path.name: file_digest(path) for path in sorted(folder.iterdir())}
        (folder / "entry.json").write_text(json.dumps({"frames": frames, "sha256": files}))
        fsync_tree(folder)
        self._segments.mkdir(parents=True, exist_ok=True)
        try:
            os.rename(folder, self._segments / key)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            shutil.rmtree(folder)

    def entries(self) -> list[tuple[float, int, Path]]:
        """(last use, bytes, path) of every segment, snapshot and spoken line, oldest first."""
        found = []
        for path in [*self._segments.glob("*"), *(self.root / "snapshots").glob("*"),
                     *self.voice.glob("*")]:
            with contextlib.suppress(OSError):
                inside = path.iterdir() if path.is_dir() else [path]
                found.append((path.stat().st_mtime, sum(p.stat().st_size for p in inside), path))
        return sorted(found)

    def prune(self, limit: int = LIMIT, keep: Container[str] = ()) -> int:
        """Remove what was longest not used until `limit` bytes are left; bytes freed."""
        entries = self.entries()
        total, freed = sum(size for _, size, _ in entries), 0
        for _, size, path in entries:
            if total - freed <= limit:
                break
            if path.name not in keep:
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)
                freed += size
        return freed

    def clear(self) -> int:
        """Remove everything; bytes freed."""
        freed = sum(path.stat().st_size for path in self.root.rglob("*") if path.is_file())
        shutil.rmtree(self.root, ignore_errors=True)
        return freed
