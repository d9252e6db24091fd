"""Finished segments on disk, found by key. Entries appear by rename: whole or not at all."""

import contextlib
import errno
import json
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from studio.render.keys import file_digest

__all__ = ["Segment", "Store", "disk_full", "settle", "swap"]

LIMIT = 8 << 30  # bytes of finished segments and states kept


def disk_full(error: BaseException) -> bool:
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Segment:
    """One finished beat: `film.mp4`, `first.png`, `last.png` in `folder`.

    The act's first beat has `middle.png` too: the poster.
    """

    folder: Path
    frames: int

    @property
    def film(self) -> Path:
        return self.folder / "film.mp4"


class Store:
    """`root/segments/<key>/` holds finished segments, `root/tmp-<pid>-…` unfinished work."""

    def __init__(self, root: Path):
        self.root = Path(root)
        self._segments = self.root / "segments"
        self.voice = self.root / "voice"  # spoken lines, kept by `studio.voice.lines`

    def scratch(self) -> Path:
        """A fresh folder on the same disk; those of dead processes are removed first."""
        self.root.mkdir(parents=True, exist_ok=True)
        for old in self.root.glob("tmp-*"):
            if not _alive(old.name.split("-")[1]):
                shutil.rmtree(old, ignore_errors=True)
        return Path(tempfile.mkdtemp(prefix=f"tmp-{os.getpid()}-", dir=self.root))

    def get(self, key: str) -> Segment | None:
        """The finished segment, or None; a damaged one is removed and counts as missing."""
        folder = self._segments / key
        try:
            entry = json.loads((folder / "entry.json").read_text())
            whole = all(file_digest(folder / name) == value
                        for name, value in entry["sha256"].items())
            if whole:
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
        settle(folder)
        self._segments.mkdir(parents=True, exist_ok=True)
        try:
            os.rename(folder, self._segments / key)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                raise
            shutil.rmtree(folder)

    def entries(self) -> list[tuple[float, int, Path]]:
        """(last use, bytes, path) of every finished segment, kept state and spoken line,
        oldest first."""
        found = []
        for path in [*self._segments.glob("*"), *(self.root / "states").glob("*"),
                     *self.voice.glob("*")]:
            with contextlib.suppress(OSError):
                inside = path.iterdir() if path.is_dir() else [path]
                found.append((path.stat().st_mtime, sum(p.stat().st_size for p in inside), path))
        return sorted(found)

    def prune(self, limit: int = LIMIT, keep=frozenset()) -> int:
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


def _alive(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        pass
    return True


def settle(folder: Path) -> None:
    """Force a folder's files to the disk, so that a rename never precedes their contents."""
    for path in [*folder.rglob("*"), folder]:
        with contextlib.suppress(PermissionError):  # folders cannot be opened on Windows
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def swap(new: Path, final: Path) -> None:
    """Put folder `new` in the place of `final`; at every instant one whole folder is there."""
    while True:
        try:
            os.rename(new, final)  # works when there is none
            return
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
        if _exchange(new, final):
            shutil.rmtree(new, ignore_errors=True)
            return
        old = new.with_name(new.name + ".old")
        with contextlib.suppress(FileNotFoundError):
            os.rename(final, old)
        os.rename(new, final)
        shutil.rmtree(old, ignore_errors=True)
        return


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step where the system can (Linux renameat2, macOS renamex_np)."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    if hasattr(libc, "renameat2"):
        here = -100  # AT_FDCWD
        return libc.renameat2(here, names[0], here, names[1], 2) == 0
    if hasattr(libc, "renamex_np"):
        return libc.renamex_np(*names, 2) == 0
    return False
