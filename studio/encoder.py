"""Segments: one beat as H.264, converted where it changed, encoded when it changed.

PyAV asks x264 for slices unless `thread_type` is FRAME; the number of threads is fixed, so the bits
do not depend on the machine.
"""

from collections import deque
from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import numpy as np
from av.codec.context import Flags
from av.video.frame import PictureType
from av.video.reformatter import ColorRange, Colorspace, VideoReformatter

from studio import h264
from studio.stream import StreamError

__all__ = ["Encoder"]

THREADS = 4
_BT709 = 1  # of primaries, transfer and matrix alike (ISO/IEC 23091-2)
# Measured on flat graphics, which gain nothing from lookahead, psychovisual tuning, deblocking or
# motion between pixels: this gives 1 dB more PSNR-Y than veryfast's settings at crf 20, at the
# same size, in half the time. Some adaptive quantisation is left, for without it a flat ground
# is off by more than 2.
_OPTIONS = {"preset": "superfast", "tune": "psnr", "crf": "30", "profile": "high",
            "forced-idr": "1"}
# One reference and no B pictures: what studio.h264 needs to write repeats without the encoder.
_X264 = ("bframes=0:ref=1:weightp=0:scenecut=0:open-gop=0:stitchable=1:mbtree=0:rc-lookahead=0:"
         "sync-lookahead=0:aq-mode=1:aq-strength=0.5:subme=0:no-deblock=1")


def _tuned(context, size, fps, **options):
    """Set up an H.264 encoder; the bits depend on nothing else."""
    context.width, context.height, context.pix_fmt = *size, "yuv420p"
    context.time_base, context.framerate = Fraction(1, fps), Fraction(fps)
    context.thread_type, context.thread_count = "FRAME", THREADS
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = ColorRange.MPEG
    context.options = {**_OPTIONS, "g": "100000", "x264-params": _X264, **options}


