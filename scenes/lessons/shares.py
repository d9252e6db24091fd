"""Probabilities and counted shares as written on screen: columns that add up, and typical chance.

A row is probabilities that sum to 1, [n]; its last entry may stand for all that has no row.
"""

from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from .rounding import shown, significant, text

__all__ = ["binomial_error", "chance", "column", "counted", "percent", "rounded", "running_sums",
           "spread", "widest_gap"]

DIGITS = 4


def chance(p: float, digits: int = 3) -> str:
    """A probability; one that would be shown as 0 says that it is not."""
    least = 10.0**-digits
    return f"<{least:.{digits}f}" if 0 < p < least / 2 else text(shown(p, digits))


def percent(ratio: float) -> str:
    """A ratio as a count for each 100."""
    return significant(100 * ratio, 3) if ratio >= 1e-4 else "<0.01"


def rounded(row: Sequence[float]) -> list[Decimal]:
    """Four digits each: the steps between the true running sums, rounded.

    So a column adds up to what is shown beside it, each figure is less than a unit from the
    truth, and an entry has the same one however many of those after it are put together.
    """
    sums = [shown(x, DIGITS) for x in np.cumsum(row)]
    return [after - before for before, after in zip([Decimal(0), *sums], sums)]


def column(row: Sequence[float]) -> list[str]:
    """As `rounded`; what is not 0 does not look like 0."""
    least = f"<{10.0**-DIGITS:.{DIGITS}f}"
    return [text(d) if d or not p else least for p, d in zip(row, rounded(row))]


def running_sums(row: Sequence[float]) -> list[str]:
    """The sums of the first 1, 2, ... n entries; `column` adds up to each of them."""
    return [text(shown(x, DIGITS)) for x in np.cumsum(row)]


def counted(shares: Sequence[float]) -> list[str]:
    """Shares counted in draws, each rounded by itself."""
    return [text(shown(x, DIGITS)) for x in shares]


def widest_gap(shares: Sequence[float], row: Sequence[float]) -> tuple[str, int]:
    """The largest difference of counted shares from `row`, both as shown, and whose it is."""
    gaps = [abs(shown(a, DIGITS) - b) for a, b in zip(shares, rounded(row))]
    return text(max(gaps)), gaps.index(max(gaps))


def spread(row: Sequence[float], draws: int) -> list[str]:
    """`binomial_error` with its sign, as it stands beside a share."""
    return ["± " + error for error in binomial_error(row, draws)]


def binomial_error(row: Sequence[float], draws: int) -> list[str]:
    """How far chance alone moves a share of `draws` draws: the binomial's standard deviation."""
    return [text(shown(float(np.sqrt(p * (1 - p) / draws)), DIGITS)) for p in row]
