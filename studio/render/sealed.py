"""Files bound to what they are kept as: before its contents stands a digest of key and contents.

What is damaged, stands under another's name or is no file at all is thrown away: it is made anew.
"""

import hashlib
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

__all__ = ["discard", "is_plain_file", "make_folder", "read", "write"]

_SEAL_LENGTH = 32  # bytes of SHA-256


def _seal(key: str, data: bytes) -> bytes:
    return hashlib.sha256(b"%d:%b" % (len(key.encode()), key.encode()) + data).digest()


def is_plain_file(path: Path) -> bool:
    """Whether there is a file to read: from a pipe one would wait for ever."""
    with suppress(OSError, ValueError):
        return stat.S_ISREG(path.stat().st_mode)
    return False


def discard(path: Path) -> None:
    """Remove whatever is there: a file, a link, a folder with all in it, nothing."""
    with suppress(FileNotFoundError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def make_folder(folder: Path) -> None:
    """Make a folder of the store; what stands in its place there is thrown away."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        discard(folder)
        folder.mkdir()


def read(path: Path, key: str) -> bytes | None:
    """What was written for `key`; None, and whatever is there removed, when it is not that."""
    with suppress(OSError):
        if is_plain_file(path):
            data = path.read_bytes()
            if data[:_SEAL_LENGTH] == _seal(key, data[_SEAL_LENGTH:]):
                os.utime(path)  # so that what is used is forgotten last
                return data[_SEAL_LENGTH:]
    with suppress(NotADirectoryError):  # the folder is none: `write` mends it
        discard(path)
    return None


def write(path: Path, key: str, data: bytes) -> None:
    """Keep `data` for `key`, whole or not at all, in the place of whatever is there."""
    make_folder(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_seal(key, data) + data)
        if path.is_dir():
            discard(path)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
