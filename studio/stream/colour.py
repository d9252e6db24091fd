"""RGBA to the stream's colours: BT.709 with limited range, yuv420p, only where it changed."""

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, VideoReformatter

__all__ = ["Box", "Bt709Converter", "plane_pixels"]

Box = tuple[int, int, int, int]  # pixels x0, y0, x1, y1: the last two are outside
# A changed pixel changes chroma up to REACH away, which depends on pixels up to MARGIN away.
REACH, MARGIN = 4, 8
SIZE_STEP = 32  # converted parts are rounded up to it: a new size costs a new set-up
_WHOLE_SHARE = 3  # beyond a third of the picture, all of it is converted


def plane_pixels(plane: "av.video.plane.VideoPlane") -> np.ndarray:
    """The pixels of a plane, [h, w] uint8, in its own memory."""
    data = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload]
    return np.asarray(data).reshape(plane.height, plane.line_size)[:, :plane.width]


class Bt709Converter:
    """Keeps `frame`, a yuv420p picture, up to date with RGBA pixels."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.frame = av.VideoFrame(*size, "yuv420p")
        self._planes = [*map(plane_pixels, self.frame.planes)]
        self._size = size
        self._reformatters: dict[tuple[int, ...], VideoReformatter] = {}

    def convert(self, pixels: np.ndarray, boxes: list[Box] | None) -> list[Box]:
        """Convert RGBA [h, w, 4] where it changed: `boxes` with even corners, None for all.

        Returns the boxes in which `frame` may have changed.
        """
        width, height = self._size
        whole = [(0, 0, width, height)]
        boxes = whole if boxes is None else boxes
        changed = [(max(0, x0 - REACH), max(0, y0 - REACH), min(width, x1 + REACH),
                    min(height, y1 + REACH)) for x0, y0, x1, y1 in boxes]
        area = sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in changed)
        for box in whole if area * _WHOLE_SHARE > width * height else changed:
            self._convert_box(pixels, box)
        return changed

    def _convert_box(self, pixels: np.ndarray, box: Box) -> None:
        x0, y0, x1, y1 = box
        left, right = self._with_margin(x0, x1, self._size[0])
        top, bottom = self._with_margin(y0, y1, self._size[1])
        part = np.ascontiguousarray(pixels[top:bottom, left:right])
        reformatter = self._reformatters.setdefault(part.shape, VideoReformatter())
        converted = reformatter.reformat(
            av.VideoFrame.from_numpy_buffer(part, format="rgba"), format="yuv420p",
            dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG, threads=1)
        planes = map(plane_pixels, converted.planes)
        for target, plane, subsampling in zip(self._planes, planes, (1, 2, 2)):
            target[y0 // subsampling:y1 // subsampling, x0 // subsampling:x1 // subsampling] = (
                plane[(y0 - top) // subsampling:(y1 - top) // subsampling,
                      (x0 - left) // subsampling:(x1 - left) // subsampling])

    @staticmethod
    def _with_margin(low: int, high: int, size: int) -> tuple[int, int]:
        low = max(0, low - MARGIN) & ~1
        return low, min(size, low + -(-(high + MARGIN - low) // SIZE_STEP) * SIZE_STEP)
