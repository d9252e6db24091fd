"""A beat, or a run of its frames, as H.264: converted and encoded where it changed.

An encoder has one thread, for every core draws a part of the film already: frame threads cost a
fifth more processor time, and the bits would depend on them.
"""

from fractions import Fraction
from functools import cache
from pathlib import Path

import av
import numpy as np
from av.codec.context import Flags
from av.video.frame import PictureType
from av.video.reformatter import ColorRange, Colorspace, VideoReformatter

from studio.stream import h264
from studio.stream.hints import changed
from studio.stream.mp4 import StreamError

__all__ = ["PIECE", "Encoder"]

PIECE = 4  # seconds, after which the encoder starts afresh: there a beat may be cut into runs
_BT709 = 1  # of primaries, transfer and matrix alike (ISO/IEC 23091-2)
# Measured on flat graphics, which gain nothing from lookahead, psychovisual tuning, adaptive
# quantisation, deblocking or motion between pixels: a constant quantiser gives stock's PSNR-Y at
# half the processor time of superfast's rate control.
_OPTIONS = {"preset": "superfast", "tune": "psnr", "profile": "high", "forced-idr": "1",
            "mb_info": "1", "qp": "28"}
# One reference and no B pictures: what h264.py needs to write repeats without the encoder.
_X264 = ("bframes=0:ref=1:weightp=0:scenecut=0:open-gop=0:stitchable=1:mbtree=0:rc-lookahead=0:"
         "sync-lookahead=0:force-cfr=1:subme=0:no-deblock=1")


def _tuned(context, size, fps, **options):
    """Set up an H.264 encoder; the bits depend on nothing else."""
    context.width, context.height, context.pix_fmt = *size, "yuv420p"
    context.time_base, context.framerate = Fraction(1, fps), Fraction(fps)
    context.thread_count = 1
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = ColorRange.MPEG
    context.flags |= Flags.global_header
    context.options = {**_OPTIONS, "g": "100000", "x264-params": _X264, **options}
    return context


@cache
def _all_skipped(size: tuple[int, int], fps: int) -> bytes:
    """The slice with which the encoder itself says that nothing changed."""
    context = _tuned(av.CodecContext.create("libx264", "w"), size, fps, qp="51")
    packets = []
    for k in range(2):
        frame = av.VideoFrame.from_ndarray(np.full((size[1] * 3 // 2, size[0]), 128, np.uint8),
                                           format="yuv420p")
        frame.pts = k
        packets += context.encode(frame)
    return next(u for u in h264.units(bytes(packets[1])) if h264.kind(u) == h264.SLICE)


class _Converter:
    """RGBA to BT.709 limited yuv420p, only where the picture changed."""

    # A changed pixel tells on chroma up to REACH away, which looks at pixels up to MARGIN away;
    # sizes are rounded to STEP to spare set-ups.
    REACH, MARGIN, STEP = 4, 8, 32

    def __init__(self, size):
        self.frame = av.VideoFrame(*size, "yuv420p")
        self._planes = self._views(self.frame)
        self._size, self._scalers = size, {}

    @staticmethod
    def _views(frame):
        return [np.frombuffer(p, np.uint8).reshape(p.height, p.line_size)[:, :p.width]
                for p in frame.planes]

    def convert(self, pixels, boxes) -> list[tuple[int, int, int, int]]:
        """Bring `frame` up to date; `boxes` (None: all) have even corners. Where it changed."""
        width, height = self._size
        whole = [(0, 0, width, height)]
        boxes = whole if boxes is None else boxes
        if sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes) * 3 > width * height:
            boxes = whole
        reach = self.REACH
        boxes = [(max(0, x0 - reach), max(0, y0 - reach), min(width, x1 + reach),
                  min(height, y1 + reach)) for x0, y0, x1, y1 in boxes]
        for x0, y0, x1, y1 in boxes:
            a0, a1 = self._around(x0, x1, width)
            b0, b1 = self._around(y0, y1, height)
            part = np.ascontiguousarray(pixels[b0:b1, a0:a1])
            scaler = self._scalers.setdefault(part.shape, VideoReformatter())
            views = self._views(scaler.reformat(
                av.VideoFrame.from_numpy_buffer(part, format="rgba"), format="yuv420p",
                dst_colorspace=Colorspace.ITU709, dst_color_range=ColorRange.MPEG, threads=1))
            for target, view, s in zip(self._planes, views, (1, 2, 2)):
                target[y0 // s:y1 // s, x0 // s:x1 // s] = view[
                    (y0 - b0) // s:(y1 - b0) // s, (x0 - a0) // s:(x1 - a0) // s]
        return boxes

    def _around(self, low, high, size):
        low = max(0, low - self.MARGIN) & ~1
        return low, min(size, low + -(-(high + self.MARGIN - low) // self.STEP) * self.STEP)


class Encoder:
    """Writes pictures: the first is an IDR, and so is every `fps`-th after it."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int):
        self.count, self._size, self._fps = 0, size, fps
        self._file = av.open(str(path), "w", format="mp4")
        self._stream = self._file.add_stream("libx264", rate=fps)
        self._context = _tuned(self._stream.codec_context, size, fps)
        self._file.start_encoding()
        self._converter = _Converter(size)
        self._numbering = h264.Numbering(self._context.extradata, _all_skipped(size, fps))
        self._idr, self._keyed = b"", False  # the last IDR, and whether it shows this picture

    def add(self, pixels, repeat: int = 1, boxes=None) -> None:
        """`pixels`: RGBA [h, w, 4] uint8, shown `repeat` frames.

        `boxes`: where it differs from the picture before, (x0, y0, x1, y1) with even numbers;
        None when that is unknown.
        """
        boxes = boxes if self.count else None
        same = boxes is not None and not boxes
        touched = [] if same else self._converter.convert(pixels, boxes)
        for k in range(repeat):
            due = not self.count % self._fps
            afresh = not self.count % (PIECE * self._fps)
            if (not k and not same) or afresh or (due and not self._keyed):
                self._encode(touched, due, afresh)
            elif due:
                self._write(self._numbering.coded(self._idr))
            else:
                self._write(self._numbering.again())
            self.count += 1

    def _encode(self, touched, key, afresh) -> None:
        if afresh and self.count:
            self._context = _tuned(av.CodecContext.create("libx264", "w"), self._size, self._fps)
        frame = self._converter.frame
        frame.pict_type = PictureType.I if key else PictureType.NONE
        frame.pts, frame.time_base = self.count, Fraction(1, self._fps)
        frame.color_primaries = frame.color_trc = frame.colorspace = _BT709
        changed(frame, touched)
        pictures = [unit for packet in self._context.encode(frame)
                    for unit in h264.units(bytes(packet))
                    if h264.kind(unit) in (h264.SLICE, h264.IDR)]
        if len(pictures) != 1 or (h264.kind(pictures[0]) == h264.IDR) != key:
            raise StreamError("the encoder gave other pictures than it was asked for")
        self._keyed = key
        if key:
            self._idr = pictures[0]
        self._write(self._numbering.coded(pictures[0]))

    def _write(self, unit: bytes) -> None:
        packet = av.Packet(b"\0\0\0\1" + unit)
        packet.stream, packet.time_base = self._stream, Fraction(1, self._fps)
        packet.pts = packet.dts = self.count
        packet.duration = 1
        packet.is_keyframe = h264.kind(unit) == h264.IDR
        self._file.mux_one(packet)

    def close(self) -> None:
        self._file.close()
