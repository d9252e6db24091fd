"""Range checks and read-only arrays, shared by the lessons."""

from collections.abc import Iterable, Sequence
from typing import SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

__all__ = ["MAX_SEED", "Numbers", "integer", "integers", "read_only", "real"]

MAX_SEED = 9_999
Numbers = Sequence[float] | np.ndarray  # a row [n]


def read_only(values: ArrayLike, dtype: DTypeLike | None = None) -> np.ndarray:
    """A read-only copy: a result's arrays are shared by beats and must not change under them."""
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def integer(name: str, value: object, low: int, high: int) -> int:
    """`value` as an int in low..high; ValueError names the range."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        number = int(value)
        if low <= number <= high:
            return number
    raise ValueError(f"{name} must be an integer in {low}..{high}, got {value!r}")


def integers(name: str, values: object, count: int, low: int, high: int) -> tuple[int, ...]:
    """`values` as exactly `count` ints, each in low..high; ValueError names the range."""
    items = tuple(values) if isinstance(values, Iterable) and not isinstance(values, str) else ()
    if len(items) != count:
        raise ValueError(f"{name} must be {count} integers in {low}..{high}, got {values!r}")
    return tuple(integer(name, item, low, high) for item in items)


def real(name: str, value: SupportsFloat | str, low: float, high: float) -> float:
    """`value` as a float with low < value <= high (so NaN is refused); ValueError names the range.

    Every real parameter of the lessons is open below: temperature, top-p, theta.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not low < number <= high:
        raise ValueError(f"{name} must be above {low:g} and at most {high:g}, got {value!r}")
    return number