@cache
def _all_skipped(size: tuple[int, int], fps: int) -> bytes:
    """The slice with which the encoder itself says that nothing changed."""
    context = av.CodecContext.create("libx264", "w")
    _tuned(context, size, fps, crf="51")
    context.flags |= Flags.global_header
    packets = []
    for k in range(2):
        frame = av.VideoFrame.from_ndarray(np.full((size[1] * 3 // 2, size[0]), 128, np.uint8),
                                           format="yuv420p")
        frame.pts = k
        packets += context.encode(frame)
    packets += context.encode(None)
    return next(u for u in h264.units(bytes(packets[1])) if h264.kind(u) == h264.SLICE)


class _Converter:
    """RGBA to BT.709 limited yuv420p, only where the picture changed."""

    # A changed pixel tells on chroma up to REACH away, which looks at pixels up to MARGIN away;
    # sizes are rounded to STEP to spare set-ups.
    REACH, MARGIN, STEP = 8, 16, 64

    def __init__(self, size):
        self.frame = av.VideoFrame(*size, "yuv420p")
        self._planes = self._views(self.frame)
        self._size, self._scalers = size, {}

    @staticmethod
    def _views(frame):
        return [np.frombuffer(p, np.uint8).reshape(p.height, p.line_size)[:, :p.width]
                for p in frame.planes]

    def convert(self, pixels, boxes) -> None:
        """Bring `frame` up to date; `boxes` (None: all) have even corners."""
        width, height = self._size
        whole = [(0, 0, width, height)]
        boxes = whole if boxes is None else boxes
        if sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) * 3 > width * height:
            boxes = whole
        for x0, y0, x1, y1 in boxes:
            x0, x1 = max(0, x0 - self.REACH), min(width, x1 + self.REACH)
            y0, y1 = max(0, y0 - self.REACH), min(height, y1 + self.REACH)
            a0, a1 = self._around(x0, x1, width)
            b0, b1 = self._around(y0, y1, height)
            part = np.ascontiguousarray(pixels[b0:b1, a0:a1])
            scaler = self._scalers.setdefault(part.shape, VideoReformatter())
            views = self._views(scaler.reformat(
                av.VideoFrame.from_numpy_buffer(part, format="rgba"), format="yuv420p",
                dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG))
            for target, view, s in zip(self._planes, views, (1, 2, 2)):
                target[y0 // s:y1 // s, x0 // s:x1 // s] = view[
                    (y0 - b0) // s:(y1 - b0) // s, (x0 - a0) // s:(x1 - a0) // s]

    def _around(self, low, high, size):
        low = max(0, low - self.MARGIN) & ~1
        return low, min(size, low + -(-(high + self.MARGIN - low) // self.STEP) * self.STEP)


class Encoder:
    """Writes one beat: the first frame is an IDR, and so is every `fps`-th at the latest."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int):
        self.count, self._fps, self._fed = 0, fps, 0
        self._file = av.open(str(path), "w", format="mp4")
        self._stream = self._file.add_stream("libx264", rate=fps)
        _tuned(self._stream.codec_context, size, fps)
        self._converter = _Converter(size)
        self._template = _all_skipped(size, fps)
        self._numbering, self._written = None, 0
        self._key, self._keyed = 0, False  # frame of the last IDR, whether it shows this picture
        self._still = b""  # the last IDR
        self._plan = deque()  # what is to be written: "idr", "coded", "again", "copy"

    def add(self, pixels, repeat: int = 1, boxes=None) -> None:
        """`pixels`: RGBA [h, w, 4] uint8, shown `repeat` frames.

        `boxes`: where it differs from the picture before, (x0, y0, x1, y1) with even numbers;
        None when that is unknown.
        """
        same = self.count and boxes is not None and not boxes
        if not same:
            self._converter.convert(pixels, boxes if self.count else None)
        for k in range(repeat):
            if not k and not same:
                self._feed(not self.count or self._due())
            elif not self._due():
                self._plan.append("again")
            elif self._keyed:
                self._plan.append("copy")
                self._key = self.count
            else:
                self._feed(True)
            self.count += 1
        self._settle([])

    def _due(self) -> bool:
        return self.count - self._key == self._fps

    def _feed(self, key: bool) -> None:
        frame = self._converter.frame
        frame.pict_type = PictureType.I if key else PictureType.NONE
        frame.pts, frame.time_base = self._fed, Fraction(1, self._fps)
        frame.color_primaries = frame.color_trc = frame.colorspace = _BT709
        self._fed += 1
        self._plan.append("idr" if key else "coded")
        self._keyed = key
        if key:
            self._key = self.count
        self._settle(self._stream.encode(frame))

    def _settle(self, packets) -> None:
        """Write what the encoder gave, and the repeats that follow it."""
        packets = deque(packets)
        while self._plan and (packets or self._plan[0] in ("again", "copy")):
            what = self._plan.popleft()
            if what == "again":
                self._write([self._numbering.again()])
            elif what == "copy":
                self._write([self._numbering.coded(self._still)])
            else:
                self._coded(h264.units(bytes(packets.popleft())), what)

    def _coded(self, units, what):
        if self._numbering is None:
            extradata = self._stream.codec_context.extradata
            self._numbering = h264.Numbering(extradata, self._template)
        pictures = [u for u in units if h264.kind(u) in (h264.SLICE, h264.IDR)]
        if len(pictures) != 1 or (h264.kind(pictures[0]) == h264.IDR) != (what == "idr"):
            raise StreamError("the encoder gave other pictures than it was asked for")
        if what == "idr":
            self._still = pictures[0]
        self._write([self._numbering.coded(unit) for unit in units])

    def _write(self, units):
        packet = av.Packet(b"".join(b"\0\0\0\1" + unit for unit in units))
        packet.stream, packet.time_base = self._stream, Fraction(1, self._fps)
        packet.pts = packet.dts = self._written
        packet.duration = 1
        packet.is_keyframe = h264.kind(units[-1]) == h264.IDR
        self._file.mux_one(packet)
        self._written += 1

    def close(self) -> None:
        if self.count:
            self._settle(self._stream.encode(None))
        self._file.close()
