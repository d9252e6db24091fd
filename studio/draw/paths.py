"""Paths for cairo, built in NumPy: as the flat data of cairo_append_path."""

from functools import lru_cache
from math import isfinite

import numpy as np

__all__ = ["cairo_path_data"]

_EMPTY = np.zeros(0, complex)
_ZERO = np.zeros(1, np.int64)


def _header(kind: int, length: int) -> complex:
    """A row of cairo_path_data_t that begins an element: its type, its rows with this one."""
    return complex(np.array([kind, length, 0, 0], np.int32).view(complex)[0])


_MOVE, _CURVE, _CLOSE = _header(0, 2), _header(2, 4), _header(3, 1)


def cairo_path_data(points: np.ndarray, tolerance: float) -> np.ndarray:
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
        breaks = breaks[_differ(ends[breaks], starts[breaks + 1], tolerance)]
        heads, tails = np.concatenate((_ZERO, breaks + 1)), np.concatenate((breaks, (count - 1,)))
        closed = ~_differ(starts[heads], ends[tails], tolerance)
    else:
        heads, closed = _ZERO, ~_differ(starts[:1], ends[-1:], tolerance)
    point_of_row, header_rows, headers = _layout(count, heads.tobytes(), closed.tobytes())
    rows: np.ndarray = flat[point_of_row]
    rows[header_rows] = headers
    return rows


def _differ(a: np.ndarray, b: np.ndarray, tolerance: float) -> np.ndarray:
    """Whether points differ, coordinate by coordinate, by more than numpy.isclose allows."""
    a, b = a.view(float).reshape(-1, 2), b.view(float).reshape(-1, 2)
    off = np.abs(a - b) > tolerance + 1e-5 * np.abs(b)
    either: np.ndarray = off[:, 0] | off[:, 1]
    return either


@lru_cache(maxsize=4096)
def _layout(count: int, heads_bytes: bytes,
            closed_bytes: bytes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(index of the point of each row, rows of the headers, the headers) of all paths of a form."""
    heads = np.frombuffer(heads_bytes, np.int64)
    closed = np.frombuffer(closed_bytes, bool)
    lengths = np.diff(np.append(heads, count))
    before = np.arange(len(heads)) * 2 + np.cumsum(closed) - closed  # rows that are not curves
    curve_rows = 4 * np.arange(count) + np.repeat(before + 2, lengths)
    first_rows = 4 * heads + before
    last_rows = curve_rows[heads + lengths - 1] + 4
    index = np.zeros(4 * count + 2 * len(heads) + int(closed.sum()), np.int64)
    index[first_rows + 1] = 4 * heads
    for k in (1, 2, 3):
        index[curve_rows + k] = 4 * np.arange(count) + k
    header_rows = np.concatenate((first_rows, curve_rows, last_rows[closed]))
    headers = np.repeat([_MOVE, _CURVE, _CLOSE],
                        [len(first_rows), len(curve_rows), int(closed.sum())])
    return index, header_rows, headers
