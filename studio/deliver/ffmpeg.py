"""Running the bundled ffmpeg: with progress, one line on failure, and a count of what it made."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import av
import imageio_ffmpeg

from studio.errors import NO_SPACE, RenderError
from studio.render.files import publish
from studio.render.pool import Report

__all__ = ["publish_video", "run_ffmpeg"]


def run_ffmpeg(stream: Any, folder: Path, frames: int, report: Report, name: str,
               feed: Callable[[IO[bytes]], None] | None = None) -> None:
    """Run ffmpeg-python's `stream` in `folder`; `feed(pipe)` writes its input.

    `name` is that of the result, for messages. Raises RenderError with ffmpeg's last line.
    """
    command = stream.compile(cmd=imageio_ffmpeg.get_ffmpeg_exe(), overwrite_output=True)
    command[1:1] = ["-hide_banner", "-loglevel", "error", "-progress", "pipe:1"]
    log_path = folder / "ffmpeg.log"
    with log_path.open("wb") as log, subprocess.Popen(
            command, cwd=folder, stderr=log,
            stdout=subprocess.DEVNULL if feed else subprocess.PIPE,
            stdin=subprocess.PIPE if feed else subprocess.DEVNULL) as process:
        try:
            if feed and process.stdin:
                feed(process.stdin)
                process.stdin.close()
            for line in process.stdout or ():
                if line.startswith(b"frame="):
                    report(min(frames, int(line[6:])), frames, name)
            code = process.wait()
        except BrokenPipeError:
            code = process.wait()
        except BaseException:
            process.kill()
            raise
    if code:
        text = log_path.read_text(errors="replace")
        last_line = (text.strip().splitlines() or ["no message"])[-1]
        raise RenderError(f"{name}: ffmpeg: {NO_SPACE if 'No space left' in text else last_line}")


def publish_video(made: Path, final: Path, frames: int) -> Path:
    """Decode what was made; put it in the place of `final` if it holds `frames` frames."""
    with av.open(str(made)) as file:
        file.streams.video[0].thread_type = "AUTO"
        count = sum(1 for _ in file.decode(video=0))
    if count != frames:
        raise RenderError(f"{final.name}: {count} frames, {frames} expected")
    return publish(made, final)
