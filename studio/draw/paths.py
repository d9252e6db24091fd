"""Paths for cairo, built in NumPy: as flat data for cairo_append_path."""

from functools import lru_cache
from math import isfinite

import numpy as np

__all__ = ["flat_path"]

_EMPTY = np.zeros(0, complex)


def _header(kind: int, length: int) -> complex:
    """A row of cairo_path_data_t that begins a group: its type and its rows, this one included."""
    return np.array([kind, length, 0, 0], np.int32).view(complex)[0]


_MOVE, _CURVE, _CLOSE = _header(0, 2), _header(2, 4), _header(3, 1)


def flat_path(points: np.ndarray, tolerance: float) -> np.ndarray:
    """cairo's path data of cubic curves: rows of 16 bytes, points as complex numbers.

    `points` is [4 n, 2 or 3]. A subpath ends where a curve does not start at the end of the one
    before, within `tolerance` + 1e-5 of the coordinate; it is closed when it returns to its start.
    """
    count = len(points) // 4
    if not count or not isfinite(points.sum()):
        return _EMPTY
    flat = np.ascontiguousarray(points[:4 * count, :2]).view(complex).ravel()
    starts, ends = flat[::4], flat[3::4]
    breaks = np.flatnonzero(ends[:-1] != starts[1:])
    if len(breaks):
        breaks = breaks[_apart(ends[breaks], starts[breaks + 1], tolerance)]
        heads, tails = np.concatenate((_ZERO, breaks + 1)), np.concatenate((breaks, (count - 1,)))
        closed = ~_apart(starts[heads], ends[tails], tolerance)
    else:
        heads, closed = _ZERO, ~_apart(starts[:1], ends[-1:], tolerance)
    index, places, headers = _form(count, heads.tobytes(), closed.tobytes())
    rows = flat[index]
    rows[places] = headers
    return rows


_ZERO = np.zeros(1, np.int64)


def _apart(a, b, tolerance):
    """Whether points differ, coordinate by coordinate, by more than numpy.isclose allows."""
    a, b = a.view(float).reshape(-1, 2), b.view(float).reshape(-1, 2)
    off = np.abs(a - b) > tolerance + 1e-5 * np.abs(b)
    return off[:, 0] | off[:, 1]


@lru_cache(maxsize=4096)
def _form(count: int, heads: bytes, closed: bytes):
    """(point that goes to each row, rows of the headers, the headers) of paths of one form."""
    heads = np.frombuffer(heads, np.int64)
    closed = np.frombuffer(closed, bool)
    lengths = np.diff(np.append(heads, count))
    before = np.arange(len(heads)) * 2 + np.cumsum(closed) - closed  # rows that are not curves
    at = 4 * np.arange(count) + np.repeat(before + 2, lengths)
    first = 4 * heads + before
    last = at[heads + lengths - 1] + 4
    index = np.zeros(4 * count + 2 * len(heads) + int(closed.sum()), np.int64)
    index[first + 1] = 4 * heads
    for k in (1, 2, 3):
        index[at + k] = 4 * np.arange(count) + k
    places = np.concatenate((first, at, last[closed]))
    headers = np.repeat([_MOVE, _CURVE, _CLOSE], [len(first), len(at), int(closed.sum())])
    return index, places, headers
