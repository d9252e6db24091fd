"""One process, one act, some frames of its beats: draw, encode, check."""

import os
import time
import traceback
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path

from PIL import Image

from scenes.stage import Plan
from studio.render.keys import Keys
from studio.render.order import Order
from studio.render.store import disk_full
from studio.stream.encoder import Encoder
from studio.stream.mp4 import check

__all__ = ["Bench", "explain", "work"]

TOLD = 0.1  # seconds between two words about frames


class ChangedError(RuntimeError):
    """The act's files are no longer those that the parent planned."""


@dataclass(frozen=True)
class Bench:
    """What a worker needs to know of its act; `root` is that of the store."""

    order: Order
    planned: Plan
    keys: Keys
    root: Path

    def frames(self, index: int) -> int:
        return self.planned.beats[index].frames(self.order.fps)


class _Recorder:
    """Receives the frames `run` of one beat and makes a film and pictures of them in `folder`."""

    def __init__(self, bench: Bench, index: int, run: range, folder: Path, say):
        self._run, self._folder, self._fps = run, folder, bench.order.fps
        self._say, self._untold, self._told = say, 0, time.monotonic()
        folder.mkdir()
        self._encoder = Encoder(folder / "film.mp4", bench.order.size, self._fps)
        count = bench.frames(index)
        self.stop = run.stop if run.stop < count else None
        self._pictures = {"first": 0, "last": count - 1}
        if not index:
            self._pictures["middle"] = count // 2

    def want(self, beat, start, count):
        """The frames of a movement that are to be drawn; see studio.draw.player.Player.play."""
        return range(max(start, self._run.start), min(start + count, self._run.stop))

    def take(self, beat, frame, pixels, repeat, boxes):
        self._encoder.add(pixels, repeat, boxes)
        for name, wanted in self._pictures.items():
            if frame <= wanted < frame + repeat:
                picture = Image.fromarray(pixels).convert("RGB")
                picture.save(self._folder / f"{name}.png", compress_level=3)
        self._untold += repeat
        if time.monotonic() - self._told > TOLD:
            self._tell()

    def _tell(self):
        self._say("frames", self._untold)
        self._untold, self._told = 0, time.monotonic()

    def finish(self):
        self._tell()
        self._encoder.close()
        check(self._folder / "film.mp4", len(self._run), self._fps, again=False)


def work(bench: Bench, scratch: Path, pipe) -> None:
    """Entry point of a worker. It is told ("scout", beat) or ("draw", beat, frames) or None: end.

    It says ("state", beat) when a state became known, ("frames", count), ("drawn", folder) when
    the frames it was told lie there, ("idle", beat) when it waits, ("error", text) when it failed.
    The caller makes it ignore Ctrl-C; it ends by itself when its parent is gone.
    """
    from studio.draw.player import Player
    from studio.draw.states import States

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
            what, index, *run = told
            name = bench.planned.beats[index].name
            if what == "scout":
                for _ in states.reach(player, index):
                    say("state", index)
            else:
                folder = scratch / f"{name}-{run[0].start}"
                recorder = _Recorder(bench, index, *run, folder, say)
                states.draw(player, index, recorder.want, recorder.take, recorder.stop)
                recorder.finish()
                say("drawn", folder)
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
