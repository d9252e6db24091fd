"""Where the time of a render goes, stage by stage, for `studio.bench`."""

import tempfile
import time
from collections import defaultdict
from pathlib import Path

__all__ = ["stages"]


def stages(order, places) -> dict[str, float]:
    """Processor seconds of each stage while one worker draws these beats in this process.

    "encoder threads" is x264's own work; the other stages are of the worker's main thread.
    """
    from manim import Scene

    from studio import encoder, manim022, worker
    from studio.drawing import every
    from studio.keys import Keys
    from studio.states import States

    spent, undo = defaultdict(float), []

    def watch(owner, name, label):
        plain = getattr(owner, name)

        def watched(*arguments, **options):
            start = time.thread_time()
            try:
                return plain(*arguments, **options)
            finally:
                spent[label] += time.thread_time() - start

        setattr(owner, name, watched)
        undo.append((owner, name, plain))

    for target in ((Scene, "begin_animations", "begin"), (Scene, "update_to_time", "interpolate"),
                   (manim022._Drawer, "_paint", "draw"), (encoder._Converter, "convert", "convert"),
                   (encoder.Encoder, "_feed", "encode"), (worker, "check", "check"),
                   (worker.Image.Image, "save", "pictures"), (States, "_keep", "keep states")):
        watch(*target)
    planned = order.planned()
    try:
        with tempfile.TemporaryDirectory() as root:
            root = Path(root)
            bench = worker.Bench(order, planned, Keys(order, planned), root)
            player, states = manim022.Player(order, root / "media"), States(root, bench.keys)
            for _ in states.reach(player, places[0]):
                pass
            spent.clear()
            whole, main = time.process_time(), time.thread_time()
            for index in places:
                recorder = worker._Recorder(bench, index, str(index), root / f"b{index}",
                                            lambda *_: None)
                states.draw(player, index, every, recorder.take)
                recorder.finish()
            whole, main = time.process_time() - whole, time.thread_time() - main
    finally:
        for owner, name, plain in undo:
            setattr(owner, name, plain)
    return {**spent, "build and the rest": main - sum(spent.values()),
            "encoder threads": whole - main}
