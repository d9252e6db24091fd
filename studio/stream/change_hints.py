"""What x264 is told of one picture: where it changed, and its quantiser.

It skips what did not change without looking, unless that was written more coarsely than it would
be now. libavutil's AVVideoHint and av_opt_set, which PyAV does not wrap. Where they cannot be
called (not every system's loader finds them), the encoder looks everywhere and keeps the quantiser
that it was opened with: more time, more bytes.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import av.video.frame
from av.sidedata.sidedata import Type

__all__ = ["libavutil", "set_changed_boxes", "set_quantiser"]

_CHANGED = 1  # AV_VIDEO_HINT_TYPE_CHANGED
_SEARCH_CHILDREN = 1  # AV_OPT_SEARCH_CHILDREN


class _Hint(ctypes.Structure):
    """AVVideoHint."""

    _fields_ = [("count", ctypes.c_size_t), ("offset", ctypes.c_size_t), ("size", ctypes.c_size_t),
                ("type", ctypes.c_int)]


class _Rect(ctypes.Structure):
    """AVVideoRect, in pixels."""

    _fields_ = [(name, ctypes.c_uint32) for name in ("x", "y", "width", "height")]


class _Functions(NamedTuple):
    create_hint: Callable[..., Any]
    remove_side_data: Callable[..., Any]
    set_option: Callable[..., Any]


@cache
def libavutil() -> _Functions | None:
    """The functions of libavutil that are called here, or None."""
    library = ctypes.CDLL(av.video.frame.__file__)  # finds functions of the libraries it needs
    try:
        found = _Functions(library.av_video_hint_create_side_data,
                           library.av_frame_remove_side_data, library.av_opt_set)
    except AttributeError:
        return None
    create, remove, set_option = found
    create.argtypes, create.restype = (ctypes.c_void_p, ctypes.c_size_t), ctypes.c_void_p
    remove.argtypes, remove.restype = (ctypes.c_void_p, ctypes.c_int), None
    set_option.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_int)
    set_option.restype = ctypes.c_int
    return found


def _wrapped_pointer(wrapper: object) -> int:
    """What a PyAV object wraps: the field after the object's head and its method table."""
    head = object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)
    return ctypes.c_void_p.from_address(id(wrapper) + head).value or 0


def _pointer_at(address: int) -> int | None:
    return ctypes.c_void_p.from_address(address).value


def _frame_pointer(frame: av.VideoFrame) -> int:
    """The AVFrame, which begins with the pointers to its planes."""
    pointer = _wrapped_pointer(frame)
    if not pointer or _pointer_at(pointer) != frame.planes[0].buffer_ptr:
        raise RuntimeError(f"PyAV {av.__version__} keeps its frames elsewhere than 18.1 does")
    return pointer


def _context_pointer(context: av.CodecContext) -> int:
    """The AVCodecContext, which begins with its AVClass, which begins with its name."""
    pointer = _wrapped_pointer(context)
    name = pointer and ctypes.c_char_p.from_address(_pointer_at(pointer) or 0).value
    if name != b"AVCodecContext":
        raise RuntimeError(f"PyAV {av.__version__} keeps its encoders elsewhere than 18.1 does")
    return pointer


def set_quantiser(context: av.CodecContext, quantiser: int) -> None:
    """Have an open x264 of constant quality ("crf") quantise so from its next picture on."""
    functions = libavutil()
    if functions is not None and functions.set_option(
            _context_pointer(context), b"crf", b"%d" % quantiser, _SEARCH_CHILDREN):
        raise RuntimeError("libx264 takes no other quantiser")


def set_changed_boxes(frame: av.VideoFrame,
                      boxes: list[tuple[int, int, int, int]] | None) -> None:
    """Say that `frame` differs from the one encoded before only in boxes (x0, y0, x1, y1).

    None: nothing is said.
    """
    functions = libavutil()
    if functions is None:
        return
    pointer = _frame_pointer(frame)
    functions.remove_side_data(pointer, Type.VIDEO_HINT.value)
    if boxes is None:
        return
    create = functions.create_hint
    address = create(pointer, len(boxes))
    hint = _Hint.from_address(address)
    hint.type = _CHANGED
    rects = (_Rect * len(boxes)).from_address(address + hint.offset)
    rects[:] = [_Rect(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]
