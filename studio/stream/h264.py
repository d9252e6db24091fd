"""Pictures that repeat, written without the encoder: a slice in which every macroblock is skipped.

Such a slice says "as before" in a dozen bytes. It is a reference picture, so the frame_num of
those after it, until the next IDR, is one higher than the encoder wrote: a fixed-length field
of the slice header that is rewritten in place. Clauses are of ITU-T H.264 (08/2021). Needs a
stream without B pictures, one reference and one slice a picture.
"""

import re

__all__ = ["Numbering", "misnumbered", "units"]

SLICE, IDR, SPS = 1, 5, 7  # nal_unit_type, table 7-1
_START = re.compile(rb"\x00{2,3}\x01")
_ESCAPED = re.compile(rb"\x00\x00(?=[\x00-\x03])")


def units(data: bytes) -> list[bytes]:
    """NAL units of a byte stream (annex B)."""
    return [unit for unit in _START.split(data) if unit]


def kind(unit: bytes) -> int:
    return unit[0] & 31


class _Bits:
    """Reads the first bits of a NAL unit's payload."""

    def __init__(self, payload: bytes):
        self._value, self._size = int.from_bytes(payload, "big"), 8 * len(payload)
        self.at = 0

    def take(self, count: int) -> int:
        self.at += count
        return (self._value >> (self._size - self.at)) & ((1 << count) - 1)

    def golomb(self) -> int:
        """ue(v), clause 9.1."""
        zeros = 0
        while not self.take(1):
            zeros += 1
        return (1 << zeros) - 1 + self.take(zeros)


def _number_bits(sps: bytes) -> int:
    """Length of frame_num, from a sequence parameter set (clause 7.3.2.1.1)."""
    bits = _Bits(sps[1:].replace(b"\0\0\3", b"\0\0"))
    profile = bits.take(8)
    bits.take(16)
    bits.golomb()
    if profile >= 100:
        chroma, *_ = (bits.golomb() for _ in range(3))
        if chroma != 1 or bits.take(2):
            raise ValueError("not a 4:2:0 stream without scaling lists")
    return bits.golomb() + 4


def _at_number(unit: bytes) -> _Bits:
    """The bits of a slice's header, read up to its frame_num (clause 7.3.3)."""
    head = _Bits(unit[1:17].replace(b"\0\0\3", b"\0\0"))
    for _ in range(3):  # first_mb_in_slice, slice_type, pic_parameter_set_id
        head.golomb()
    return head


def misnumbered(pictures, configuration: bytes) -> int | None:
    """The first picture whose frame_num is not its distance from the IDR before, or None.

    `pictures` as they lie in an MP4, one NAL unit each after its length (ISO/IEC 14496-15), and
    its AVCDecoderConfigurationRecord.
    """
    width, number = _number_bits(configuration[8:]), 0
    for index, picture in enumerate(pictures):
        unit = picture[4:]
        if int.from_bytes(picture[:4], "big") != len(unit) or kind(unit) not in (SLICE, IDR):
            return index
        number = 0 if kind(unit) == IDR else (number + 1) % (1 << width)
        if _at_number(unit).take(width) != number:
            return index
    return None


class Numbering:
    """Numbers the pictures of a stream: coded ones and repeats, in the order of display."""

    def __init__(self, extradata: bytes, repeat: bytes):
        """`repeat`: a NAL unit in which everything is skipped, by the same encoder settings."""
        self._width = next(_number_bits(u) for u in units(extradata) if kind(u) == SPS)
        self._number = 0
        self._repeat, self._repeats = repeat, {}

    def coded(self, unit: bytes) -> bytes:
        """The unit with its picture's number; IDR and units without picture stay as they are."""
        if kind(unit) == IDR:
            self._number = 0
        if kind(unit) != SLICE:
            return unit
        self._number = (self._number + 1) % (1 << self._width)
        return self._numbered(unit)

    def again(self) -> bytes:
        """A unit that shows the last picture once more."""
        self._number = (self._number + 1) % (1 << self._width)
        if self._number not in self._repeats:
            self._repeats[self._number] = self._numbered(self._repeat)
        return self._repeats[self._number]

    def _numbered(self, unit: bytes) -> bytes:
        body = unit[1:].replace(b"\0\0\3", b"\0\0")  # clause 7.4.1.1, emulation prevention
        shift = 64 - _at_number(unit).at - self._width
        mask = ((1 << self._width) - 1) << shift
        value = int.from_bytes(body[:8].ljust(8, b"\0"), "big") & ~mask | self._number << shift
        body = value.to_bytes(8, "big")[:len(body)] + body[8:]
        return unit[:1] + _ESCAPED.sub(b"\0\0\3", body)
