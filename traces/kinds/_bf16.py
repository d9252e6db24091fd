"""Numbers as bf16 holds them and as a trace writes them."""

from __future__ import annotations

import numpy as np

__all__ = ["is_bf16"]


def is_bf16(values: object, digits: int | None = None) -> np.ndarray:
    """Where numbers are bf16 values as a trace writes them: with ``digits`` decimals, or, without,
    with 4 significant digits. bf16 keeps 8 significant bits, so most numbers are none."""
    x = np.asarray(values, dtype=np.float64)
    bits = x.astype(np.float32).view(np.uint32)
    # the nearest bf16 above and below: what was rounded to decimals lies between them
    near = bits & np.uint32(0xFFFF0000)
    below, above = (_written(near + np.uint32(step << 16), digits) for step in (0, 1))
    found: np.ndarray = (below == x) | (above == x)
    return found


def _written(bits: np.ndarray, digits: int | None) -> np.ndarray:
    value = bits.astype(np.uint32).view(np.float32).astype(np.float64)
    def decimal(number: float) -> float:
        return float(f"{number:.4g}") if digits is None else round(number, digits)

    written: np.ndarray = np.vectorize(decimal, otypes=[float])(value)
    return written
