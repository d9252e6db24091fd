"""One process, one act, some frames of its beats: draw, encode, check."""

import os
import time
from collections.abc import Callable
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
from PIL import Image

from studio.draw.renderer import ChangedBoxes
from studio.errors import SourceChangedError, one_line
from studio.render.messages import (
    DrawRun,
    Failed,
    FastForward,
    FramesDrawn,
    Idle,
    Message,
    RunFinished,
    SnapshotKnown,
)
from studio.render.plan import RenderPlan
from studio.render.snapshots import Snapshots
from studio.stream.check import check
from studio.stream.encoder import Encoder

__all__ = ["RunRecorder", "work"]

PROGRESS_INTERVAL = 0.1  # seconds between two messages about frames


class RunRecorder:
    """Receives a run of one beat's frames and makes a film and pictures of them in `folder`."""

    def __init__(self, plan: RenderPlan, task: DrawRun, folder: Path,
                 send: Callable[[Message], None]) -> None:
        self._frames, self._folder, self._fps = task.frames, folder, plan.order.fps
        self._send, self._unreported, self._reported_at = send, 0, time.monotonic()
        folder.mkdir()
        self._encoder = Encoder(folder / "film.mp4", plan.order.size, self._fps)
        count = plan.frames(task.beat)
        self.stop = task.frames.stop if task.frames.stop < count else None  # see Player.play
        self._pictures = {"first": 0, "last": count - 1}
        if not task.beat:
            self._pictures["middle"] = count // 2

    def select(self, beat: str, start: int, count: int) -> range:
        """The frames of a movement that are to be drawn."""
        return range(max(start, self._frames.start), min(start + count, self._frames.stop))

    def on_picture(self, beat: str, frame: int, pixels: np.ndarray, repeat: int,
                   boxes: ChangedBoxes) -> None:
        """Encode a picture, and save it when it is one of the beat's stills."""
        self._encoder.add(pixels, repeat, boxes)
        for name, wanted in self._pictures.items():
            if frame <= wanted < frame + repeat:
                picture = Image.fromarray(pixels).convert("RGB")
                picture.save(self._folder / f"{name}.png", compress_level=3)
        self._unreported += repeat
        if time.monotonic() - self._reported_at > PROGRESS_INTERVAL:
            self._report()

    def _report(self) -> None:
        self._send(FramesDrawn(self._unreported))
        self._unreported, self._reported_at = 0, time.monotonic()

    def finish(self) -> None:
        """Close the film and check it."""
        self._report()
        self._encoder.close()
        check(self._folder / "film.mp4", len(self._frames), self._fps, decode_copies=False)


def work(plan: RenderPlan, store_root: Path, scratch: Path,
         pipe: "Connection[Message, DrawRun | FastForward | None]") -> None:
    """Entry point of a worker: does the tasks that it receives until it receives None.

    The caller makes it ignore Ctrl-C; it ends by itself when its parent is gone.
    """
    def send(message: Message) -> None:
        parent = parent_process()
        if parent is not None and not parent.is_alive():
            os._exit(1)
        pipe.send(message)

    name = ""
    try:
        from studio.draw.player import Player

        player = Player(plan.order, scratch / "media")
        # after the act was loaded: what is drawn must be what the keys were made of
        if RenderPlan.of(plan.order).keys.sources != plan.keys.sources:
            raise SourceChangedError("its files were changed while rendering; run again")
        snapshots = Snapshots(store_root, plan.keys)
        while (task := pipe.recv()) is not None:
            name = plan.plan.beats[task.beat].name
            if isinstance(task, FastForward):
                for _ in snapshots.reach(player, task.beat):
                    send(SnapshotKnown())
            else:
                folder = scratch / f"{name}-{task.frames.start}"
                recorder = RunRecorder(plan, task, folder, send)
                snapshots.draw(player, task.beat, recorder.select, recorder.on_picture,
                               recorder.stop)
                recorder.finish()
                send(RunFinished(folder))
            send(Idle())
    except EOFError:
        os._exit(1)
    except Exception as error:
        send(Failed(one_line(error, name)))
