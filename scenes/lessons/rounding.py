"""What is written on screen for a number: the number rounded, each by itself.

Shown values are `Decimal`s with a fixed number of digits: `text` writes them, and sums and
products of them are exact. Where shown terms do not add up to the shown sum, that is said with ≈:
no number is bent to fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import isinf, isnan

import numpy as np

from ._check import Numbers

__all__ = [
    "ShownMix", "ShownSum", "exact_digits", "point_text", "shown", "shown_mix", "shown_sum",
    "significant", "text", "unit",
]


def unit(digits: int) -> Decimal:
    """One unit of the last shown digit: 0.01 for two digits."""
    return Decimal(1).scaleb(-digits)


def _decimal(value: float | Decimal) -> Decimal:
    """Without binary noise: 0.285 is stored below 0.285, a viewer would still round it up."""
    return Decimal(repr(round(float(value), 12)))


def _signless_zero(value: Decimal) -> Decimal:
    return value if value else abs(value)  # no "-0.00"


def shown(value: float | Decimal, digits: int = 2) -> Decimal:
    """`value` rounded half away from zero, as at school; ±inf stays; ValueError for NaN."""
    if isnan(value):
        raise ValueError("a number to show must not be NaN")
    if isinf(value):
        return Decimal(value)
    return _signless_zero(_decimal(value).quantize(unit(digits), ROUND_HALF_UP))


def exact_digits(values: Sequence[float], most: int = 4) -> int:
    """The least number of digits, 1..most, with which all `values` are shown exactly; or `most`."""
    return next((d for d in range(1, most) if all(round(x, d) == x for x in values)), most)


def text(value: Decimal | int | np.integer) -> str:
    """As written on screen: the true minus sign, −∞ for a masked score."""
    written = "∞" if isinf(value) else str(abs(value))
    return ("−" if value < 0 else "") + written


def point_text(point: Sequence[float], digits: int = 0) -> str:
    """A pair of numbers as written: (1, 2)."""
    return f"({', '.join(text(shown(value, digits)) for value in point)})"


def significant(value: float, digits: int = 3) -> str:
    """`value` at `digits` significant digits, without trailing zeros: 0.0316, 3.16e-5, 1e9."""
    rounded = Decimal(f"{value:.{digits - 1}e}")
    power = rounded.adjusted() if rounded else 0
    if -4 <= power <= 7:
        return text(rounded.quantize(1) if rounded == rounded.to_integral() else
                    rounded.normalize())
    return f"{text(rounded.scaleb(-power).normalize())}e{power}"


@dataclass(frozen=True)
class ShownSum:
    """`terms` [n] and their `total` as shown; exact: whether the shown terms add up to it."""

    terms: tuple[Decimal, ...]
    total: Decimal
    exact: bool


def shown_sum(terms: Numbers, digits: int = 2) -> ShownSum:
    """Terms of a sum, such as the exponentials under a softmax, and their total."""
    row, total = tuple(shown(term, digits) for term in terms), shown(float(np.sum(terms)), digits)
    return ShownSum(row, total, sum(row) == total)


@dataclass(frozen=True)
class ShownMix:
    """A weighted sum of integer columns as shown: Σ weights[j] · values[j, c] = totals[c].

    weights [n].  products [m][n], totals [m]: one per column.
    exact: whether the products of the shown weights add up to the totals; where they do not, the
    equation is written with ≈.
    """

    weights: tuple[Decimal, ...]
    products: tuple[tuple[Decimal, ...], ...]
    totals: tuple[Decimal, ...]
    exact: bool


def shown_mix(weights: Numbers, values: np.ndarray, digits: int = 2) -> ShownMix:
    """weights [n] · values [n, m], the values integers."""
    columns = [[int(value) for value in column] for column in np.asarray(values).T]
    if not np.array_equal(np.asarray(values).T, columns):
        raise ValueError("the values of a shown mix must be integers")
    row = tuple(shown(weight, digits) for weight in weights)
    products = tuple(tuple(_signless_zero(w * v) for w, v in zip(row, c)) for c in columns)
    totals = tuple(shown(float(np.dot(weights, column)), digits) for column in columns)
    return ShownMix(row, products, totals, all(sum(p) == t for p, t in zip(products, totals)))
