"""Who works in a folder: a lock that the system takes back when a process ends, however it ends.

So it holds between containers, in which process ids mean nothing, and between machines.
"""

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.errors import RenderError
from studio.render.sealed import discard

__all__ = ["LOCK", "alone", "shared"]

LOCK = "in-use"
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)  # a disk that knows none: nobody is sure


@contextmanager
def shared(folder: Path, on_alone: Callable[[], None]) -> Iterator[None]:
    """Work in a folder, made if need be, beside others; `on_alone` runs first if there are none.

    The folder is removed at the end when only the lock is in it.
    """
    handle = _take_share(folder, on_alone)
    try:
        yield
    finally:
        with suppress(OSError):
            if _lock(handle, fcntl.LOCK_EX) and [path.name for path in folder.iterdir()] == [LOCK]:
                (folder / LOCK).unlink()
                folder.rmdir()
        os.close(handle)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Work in a folder as the only one; RenderError while somebody else does."""
    handle = _open(folder)
    try:
        if not _lock(handle, fcntl.LOCK_EX):
            raise RenderError(f"{folder}: a render is at work there; try again when it is done")
        yield
    finally:
        os.close(handle)


def _take_share(folder: Path, on_alone: Callable[[], None]) -> int:
    while True:
        handle = _open(folder)
        if _lock(handle, fcntl.LOCK_EX) and _is_still_there(handle, folder):
            on_alone()
        _lock(handle, fcntl.LOCK_SH, wait=True)
        if _is_still_there(handle, folder):
            return handle
        os.close(handle)  # somebody removed the folder meanwhile


def _open(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    if (folder / LOCK).is_dir():
        discard(folder / LOCK)
    return os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)


def _lock(handle: int, kind: int, wait: bool = False) -> bool:
    """Whether the lock was taken. A disk without locks gives shares to all, and alone to none."""
    try:
        fcntl.flock(handle, kind if wait else kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise
        return False
    return True


def _is_still_there(handle: int, folder: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), (folder / LOCK).stat())
    except FileNotFoundError:
        return False
