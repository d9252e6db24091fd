"""Running the bundled ffmpeg: with progress, one line on failure, and a count of what it made."""

import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import av
import imageio_ffmpeg

from studio.errors import NO_SPACE, RenderError
from studio.leash import leashed
from studio.render.files import publish
from studio.render.pool import Report

__all__ = ["publish_video", "run_ffmpeg"]

_FULL = ("No space left", "Disk quota exceeded", "File too large")


def run_ffmpeg(stream: Any, folder: Path, frames: int, report: Report, name: str,
               feed: Callable[[IO[bytes]], None] | None = None) -> None:
    """Run ffmpeg-python's `stream` in `folder`; `feed(pipe)` writes its input.

    `name` is that of the result, for messages. Raises RenderError with ffmpeg's last line.
    """
    command = stream.compile(cmd=imageio_ffmpeg.get_ffmpeg_exe(), overwrite_output=True)
    command[1:1] = ["-hide_banner", "-loglevel", "error", "-progress", "pipe:1"]
    with leashed(command, cwd=folder, stderr=subprocess.PIPE,
                 stdout=subprocess.DEVNULL if feed else subprocess.PIPE,
                 stdin=subprocess.PIPE if feed else subprocess.DEVNULL) as process:
        errors = _Listener(process.stderr)
        try:
            if feed and process.stdin:
                feed(process.stdin)
                process.stdin.close()
            for line in process.stdout or ():
                if line.startswith(b"frame="):
                    report(min(frames, int(line[6:])), frames, name)
        except BrokenPipeError:  # it has ended: its code says why
            if process.stdin:
                with suppress(BrokenPipeError):
                    process.stdin.close()
        code = process.wait()
    if code:
        raise RenderError(f"{name}: ffmpeg: {_reason(errors.text(), code)}")


class _Listener(threading.Thread):
    """Reads what ffmpeg complains of, so that it never waits for a reader; not from a file, as a
    full disk would keep none.
    """

    def __init__(self, pipe: IO[bytes] | None) -> None:
        super().__init__(daemon=True)
        self._pipe, self._said = pipe, b""
        self.start()

    def run(self) -> None:
        for line in self._pipe or ():
            self._said = (self._said + line)[-4000:]

    def text(self) -> str:
        """All of it, when ffmpeg has ended."""
        self.join()
        return self._said.decode(errors="replace")


def _reason(text: str, code: int) -> str:
    if any(word in text for word in _FULL) or code == 128 + signal.SIGXFSZ:
        return NO_SPACE
    lines = text.strip().splitlines()
    return lines[-1] if lines else f"ended with code {code} without a message"


def publish_video(made: Path, final: Path, frames: int) -> Path:
    """Decode what was made; put it in the place of `final` if it holds `frames` frames."""
    with av.open(f"file:{made}") as file:
        file.streams.video[0].thread_type = "AUTO"
        count = sum(1 for _ in file.decode(video=0))
    if count != frames:
        raise RenderError(f"{final.name}: {count} frames, {frames} expected")
    return publish(made, final)
