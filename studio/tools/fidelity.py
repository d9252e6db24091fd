"""PSNR-Y of a film against the frames that were drawn for it."""

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np

from studio.draw.beats import draw
from studio.draw.renderer import ChangedBoxes
from studio.render.order import Order
from studio.stream.colour import Bt709Converter, plane_pixels

__all__ = ["luma_601", "luma_709", "psnr", "sample_frames"]

SAMPLE = 15  # every 15th frame is compared


def sample_frames(order: Order, beats: range) -> tuple[dict[int, np.ndarray], int]:
    """Every SAMPLE-th drawn frame of the film of these beats; how many frames repeat a picture."""
    plan = order.planned()
    zero = plan.beats[beats[0]].start_frame(order.fps)
    starts = {plan.beats[k].name: plan.beats[k].start_frame(order.fps) - zero for k in beats}
    samples: dict[int, np.ndarray] = {}
    still = 0

    def take(beat: str, frame: int, pixels: np.ndarray, repeat: int, boxes: ChangedBoxes) -> None:
        nonlocal still
        still += repeat - 1 + (boxes == [])
        first = starts[beat] + frame
        wanted = [index for index in range(first, first + repeat) if index % SAMPLE == 0]
        if wanted:
            samples.update(dict.fromkeys(wanted, pixels.copy()))

    with tempfile.TemporaryDirectory() as media:
        draw(order, beats, take, media)
    return samples, still


def psnr(path: Path, samples: dict[int, np.ndarray],
         luma: Callable[[np.ndarray], np.ndarray]) -> tuple[float, float]:
    """Mean and least PSNR-Y of the sampled frames, dB; `luma` gives a drawn frame's Y plane."""
    values = []
    with av.open(f"file:{path}") as film:
        stream = film.streams.video[0]
        stream.thread_type = "AUTO"
        for index, frame in enumerate(film.decode(stream)):
            if index in samples:
                decoded = plane_pixels(frame.planes[0]).astype(np.float32)
                error = float(((decoded - luma(samples[index])) ** 2).mean())
                values.append(float(10 * np.log10(255 ** 2 / max(error, 1e-4))))
    return statistics.mean(values), min(values)


def luma_601(pixels: np.ndarray) -> np.ndarray:
    """The Y plane that stock manim encodes: untagged BT.601."""
    frame = av.VideoFrame.from_ndarray(pixels, format="rgba").reformat(format="yuv420p")
    return frame.to_ndarray()[:pixels.shape[0]]


def luma_709(pixels: np.ndarray) -> np.ndarray:
    """The Y plane that the studio encodes."""
    height, width = pixels.shape[:2]
    converter = Bt709Converter((width, height))
    converter.convert(pixels, None)
    return converter.frame.to_ndarray()[:height]
