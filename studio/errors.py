"""What can go wrong in the studio, and one line on each of it for the command line."""

import errno
import os
import traceback
from pathlib import Path

__all__ = ["NO_SPACE", "RenderError", "SourceChangedError", "StreamError", "StudioError",
           "UsageError", "is_disk_full", "one_line"]

NO_SPACE = "no space left on the disk; make room and run again to resume"


class StudioError(RuntimeError):
    """A render, a check or an export failed; the message is one line."""


class RenderError(StudioError):
    """Something could not be rendered, found or written."""


class StreamError(StudioError):
    """A coded stream is not what the plan says."""


class SourceChangedError(StudioError):
    """The act's files are no longer those that were planned."""


class UsageError(ValueError):
    """A wrong name or value on the command line; the message names the valid ones."""


def is_disk_full(error: BaseException) -> bool:
    """Whether an error is that of a full disk, a quota or a limit on the size of files."""
    return getattr(error, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def one_line(error: Exception, beat: str = "") -> str:
    """One line on any exception, with the beat and the place in the scenes where it was raised."""
    where = f"beat {beat}: " if beat else ""
    if is_disk_full(error):
        return where + NO_SPACE
    text = " ".join(str(error).split())
    if isinstance(error, SourceChangedError):
        return text
    in_scenes = [frame for frame in traceback.extract_tb(error.__traceback__)
                 if f"{os.sep}scenes{os.sep}" in frame.filename]
    place = f" ({Path(in_scenes[-1].filename).name}:{in_scenes[-1].lineno})" if in_scenes else ""
    return f"{where}{type(error).__name__}: {text}{place}"
