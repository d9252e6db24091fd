"""The scratch folder in which results are made, on the disk on which they shall be."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from studio.errors import NO_SPACE, RenderError, is_disk_full
from studio.render.store import Store

__all__ = ["scratch_folder"]


@contextmanager
def scratch_folder(out: Path) -> Iterator[Path]:
    """A folder on the disk of `out`, removed at the end; errors of the disk are one line."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with Store.beside(out).scratch() as scratch:
            yield scratch
    except OSError as error:
        if is_disk_full(error):
            raise RenderError(f"{out}: {NO_SPACE}") from error
        where = error.filename2 or error.filename or out
        raise RenderError(f"{where}: {error.strerror or error}") from error
