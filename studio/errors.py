"""What can go wrong in the studio, and one line on each of it for the command line."""

import errno
import traceback
from pathlib import Path

__all__ = ["NO_SPACE", "RenderError", "SourceChangedError", "StreamError", "StudioError",
           "UsageError", "is_disk_full", "one_line", "place_of"]

_ROOT = Path(__file__).parents[1]
# of the scenes, which know nothing of the studio: their messages say what to do, too
_COMPLETE = ("CueError", "FontError", "OverspentError", "SpeechError", "TitleError",
             "WordsError")
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


def one_line(error: BaseException, beat: str = "") -> str:
    """One line on any exception: the author's file and line, the beat, what is wrong, what to do.

    A StudioError's message is complete; of others the kind is told, and how to learn more.
    """
    text = " ".join(str(error).split())
    where = f"beat {beat}: " if beat and f"beat {beat}" not in text else ""
    if is_disk_full(error):
        return where + NO_SPACE
    if isinstance(error, SourceChangedError):
        return text
    if isinstance(error, MemoryError):
        return f"{where}not enough memory; use fewer --jobs or a smaller --quality"
    if isinstance(error, StudioError) or type(error).__name__ in _COMPLETE:
        return f"{_place(error, acts_only=True)}{where}{text}"
    if isinstance(error, SyntaxError):
        file = place_of(Path(error.filename), error.lineno) if error.filename else ""
        return f"{file}{where}{error.msg}"
    return f"{_place(error)}{where}{type(error).__name__}: {text} [STUDIO_TRACEBACK=1 shows more]"


def place_of(path: Path, line: int | None) -> str:
    """"scenes/act04_scheduler/budget.py:31: ", from the repository's root where it lies there."""
    path = path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path
    return f"{path.as_posix()}:{line}: " if line else f"{path.as_posix()}: "


def _place(error: BaseException, acts_only: bool = False) -> str:
    """The line of the author's act that led there, else the last one of the scenes."""
    frames = [(Path(frame.filename), frame.lineno)
              for frame in traceback.extract_tb(error.__traceback__)]
    inside = [(path, line) for path, line in frames if path.is_relative_to(_ROOT / "scenes")]
    acts = [(path, line) for path, line in inside
            if path.relative_to(_ROOT / "scenes").parts[0].startswith("act")]
    found = acts or ([] if acts_only else inside)
    return place_of(*found[-1]) if found else ""
