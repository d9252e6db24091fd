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
from av.video.reformatter import ColorRange

from studio.errors import StreamError
from studio.stream import h264
from studio.stream.change_hints import set_changed_boxes
from studio.stream.colour import Box, Bt709Converter

__all__ = ["RESTART_SECONDS", "Encoder", "set_up"]

RESTART_SECONDS = 4  # after which the encoder starts afresh: there a beat may be cut into runs
_BT709 = 1  # of primaries, transfer and matrix alike (ISO/IEC 23091-2)
# Measured on flat graphics, which gain nothing from lookahead, psychovisual tuning, adaptive
# quantisation, deblocking or motion between pixels: a constant quantiser gives stock's PSNR-Y at
# half the processor time of superfast's rate control.
_OPTIONS = {"preset": "superfast", "tune": "psnr", "profile": "high", "forced-idr": "1",
            "mb_info": "1", "qp": "28"}
# One reference and no B pictures: what h264.py needs to write repeats without the encoder.
_X264 = ("bframes=0:ref=1:weightp=0:scenecut=0:open-gop=0:stitchable=1:mbtree=0:rc-lookahead=0:"
         "sync-lookahead=0:force-cfr=1:subme=0:no-deblock=1")


def set_up(context: av.VideoCodecContext, size: tuple[int, int], fps: int,
           **options: str) -> av.VideoCodecContext:
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
def _skipped_slice(size: tuple[int, int], fps: int) -> bytes:
    """The slice with which the encoder itself says that nothing changed."""
    context = set_up(av.CodecContext.create("libx264", "w"), size, fps, qp="51")
    packets: list[av.Packet] = []
    for k in range(2):
        frame = av.VideoFrame.from_ndarray(np.full((size[1] * 3 // 2, size[0]), 128, np.uint8),
                                           format="yuv420p")
        frame.pts = k
        packets += context.encode(frame)
    return next(unit for unit in h264.nal_units(bytes(packets[1]))
                if h264.unit_type(unit) == h264.SLICE)


class Encoder:
    """Writes pictures into an MP4: the first is an IDR, and so is every `fps`-th after it."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int) -> None:
        self.count, self._size, self._fps = 0, size, fps
        self._file = av.open(str(path), "w", format="mp4")
        self._stream = self._file.add_stream("libx264", rate=fps)
        self._context = set_up(self._stream.codec_context, size, fps)
        self._file.start_encoding()
        self._converter = Bt709Converter(size)
        self._numbering = h264.FrameNumbering(self._context.extradata or b"",
                                              _skipped_slice(size, fps))
        self._last_idr, self._last_is_idr = b"", False

    def add(self, pixels: np.ndarray, repeat: int = 1, boxes: list[Box] | None = None) -> None:
        """Append RGBA [h, w, 4] uint8, shown `repeat` frames.

        `boxes`: where it differs from the picture before, with even numbers; None when unknown.
        """
        boxes = boxes if self.count else None
        is_same = boxes is not None and not boxes
        changed = [] if is_same else self._converter.convert(pixels, boxes)
        for k in range(repeat):
            idr_is_due = not self.count % self._fps
            restart_is_due = not self.count % (RESTART_SECONDS * self._fps)
            is_new = not k and not is_same
            if is_new or restart_is_due or (idr_is_due and not self._last_is_idr):
                self._encode(changed, idr_is_due, restart_is_due)
            elif idr_is_due:
                self._write(self._numbering.number(self._last_idr))
            else:
                self._write(self._numbering.repeat())
            self.count += 1

    def _encode(self, changed: list[Box], as_idr: bool, restart: bool) -> None:
        if restart and self.count:
            self._context = set_up(av.CodecContext.create("libx264", "w"), self._size, self._fps)
        frame = self._converter.frame
        frame.pict_type = PictureType.I if as_idr else PictureType.NONE
        frame.pts, frame.time_base = self.count, Fraction(1, self._fps)
        frame.color_primaries = frame.color_trc = frame.colorspace = _BT709
        set_changed_boxes(frame, changed)
        pictures = [unit for packet in self._context.encode(frame)
                    for unit in h264.nal_units(bytes(packet))
                    if h264.unit_type(unit) in (h264.SLICE, h264.IDR)]
        if len(pictures) != 1 or (h264.unit_type(pictures[0]) == h264.IDR) != as_idr:
            raise StreamError("the encoder gave other pictures than it was asked for")
        self._last_is_idr = as_idr
        if as_idr:
            self._last_idr = pictures[0]
        self._write(self._numbering.number(pictures[0]))

    def _write(self, unit: bytes) -> None:
        packet = av.Packet(b"\0\0\0\1" + unit)
        packet.stream, packet.time_base = self._stream, Fraction(1, self._fps)
        packet.pts = packet.dts = self.count
        packet.duration = 1
        packet.is_keyframe = h264.unit_type(unit) == h264.IDR
        self._file.mux_one(packet)

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
