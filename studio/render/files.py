"""Files and folders that appear whole or not at all."""

import contextlib
import ctypes
import errno
import os
import shutil
from pathlib import Path

from studio.render.own import note, require_own

__all__ = ["fsync_tree", "publish", "replace_folder"]

_AT_FDCWD, _EXCHANGE = -100, 2  # of renameat2 and renamex_np


def fsync_tree(folder: Path) -> None:
    """Force a folder's files to the disk, so that a rename never precedes their contents."""
    for path in [*folder.rglob("*"), folder]:
        with contextlib.suppress(PermissionError):  # folders cannot be opened on Windows
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def publish(new: Path, final: Path) -> Path:
    """Put a finished file or folder in the place of `final`, on the same disk; `final`.

    Raises UsageError where somebody else's file or folder stands there.
    """
    require_own(final)
    fsync_tree(new)
    if new.is_dir():
        replace_folder(new, final)
    else:
        note(new, final)
        os.replace(new, final)
    return final


def replace_folder(new: Path, final: Path) -> None:
    """Put folder `new` in the place of `final`; at every instant one whole folder is there."""
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


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step where the system can (Linux renameat2, macOS renamex_np)."""
    libc = ctypes.CDLL(None, use_errno=True)
    names = os.fsencode(one), os.fsencode(other)
    if hasattr(libc, "renameat2"):
        return bool(libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _EXCHANGE) == 0)
    if hasattr(libc, "renamex_np"):
        return bool(libc.renamex_np(*names, _EXCHANGE) == 0)
    return False
