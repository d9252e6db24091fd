"""Ghosts: what a movement leaves in a film's flat places after the picture has settled.

`python -m studio.ghosts act04 --quality hd` measures the written film against freshly drawn
frames; exit code 1 where a beat has more than is allowed.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import av
import numpy as np
import typer

from studio.console import FAILED, make_order, plain_errors
from studio.deliver.rendered import read
from studio.draw.beats import draw
from studio.draw.renderer import ChangedBoxes
from studio.errors import RenderError
from studio.render.order import Order
from studio.stream.colour import plane_pixels
from studio.tools.fidelity import luma_709

__all__ = ["Ghosts", "measure_ghosts"]

SETTLED = 3  # a picture has settled in the third frame of its hold
FLAT = 1.5  # levels of luma a pixel, the steepest gradient of a flat place
VISIBLE, WORST = 2, 6  # levels of luma: beyond the first it counts, none may exceed the second
MOST = 0.003  # share of the flat pixels that may be off by more than VISIBLE


@dataclass
class Ghosts:
    """Of each settled frame: the share of flat pixels that are off, and the greatest error."""

    shares: list[float] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)

    @classmethod
    def of_all(cls, parts: Iterable["Ghosts"]) -> "Ghosts":
        """Those of several beats."""
        parts = [*parts]
        return cls([share for part in parts for share in part.shares],
                   [error for part in parts for error in part.errors])

    def add(self, share: float, error: int) -> None:
        """Take note of a frame."""
        self.shares.append(share)
        self.errors.append(error)

    @property
    def passes(self) -> bool:
        """Whether no frame shows more than is allowed."""
        return max(self.shares, default=0) <= MOST and max(self.errors, default=0) <= WORST

    def __str__(self) -> str:
        if not self.shares:
            return "no settled frame"
        return (f"{len(self.shares)} settled frames, flat pixels off by more than {VISIBLE}: "
                f"{max(self.shares):.2%} at most, {np.mean(self.shares):.2%} on average, "
                f"by {max(self.errors)} at most")


class _Measure:
    """Compares the frames of a film, one after the other, with what is drawn for them."""

    def __init__(self, frames: Iterator[av.VideoFrame],
                 luma: Callable[[np.ndarray], np.ndarray]) -> None:
        self.found: dict[str, Ghosts] = {}
        self._frames, self._luma = frames, luma
        self._shown = 0  # frames of the present picture
        self._drawn = self._flat = self._decoded = np.zeros(0)
        self._last = 0.0, 0  # what was found last

    def on_picture(self, beat: str, frame: int, pixels: np.ndarray, repeat: int,
                   boxes: ChangedBoxes) -> None:
        """Take a drawn picture; see Player.play."""
        ghosts = self.found.setdefault(beat, Ghosts())
        if boxes is None or boxes or frame == 0:
            self._shown, self._decoded = 0, np.zeros(0)
        for _ in range(repeat):
            shown = next(self._frames, None)
            if shown is None:
                raise RenderError(f"beat {beat}: the film is shorter than the plan; render it anew")
            self._shown += 1
            if self._shown == SETTLED:
                self._look_at(pixels)
            if self._shown >= SETTLED:
                ghosts.add(*self._compared(plane_pixels(shown.planes[0])))

    def _look_at(self, pixels: np.ndarray) -> None:
        self._drawn = self._luma(np.ascontiguousarray(pixels)).astype(np.int16)
        down, right = np.gradient(self._drawn.astype(np.float32))
        self._flat = np.hypot(down, right) <= FLAT

    def _compared(self, decoded: np.ndarray) -> tuple[float, int]:
        if not np.array_equal(decoded, self._decoded):
            self._decoded = decoded.copy()
            off = np.abs(decoded - self._drawn)[self._flat]
            self._last = float((off > VISIBLE).mean()), int(off.max())
        return self._last


def measure_ghosts(film: Path, order: Order, beats: range, first_frame: int = 0,
                   luma: Callable[[np.ndarray], np.ndarray] = luma_709) -> dict[str, Ghosts]:
    """Of each beat, its ghosts in `film`, where `beats` begin at `first_frame`.

    `luma` gives the Y plane that was encoded of RGBA pixels. Raises RenderError when the film
    ends too early.
    """
    with av.open(f"file:{film}") as file, tempfile.TemporaryDirectory() as media:
        stream = file.streams.video[0]
        stream.thread_type = "AUTO"
        frames = file.decode(stream)
        for _ in range(first_frame):
            next(frames, None)
        measure = _Measure(frames, luma)
        draw(order, beats, measure.on_picture, media)
    return measure.found


def _film_of(order: Order, media: Path) -> Path:
    folder = media / order.variant(order.planned())
    rendered = read(folder)
    if rendered is None:
        raise RenderError(f"{folder}: no film; render it first, or say where it is with --media")
    film = folder / rendered.names.film
    with av.open(f"file:{film}") as file:
        stream = file.streams.video[0]
        found: tuple[Any, ...] = (stream.width, stream.height, stream.average_rate)
    if found != (*order.size, order.fps):
        width, height = order.size
        raise RenderError(f"{film}: {found[0]}x{found[1]} at {found[2]} frames a second, "
                          f"not {width}x{height} at {order.fps}; say --quality")
    return film


def main(act: str, beats: str = "", quality: str = "hd", lang: str = "en", theme: str = "dark",
         media: Annotated[Path, typer.Option(help="folder of the results")] = Path("media"),
         ) -> None:
    """Measure what is left of movements in settled pictures of a written film."""
    with plain_errors():
        order = make_order(act, quality, None, lang, theme)
        plan = order.planned()
        names = [name for name in beats.split(",") if name] or [b.name for b in plan.beats]
        indices = sorted(order.beat_index(plan, name) for name in names)
        found = measure_ghosts(_film_of(order, media), order, range(indices[0], indices[-1] + 1),
                               plan.beats[indices[0]].start_frame(order.fps))
        chosen = [found[plan.beats[k].name] for k in indices]
        for index, ghosts in zip(indices, chosen):
            print(f"{plan.beats[index].name}: {ghosts}")
        print(f"{act}: {Ghosts.of_all(chosen)}")
        raise typer.Exit(0 if all(ghosts.passes for ghosts in chosen) else FAILED)


if __name__ == "__main__":
    typer.run(main)
