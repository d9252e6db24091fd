"""Probabilities and counted shares as written on screen, and typical chance.

A row is probabilities that sum to 1, [n]; its last entry may stand for all that has no row.
"""

from decimal import Decimal
from math import erfc, sqrt

import numpy as np

from ._check import Numbers
from .rounding import shown, significant, text

__all__ = ["chance", "column", "counted", "furthest", "judged", "odds_of_furthest", "percent",
           "rounded", "standard_errors"]

DIGITS = 4
_JUDGED = 5  # expected draws, of a token and of all others: with fewer, the rule fails


def chance(p: float, digits: int = 3) -> str:
    """A probability; one that would be shown as 0 says that it is not."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if 0 < p < least / 2 else text(shown(p, digits))


def percent(ratio: float) -> str:
    """A ratio as a count for each 100."""
    return significant(100 * ratio, 3) if ratio >= 1e-4 else "<0.01"


def rounded(row: Numbers) -> list[Decimal]:
    """Four digits each, rounded by itself: equal values look equal."""
    return [shown(x, DIGITS) for x in row]


def column(row: Numbers) -> list[str]:
    """As `rounded`; what is not 0 does not look like 0."""
    return [chance(p, DIGITS) for p in row]


def counted(shares: Numbers) -> list[str]:
    """Shares counted in draws, each rounded by itself."""
    return [text(shown(x, DIGITS)) for x in shares]


def standard_errors(row: Numbers, draws: int) -> np.ndarray:
    """How far chance alone typically moves each share of `draws` draws: √(p (1 − p) / draws)."""
    p = np.asarray(row)
    return np.asarray(np.sqrt(p * (1 - p) / draws))


def judged(row: Numbers, draws: int) -> np.ndarray:
    """[entries]: those drawn, and missed, often enough for a standard error to mean something."""
    p = np.asarray(row)
    return np.flatnonzero(np.minimum(p, 1 - p) * draws >= _JUDGED)


def furthest(shares: Numbers, row: Numbers,
             draws: int) -> tuple[int, float] | None:
    """Whose share lies furthest from `row`, and how far, counted in standard errors.

    None where no entry can be `judged`.
    """
    p = np.asarray(row)
    which = judged(row, draws)
    if not len(which):
        return None
    off = np.abs(np.asarray(shares) - p)[which] / standard_errors(p[which], draws)
    return int(which[off.argmax()]), float(off.max())


def odds_of_furthest(errors: float, count: int) -> float:
    """The chance that the furthest of `count` shares is at least so many standard errors off.

    Each is taken as normal and independent of the others, which shares of one row nearly are.
    """
    return float(1 - (1 - erfc(errors / sqrt(2))) ** count)
