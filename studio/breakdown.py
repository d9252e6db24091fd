"""Where the time of a render goes, stage by stage, for `studio.bench`."""

import tempfile
import time
from collections import defaultdict
from pathlib import Path

__all__ = ["stages"]


class _Watch:
    """Adds up the processor time inside the functions that it wraps."""

    def __init__(self):
        self.spent, self._undo = defaultdict(float), []

    def wrap(self, owner, name, label):
        plain = getattr(owner, name)

        def watched(*arguments, **options):
            start = time.process_time()
            try:
                return plain(*arguments, **options)
            finally:
                self.spent[label] += time.process_time() - start

        setattr(owner, name, watched)
        self._undo.append((owner, name, plain))

    def restore(self):
        for owner, name, plain in self._undo:
            setattr(owner, name, plain)


def stages(order, places) -> dict[str, float]:
    """Processor seconds of each stage while one worker draws these beats in this process."""
    from manim import Scene

    from studio.draw import player as drawing
    from studio.draw.states import States
    from studio.render import worker
    from studio.stream import encoder

    watch = _Watch()
    drawer = drawing._Drawer
    for target in ((Scene, "begin_animations", "begin"), (drawer, "_advance", "interpolate"),
                   (drawer, "_paint", "draw"), (encoder._Converter, "convert", "convert"),
                   (encoder.Encoder, "_encode", "encode"), (worker, "check", "check"),
                   (worker.Image.Image, "save", "pictures"), (States, "_keep", "keep states")):
        watch.wrap(*target)
    try:
        with tempfile.TemporaryDirectory() as root:
            whole = _render(order, places, Path(root), watch.spent)
    finally:
        watch.restore()
    return {**watch.spent, "build and the rest": whole - sum(watch.spent.values())}


def _render(order, places, root, spent) -> float:
    """Draw the beats; processor seconds of the process."""
    from studio.draw import player as drawing
    from studio.draw.states import States
    from studio.render import worker
    from studio.render.keys import Keys

    planned = order.planned()
    bench = worker.Bench(order, planned, Keys(order, planned), root)
    player, states = drawing.Player(order, root / "media"), States(root, bench.keys)
    for _ in states.reach(player, places[0]):
        pass
    spent.clear()
    start = time.process_time()
    for index in places:
        run = range(bench.frames(index))
        recorder = worker._Recorder(bench, index, run, root / f"b{index}", lambda *_: None)
        states.draw(player, index, recorder.want, recorder.take)
        recorder.finish()
    return time.process_time() - start
