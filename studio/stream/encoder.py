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
from studio.stream.change_hints import libavutil, set_changed_boxes, set_quantiser
from studio.stream.colour import Box, Bt709Converter

__all__ = ["RESTART_SECONDS", "Encoder", "set_up"]

RESTART_SECONDS = 4  # after which nothing of before is used: there a beat may be cut into runs
# Quantisers. Movement is written coarsely and leaves traces in what it passed; a key frame has
# none, and when a picture has settled x264 codes anew what was written more coarsely than CLEAN.
KEY, MOVING, CLEAN = 17, 32, 13
SETTLED = 2  # frames since the last change
_BT709 = 1  # of primaries, transfer and matrix alike (ISO/IEC 23091-2)
# Measured on flat graphics, which gain nothing from lookahead, psychovisual tuning, adaptive
# quantisation or deblocking.
_OPTIONS = {"preset": "superfast", "tune": "psnr", "profile": "high", "forced-idr": "1",
            "mb_info": "1"}
# One reference and no B pictures: what h264.py needs to write repeats without the encoder.
# "crf" with qcomp=1 is a quantiser that can be changed between pictures, as "qp" cannot.
_X264 = ("bframes=0:ref=1:weightp=0:scenecut=0:open-gop=0:stitchable=1:mbtree=0:rc-lookahead=0:"
         "sync-lookahead=0:force-cfr=1:aq-mode=0:qcomp=1:ipratio=1:no-deblock=1:subme=1:"
         "deadzone-intra=6:chroma-qp-offset=5")
_KEY_FRAME = f"0,0,q={KEY},subme=2"  # an encoder's first picture: shown long, worth time


def set_up(context: av.VideoCodecContext, size: tuple[int, int], fps: int,
           **options: str) -> av.VideoCodecContext:
    """Set up an H.264 encoder; the bits depend on nothing else."""
    context.width, context.height, context.pix_fmt = *size, "yuv420p"
    context.time_base, context.framerate = Fraction(1, fps), Fraction(fps)
    context.thread_count = 1
    context.color_primaries = context.color_trc = context.colorspace = _BT709
    context.color_range = ColorRange.MPEG
    context.flags |= Flags.global_header
    later = MOVING if libavutil() else KEY  # where it cannot be changed, all is written finely
    context.options = {**_OPTIONS, "g": "100000", "crf": str(later),
                       "x264-params": f"{_X264}:zones={_KEY_FRAME}", **options}
    return context


@cache
def _skipped_slice(size: tuple[int, int], fps: int) -> bytes:
    """The slice with which the encoder itself says that nothing changed."""
    context = set_up(av.CodecContext.create("libx264", "w"), size, fps, crf="51")
    packets: list[av.Packet] = []
    for k in range(2):
        frame = av.VideoFrame.from_ndarray(np.full((size[1] * 3 // 2, size[0]), 128, np.uint8),
                                           format="yuv420p")
        frame.pts = k
        packets += context.encode(frame)
    return next(unit for unit in h264.nal_units(bytes(packets[1]))
                if h264.unit_type(unit) == h264.SLICE)


class Encoder:
    """Writes pictures into an MP4: the first is an IDR, and so is every `fps`-th after it.

    Each IDR begins anew: the bits after it do not depend on what was before.
    """

    def __init__(self, path: Path, size: tuple[int, int], fps: int) -> None:
        self.count, self._size, self._fps = 0, size, fps
        self._file = av.open(f"file:{path}", "w", format="mp4")
        self._stream = self._file.add_stream("libx264", rate=fps)
        self._context = set_up(self._stream.codec_context, size, fps)
        self._file.start_encoding()
        self._converter = Bt709Converter(size)
        self._numbering = h264.FrameNumbering(self._context.extradata or b"",
                                              _skipped_slice(size, fps))
        self._last_idr, self._last_is_idr = b"", False
        self._unchanged_frames, self._is_clean = 0, False

    def add(self, pixels: np.ndarray, repeat: int = 1, boxes: list[Box] | None = None) -> None:
        """Append RGBA [h, w, 4] uint8, shown `repeat` frames.

        `boxes`: where it differs from the picture before, with even numbers; None when unknown.
        """
        boxes = boxes if self.count else None
        is_same = boxes is not None and not boxes
        changed = [] if is_same else self._converter.convert(pixels, boxes)
        for k in range(repeat):
            self._unchanged_frames = 0 if not k and not is_same else self._unchanged_frames + 1
            if not self.count % self._fps:
                self._add_idr()
            elif not self._unchanged_frames:
                self._add_change(changed, MOVING)
            elif self._unchanged_frames == SETTLED and not self._is_clean:
                self._add_change([], CLEAN)
            else:
                self._write(self._numbering.repeat())
            self.count += 1

    def _add_idr(self) -> None:
        if self._last_is_idr and self._unchanged_frames and self.count % (
                RESTART_SECONDS * self._fps):
            self._write(self._numbering.number(self._last_idr))
            return
        if self.count:
            self._context = set_up(av.CodecContext.create("libx264", "w"), self._size, self._fps)
        self._last_idr = self._encode(None, as_idr=True)
        self._last_is_idr = self._is_clean = True

    def _add_change(self, changed: list[Box], quantiser: int) -> None:
        set_quantiser(self._context, quantiser)
        self._encode(changed, as_idr=False)
        self._last_is_idr, self._is_clean = False, quantiser == CLEAN

    def _encode(self, changed: list[Box] | None, as_idr: bool) -> bytes:
        """Write the picture, which differs from the one before in `changed`: its NAL unit."""
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
        self._write(self._numbering.number(pictures[0]))
        return pictures[0]

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
