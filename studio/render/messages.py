"""What the pool and its workers tell each other."""

from dataclasses import dataclass
from pathlib import Path

__all__ = ["DrawRun", "Failed", "FastForward", "FramesDrawn", "Idle", "Message", "RunFinished",
           "SnapshotKnown", "Task"]


@dataclass(frozen=True)
class FastForward:
    """Play up to the start of a beat without drawing, so that all snapshots become known."""

    beat: int


@dataclass(frozen=True)
class DrawRun:
    """Draw and encode a run of a beat's frames."""

    beat: int
    frames: range


@dataclass(frozen=True)
class SnapshotKnown:
    """A snapshot was added to those that are known."""


@dataclass(frozen=True)
class FramesDrawn:
    """So many frames were drawn since the last message."""

    count: int


@dataclass(frozen=True)
class RunFinished:
    """The run is encoded and checked: `film.mp4` and pictures lie in a scratch folder."""

    folder: Path


@dataclass(frozen=True)
class Idle:
    """The task is done; the worker waits for the next one."""


@dataclass(frozen=True)
class Failed:
    """The worker ends; the text is one line."""

    text: str


Task = FastForward | DrawRun
Message = SnapshotKnown | FramesDrawn | RunFinished | Idle | Failed
