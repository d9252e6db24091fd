"""Where the processor time of a render goes, for `studio.bench`."""

import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from studio.render.order import Order

__all__ = ["cpu_breakdown"]


class _Stopwatch:
    """Adds up the processor time inside the functions that it wraps."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._originals: list[tuple[Any, str, Any]] = []

    def wrap(self, owner: Any, name: str, label: str) -> None:
        """Replace a function by one that is timed under `label`."""
        original = getattr(owner, name)

        def timed(*arguments: Any, **options: Any) -> Any:
            start = time.process_time()
            try:
                return original(*arguments, **options)
            finally:
                self.seconds[label] += time.process_time() - start

        setattr(owner, name, timed)
        self._originals.append((owner, name, original))

    def restore(self) -> None:
        """Put the functions back."""
        for owner, name, original in self._originals:
            setattr(owner, name, original)


def cpu_breakdown(order: Order, beats: range) -> dict[str, float]:
    """Processor seconds by kind of work, while one worker draws these beats in this process."""
    from manim import Scene
    from PIL import Image

    from studio.draw.renderer import SelectiveRenderer
    from studio.render import worker
    from studio.render.snapshots import Snapshots
    from studio.stream.colour import Bt709Converter
    from studio.stream.encoder import Encoder

    stopwatch = _Stopwatch()
    for target in ((Scene, "begin_animations", "begin"),
                   (SelectiveRenderer, "_interpolate", "interpolate"),
                   (SelectiveRenderer, "_paint", "draw"), (Bt709Converter, "convert", "convert"),
                   (Encoder, "_encode", "encode"), (worker, "check", "check"),
                   (Image.Image, "save", "pictures"),
                   (Snapshots, "_keep", "keep snapshots")):
        stopwatch.wrap(*target)
    try:
        with tempfile.TemporaryDirectory() as root:
            total = _render(order, beats, Path(root), stopwatch.seconds)
    finally:
        stopwatch.restore()
    return {**stopwatch.seconds, "build and the rest": total - sum(stopwatch.seconds.values())}


def _render(order: Order, beats: range, root: Path, seconds: dict[str, float]) -> float:
    """Draw the beats; processor seconds of the process, the way to the first one left out."""
    from studio.draw.player import Player
    from studio.render.messages import DrawRun
    from studio.render.plan import RenderPlan
    from studio.render.snapshots import Snapshots
    from studio.render.worker import RunRecorder

    plan = RenderPlan.of(order)
    player, snapshots = Player(order, root / "media"), Snapshots(root, plan.keys)
    for _ in snapshots.reach(player, beats[0]):
        pass
    seconds.clear()
    start = time.process_time()
    for index in beats:
        task = DrawRun(index, range(plan.frames(index)))
        recorder = RunRecorder(plan, task, root / f"beat-{index}", lambda _: None)
        snapshots.draw(player, index, recorder.select, recorder.on_picture)
        recorder.finish()
    return time.process_time() - start
