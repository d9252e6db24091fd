"""One process, one act, some of its beats: draw, encode, check, hand over to the store."""

import os
import traceback
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path

from PIL import Image

from scenes.stage import Plan
from studio.encoder import Encoder
from studio.order import Order
from studio.store import Store, disk_full
from studio.stream import check

__all__ = ["Task", "work"]


@dataclass(frozen=True)
class Task:
    """Beats of one act to draw in one process. `keys`: beat name -> key in the store at `root`."""

    order: Order
    planned: Plan
    names: tuple[str, ...]
    keys: dict[str, str]
    root: Path


class _Recorder:
    """Receives frames, makes a segment of every beat."""

    def __init__(self, task: Task, scratch: Path, say):
        self._task, self._scratch, self._say = task, scratch, say
        self._store = Store(task.root)
        self.beat = ""

    def want(self, beat, start, count):
        self.beat = beat
        return range(start, start + count) if beat in self._task.names else ()

    def take(self, beat, frame, pixels, repeat, boxes):
        fps = self._task.order.fps
        if frame == 0:
            self._folder = self._scratch / beat
            self._folder.mkdir()
            self._encoder = Encoder(self._folder / "film.mp4", self._task.order.size, fps)
        self._encoder.add(pixels, repeat, boxes)
        count = self._task.planned.beat(beat).frames(fps)
        pictures = {"first": 0, "last": count - 1}
        if beat == self._task.planned.beats[0].name:
            pictures["middle"] = count // 2
        for name, wanted in pictures.items():
            if frame <= wanted < frame + repeat:
                picture = Image.fromarray(pixels).convert("RGB")
                picture.save(self._folder / f"{name}.png", compress_level=3)
        self._say("frames", repeat)
        if frame + repeat == count:
            self._encoder.close()
            check(self._folder / "film.mp4", count, fps)
            self._store.put(self._task.keys[beat], self._folder, count)
            self._say("beat", beat)


def work(task: Task, scratch: Path, pipe) -> None:
    """Entry point of a spawned process; sends (kind, value), at the end ("done" | "error", text).

    The caller makes it ignore SIGINT; it ends by itself when its parent is gone.
    """
    from studio.manim022 import draw

    def say(kind, value):
        if not parent_process().is_alive():
            os._exit(1)
        pipe.send((kind, value))

    recorder = _Recorder(task, scratch, say)
    places = [i for i, beat in enumerate(task.planned.beats) if beat.name in task.names]
    try:
        draw(task.order, range(places[0], places[-1] + 1), recorder.take, scratch / "media",
             recorder.want)
        say("done", "")
    except Exception as error:
        say("error", explain(error, recorder.beat))


def explain(error: Exception, beat: str = "") -> str:
    """One line on what went wrong, with the place in the act where it did."""
    where = f"beat {beat}: " if beat else ""
    if disk_full(error):
        return f"{where}no space left on the disk; make room and run again to resume"
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if f"{os.sep}scenes{os.sep}" in f.filename]
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    return f"{where}{type(error).__name__}: {text}{place}"
