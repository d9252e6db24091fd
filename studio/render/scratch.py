"""The scratch folder in which results are made, on the disk on which they shall be."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.errors import NO_SPACE, RenderError, is_disk_full
from studio.render.store import Store

__all__ = ["scratch_folder"]


@contextmanager
def scratch_folder(out: Path) -> Iterator[Path]:
    """A folder on the disk of `out`, removed at the end; errors of the disk are one line."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        scratch = Store.beside(out).new_scratch_folder()
    except OSError as error:
        raise RenderError(f"{out}: {error.strerror}") from error
    try:
        yield scratch
    except OSError as error:
        if is_disk_full(error):
            raise RenderError(f"{out}: {NO_SPACE}") from error
        raise RenderError(str(error)) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        with suppress(OSError):
            scratch.parent.rmdir()  # when nothing is kept there
