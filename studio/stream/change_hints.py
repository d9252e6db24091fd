"""Where a picture changed, told to the encoder: x264 then skips the rest without looking.

libavutil's AVVideoHint, which PyAV does not wrap. Where its functions cannot be called (not every
system's loader finds them), the encoder looks everywhere: the same pictures, more time.
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import av.video.frame
from av.sidedata.sidedata import Type

__all__ = ["set_changed_boxes", "side_data_functions"]

_CHANGED = 1  # AV_VIDEO_HINT_TYPE_CHANGED


class _Hint(ctypes.Structure):
    """AVVideoHint."""

    _fields_ = [("count", ctypes.c_size_t), ("offset", ctypes.c_size_t), ("size", ctypes.c_size_t),
                ("type", ctypes.c_int)]


class _Rect(ctypes.Structure):
    """AVVideoRect, in pixels."""

    _fields_ = [(name, ctypes.c_uint32) for name in ("x", "y", "width", "height")]


@cache
def side_data_functions() -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    """(create a hint, remove side data) of libavutil, or None."""
    library = ctypes.CDLL(av.video.frame.__file__)  # finds functions of the libraries it needs
    try:
        create, remove = library.av_video_hint_create_side_data, library.av_frame_remove_side_data
    except AttributeError:
        return None
    create.argtypes, create.restype = (ctypes.c_void_p, ctypes.c_size_t), ctypes.c_void_p
    remove.argtypes, remove.restype = (ctypes.c_void_p, ctypes.c_int), None
    return create, remove


def _frame_pointer(frame: av.VideoFrame) -> int:
    """The AVFrame of a PyAV frame: the field after the object's head and its method table."""
    head = object.__basicsize__ + ctypes.sizeof(ctypes.c_void_p)
    pointer = ctypes.c_void_p.from_address(id(frame) + head).value
    if not pointer or ctypes.c_void_p.from_address(pointer).value != frame.planes[0].buffer_ptr:
        raise RuntimeError(f"PyAV {av.__version__} keeps its frames elsewhere than 18.1 does")
    return pointer


def set_changed_boxes(frame: av.VideoFrame, boxes: list[tuple[int, int, int, int]]) -> None:
    """Say that `frame` differs from the one encoded before only in boxes (x0, y0, x1, y1).

    Without boxes nothing is said.
    """
    functions = side_data_functions()
    if functions is None:
        return
    create, remove = functions
    pointer = _frame_pointer(frame)
    remove(pointer, Type.VIDEO_HINT.value)
    if not boxes:
        return
    address = create(pointer, len(boxes))
    hint = _Hint.from_address(address)
    hint.type = _CHANGED
    rects = (_Rect * len(boxes)).from_address(address + hint.offset)
    rects[:] = [_Rect(x0, y0, x1 - x0, y1 - y0) for x0, y0, x1, y1 in boxes]
