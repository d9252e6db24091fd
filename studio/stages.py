"""Where the time of a render goes, stage by stage, for `studio.bench`."""

import tempfile
import time
from collections import defaultdict
from pathlib import Path

__all__ = ["stages"]


class _Watch:
    """Adds up the main thread's processor time inside the functions that it wraps."""

    def __init__(self):
        self.spent, self._undo = defaultdict(float), []

    def wrap(self, owner, name, label):
        plain = getattr(owner, name)

        def watched(*arguments, **options):
            start = time.thread_time()
            try:
                return plain(*arguments, **options)
            finally:
                self.spent[label] += time.thread_time() - start

        setattr(owner, name, watched)
        self._undo.append((owner, name, plain))

    def restore(self):
        for owner, name, plain in self._undo:
            setattr(owner, name, plain)


def stages(order, places) -> dict[str, float]:
    """Processor seconds of each stage while one worker draws these beats in this process.

    "encoder threads" is x264's own work; the other stages are of the worker's main thread.
    """
    from manim import Scene

    from studio import encoder, manim022, worker
    from studio.states import States

    watch = _Watch()
    for target in ((Scene, "begin_animations", "begin"), (Scene, "update_to_time", "interpolate"),
                   (manim022._Drawer, "_paint", "draw"), (encoder._Converter, "convert", "convert"),
                   (encoder.Encoder, "_feed", "encode"), (worker, "check", "check"),
                   (worker.Image.Image, "save", "pictures"), (States, "_keep", "keep states")):
        watch.wrap(*target)
    try:
        with tempfile.TemporaryDirectory() as root:
            whole, main = _render(order, places, Path(root), watch.spent)
    finally:
        watch.restore()
    return {**watch.spent, "build and the rest": main - sum(watch.spent.values()),
            "encoder threads": whole - main}


def _render(order, places, root, spent) -> tuple[float, float]:
    """Draw the beats; processor seconds of the process and of its main thread."""
    from studio import manim022, worker
    from studio.drawing import every
    from studio.keys import Keys
    from studio.states import States

    planned = order.planned()
    bench = worker.Bench(order, planned, Keys(order, planned), root)
    player, states = manim022.Player(order, root / "media"), States(root, bench.keys)
    for _ in states.reach(player, places[0]):
        pass
    spent.clear()
    whole, main = time.process_time(), time.thread_time()
    for index in places:
        recorder = worker._Recorder(bench, index, str(index), root / f"b{index}", lambda *_: None)
        states.draw(player, index, every, recorder.take)
        recorder.finish()
    return time.process_time() - whole, time.thread_time() - main
