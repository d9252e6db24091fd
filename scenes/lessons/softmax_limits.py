"""What softmax does to a row of scores in a wider head, and to scores too large for its floats.

Numbers are pure, without units. Sources: Vaswani et al. 2017, section 3.2.1 (why 1 / √d); IEEE 754
binary32, whose largest number is e^88.7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from .attention import HEAD_DIM
from .rounding import shown, shown_row, significant, text

__all__ = ["GROWTH", "LIFT", "ComparedRow", "SafeRow", "largest_exponent", "safe_row",
           "weights_by_width"]

GROWTH = 4  # a head of GROWTH² times the width has scores about GROWTH times as far apart
LIFT = 100  # added to scores that shall overflow


@dataclass(frozen=True, eq=False)
class ComparedRow:
    """A row of scores and its softmax: `scores`, `weights` as texts, `shares` 0..1, each [n]."""

    scores: tuple[str, ...]
    weights: tuple[str, ...]
    shares: np.ndarray


@dataclass(frozen=True)
class SafeRow:
    """A row of scores, and the same LIFT higher, as texts [n]: e to them, and to what is left

    once the row's largest, at index `top`, is subtracted.
    """

    row: tuple[str, ...]
    lifted: tuple[str, ...]
    powers: tuple[str, ...]
    overflown: tuple[str, ...]
    top: int
    differences: tuple[str, ...]
    small: tuple[str, ...]


def _softmax(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max())
    return powers / powers.sum()


def weights_by_width(scores: Sequence[int]) -> tuple[ComparedRow, ComparedRow, ComparedRow]:
    """`scores` [n] of a head of width 2; GROWTH times as large in a head GROWTH² as wide; and

    those divided by the root of that width, which is also the first row divided by √2.
    """
    raw = np.asarray(scores, float)
    wide = GROWTH * raw
    even = wide / np.sqrt(HEAD_DIM * GROWTH**2)
    return tuple(  # type: ignore[return-value]
        ComparedRow(tuple(text(shown(x, digits)) for x in row),
                    tuple(map(text, shown_row(_softmax(row)))), _softmax(row))
        for row, digits in ((raw, 0), (wide, 0), (even, 3)))


def largest_exponent() -> int:
    """The largest whole x for which e^x is still a 32-bit float."""
    return int(np.log(float(np.finfo(np.float32).max)))


def _power(score: Decimal) -> str:
    with np.errstate(over="ignore"):
        power = float(np.exp(np.float32(score)))
    return "∞" if np.isinf(power) else significant(power)


def safe_row(scores: Sequence[str]) -> SafeRow:
    """`scores` [n], as written; the differences are those of the written numbers."""
    row = [Decimal(score.replace("−", "-")) for score in scores]
    lifted, top = [score + LIFT for score in row], max(row)
    apart = [score - top for score in row]
    return SafeRow(
        tuple(scores), tuple(map(text, lifted)), tuple(map(_power, row)),
        tuple(map(_power, lifted)), row.index(top), tuple(map(text, apart)),
        tuple(text(shown(float(np.exp(float(x))), 3)) for x in apart))
