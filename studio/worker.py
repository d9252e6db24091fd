"""One process, one act, some of its beats: draw, encode, check, hand over to the store."""

import os
import traceback
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path

from PIL import Image

from scenes.stage import Plan
from studio.encoder import Encoder
from studio.keys import Keys
from studio.order import Order
from studio.store import Store, disk_full
from studio.stream import check

__all__ = ["Bench", "explain", "work"]


class ChangedError(RuntimeError):
    """The act's files are no longer those that the parent planned."""


@dataclass(frozen=True)
class Bench:
    """What a worker needs to know of its act; `root` is that of the store."""

    order: Order
    planned: Plan
    keys: Keys
    root: Path


class _Recorder:
    """Receives the frames of one beat and makes its segment."""

    def __init__(self, bench: Bench, index: int, key: str, folder: Path, say):
        self._bench, self._index, self._key, self._folder = bench, index, key, folder
        self._say, self._count = say, bench.planned.beats[index].frames(bench.order.fps)
        folder.mkdir()
        self._encoder = Encoder(folder / "film.mp4", bench.order.size, bench.order.fps)
        self._pictures = {"first": 0, "last": self._count - 1}
        if not index:
            self._pictures["middle"] = self._count // 2

    def take(self, beat, frame, pixels, repeat, boxes):
        self._encoder.add(pixels, repeat, boxes if frame else None)
        for name, wanted in self._pictures.items():
            if frame <= wanted < frame + repeat:
                picture = Image.fromarray(pixels).convert("RGB")
                picture.save(self._folder / f"{name}.png", compress_level=3)
        self._say("frames", repeat)

    def finish(self):
        self._encoder.close()
        check(self._folder / "film.mp4", self._count, self._bench.order.fps, again=False)
        Store(self._bench.root).put(self._key, self._folder, self._count)


def work(bench: Bench, scratch: Path, pipe) -> None:
    """Entry point of a worker. It is told ("scout", beat) or ("draw", beat, key) or None: end.

    It says ("state", beat) when a state became known, ("frames", count), ("beat", beat) when a
    segment is in the store, ("idle", beat) when it waits, ("error", text) when it failed. The
    caller makes it ignore Ctrl-C; it ends by itself when its parent is gone.
    """
    from studio.drawing import every
    from studio.manim022 import Player
    from studio.states import States

    def say(kind, value):
        if not parent_process().is_alive():
            os._exit(1)
        pipe.send((kind, value))

    name = ""
    try:
        player = Player(bench.order, scratch / "media")
        # after the act was loaded: what is drawn must be what the keys were made of
        if Keys(bench.order, bench.order.planned()).sources != bench.keys.sources:
            raise ChangedError("its files were changed while rendering; run again")
        states = States(bench.root, bench.keys)
        while (told := pipe.recv()) is not None:
            what, index, *key = told
            name = bench.planned.beats[index].name
            if what == "scout":
                for _ in states.reach(player, index):
                    say("state", index)
            else:
                recorder = _Recorder(bench, index, *key, scratch / name, say)
                states.draw(player, index, every, recorder.take)
                recorder.finish()
                say("beat", index)
            say("idle", index)
    except EOFError:
        os._exit(1)
    except Exception as error:
        say("error", explain(error, name))


def explain(error: Exception, beat: str = "") -> str:
    """One line on what went wrong, with the place in the act where it did."""
    where = f"beat {beat}: " if beat else ""
    if disk_full(error):
        return f"{where}no space left on the disk; make room and run again to resume"
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if f"{os.sep}scenes{os.sep}" in f.filename]
    place = f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""
    text = " ".join(str(error).split())
    if isinstance(error, ChangedError):
        return text
    return f"{where}{type(error).__name__}: {text}{place}"
