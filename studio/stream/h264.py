"""Pictures that repeat, written without the encoder: a slice in which every macroblock is skipped.

Such a slice says "as before" in a dozen bytes. It is a reference picture, so the frame_num of
those after it, until the next IDR, is one higher than the encoder wrote: a fixed-length field
of the slice header that is rewritten in place. Clauses are of ITU-T H.264 (08/2021). Needs a
stream without B pictures, one reference and one slice a picture.
"""

import re
from collections.abc import Iterable

__all__ = ["IDR", "SLICE", "FrameNumbering", "first_misnumbered", "nal_units", "unit_type"]

SLICE, IDR, SPS = 1, 5, 7  # nal_unit_type, table 7-1
_HIGH_PROFILE = 100  # profile_idc from which on chroma formats are written
_START_CODE = re.compile(rb"\x00{2,3}\x01")
_TO_ESCAPE = re.compile(rb"\x00\x00(?=[\x00-\x03])")


def nal_units(data: bytes) -> list[bytes]:
    """NAL units of a byte stream (annex B)."""
    return [unit for unit in _START_CODE.split(data) if unit]


def unit_type(unit: bytes) -> int:
    """nal_unit_type of a NAL unit."""
    return unit[0] & 31


class _BitReader:
    """Reads the first bits of a NAL unit's payload."""

    def __init__(self, payload: bytes) -> None:
        self._value, self._size = int.from_bytes(payload, "big"), 8 * len(payload)
        self.position = 0

    def read(self, count: int) -> int:
        self.position += count
        return (self._value >> (self._size - self.position)) & ((1 << count) - 1)

    def read_exp_golomb(self) -> int:
        """ue(v), clause 9.1."""
        zeros = 0
        while not self.read(1):
            zeros += 1
        return (1 << zeros) - 1 + self.read(zeros)


def _unescaped(data: bytes) -> bytes:
    """Without the bytes that prevent start codes (clause 7.4.1.1)."""
    return data.replace(b"\0\0\3", b"\0\0")


def _frame_num_bits(sps: bytes) -> int:
    """Length of frame_num, from a sequence parameter set (clause 7.3.2.1.1)."""
    bits = _BitReader(_unescaped(sps[1:]))
    profile = bits.read(8)
    bits.read(16)
    bits.read_exp_golomb()
    if profile >= _HIGH_PROFILE:
        chroma_format, *_ = (bits.read_exp_golomb() for _ in range(3))
        if chroma_format != 1 or bits.read(2):
            raise ValueError("not a 4:2:0 stream without scaling lists")
    return bits.read_exp_golomb() + 4


def _reader_at_frame_num(unit: bytes) -> _BitReader:
    """The bits of a slice's header, read up to its frame_num (clause 7.3.3)."""
    header = _BitReader(_unescaped(unit[1:17]))
    for _ in range(3):  # first_mb_in_slice, slice_type, pic_parameter_set_id
        header.read_exp_golomb()
    return header


def first_misnumbered(pictures: Iterable[bytes], configuration: bytes) -> int | None:
    """The first picture whose frame_num is not its distance from the IDR before, or None.

    `pictures` as they lie in an MP4, one NAL unit each after its length (ISO/IEC 14496-15), and
    its AVCDecoderConfigurationRecord.
    """
    width, number = _frame_num_bits(configuration[8:]), 0
    for index, picture in enumerate(pictures):
        unit = picture[4:]
        if int.from_bytes(picture[:4], "big") != len(unit) or unit_type(unit) not in (SLICE, IDR):
            return index
        number = 0 if unit_type(unit) == IDR else (number + 1) % (1 << width)
        if _reader_at_frame_num(unit).read(width) != number:
            return index
    return None


class FrameNumbering:
    """Writes frame_num into the pictures of a stream, encoded or repeated, in display order."""

    def __init__(self, extradata: bytes, skipped_slice: bytes) -> None:
        """`skipped_slice`: a NAL unit in which everything is skipped, by the same settings."""
        self._width = next(_frame_num_bits(unit) for unit in nal_units(extradata)
                           if unit_type(unit) == SPS)
        self._frame_num = 0
        self._skipped_slice = skipped_slice
        self._repeats: dict[int, bytes] = {}  # by frame_num

    def number(self, unit: bytes) -> bytes:
        """The unit with its frame_num; an IDR and units without picture stay as they are."""
        if unit_type(unit) == IDR:
            self._frame_num = 0
        if unit_type(unit) != SLICE:
            return unit
        self._frame_num = (self._frame_num + 1) % (1 << self._width)
        return self._with_frame_num(unit)

    def repeat(self) -> bytes:
        """A unit that shows the last picture once more."""
        self._frame_num = (self._frame_num + 1) % (1 << self._width)
        if self._frame_num not in self._repeats:
            self._repeats[self._frame_num] = self._with_frame_num(self._skipped_slice)
        return self._repeats[self._frame_num]

    def _with_frame_num(self, unit: bytes) -> bytes:
        body = _unescaped(unit[1:])
        shift = 64 - _reader_at_frame_num(unit).position - self._width
        mask = ((1 << self._width) - 1) << shift
        start = int.from_bytes(body[:8].ljust(8, b"\0"), "big") & ~mask | self._frame_num << shift
        body = start.to_bytes(8, "big")[:len(body)] + body[8:]
        return unit[:1] + _TO_ESCAPE.sub(b"\0\0\3", body)
