"""What is written on screen for a number, so that a viewer who adds it up gets what is shown.

Shown values are `Decimal`s with a fixed number of digits: `text` writes them, and sums and
products of them are exact. No shown value is a full unit of its last digit away from the truth,
except the total of a `ShownMix`, which may be exactly one unit away.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from itertools import product
from math import isinf, isnan

import numpy as np

from ._check import Numbers

__all__ = [
    "ShownMix", "ShownSum", "exact_digits", "point_text", "shown", "shown_mix", "shown_row",
    "shown_sum", "significant", "text", "unit",
]

_SEARCHED = 8  # 2^8 ways of rounding a row are tried; no row worked by hand is longer


def unit(digits: int) -> Decimal:
    """One unit of the last shown digit: 0.01 for two digits."""
    return Decimal(1).scaleb(-digits)


def _decimal(value: float | Decimal) -> Decimal:
    """Without binary noise: 0.285 is stored below 0.285, a viewer would still round it up."""
    return Decimal(repr(round(float(value), 12)))


def _quantized(value: Decimal, digits: int, rounding: str) -> Decimal:
    if value.is_infinite():
        return value
    return _signless_zero(value.quantize(unit(digits), rounding))


def _signless_zero(value: Decimal) -> Decimal:
    return value if value else abs(value)  # no "-0.00"


def shown(value: float | Decimal, digits: int = 2) -> Decimal:
    """`value` rounded half away from zero, as at school; ±inf stays; ValueError for NaN."""
    if isnan(value):
        raise ValueError("a number to show must not be NaN")
    return _quantized(_decimal(value), digits, ROUND_HALF_UP)


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


def shown_row(values: Numbers, digits: int = 2) -> tuple[Decimal, ...]:
    """Finite `values` [n] rounded so that they add up to their shown sum: 1.00 for probabilities.

    Largest remainder: all are cut to `digits`, and the units missing from the sum go to the values
    that lost most. A row that adds up by plain rounding is rounded plainly; an exact 0 stays 0.
    """
    exact = [_decimal(value) for value in values]
    row = [_quantized(value, digits, ROUND_FLOOR) for value in exact]
    total = _quantized(sum(exact, Decimal(0)), digits, ROUND_HALF_UP)
    missing = int((total - sum(row, Decimal(0))) / unit(digits))
    by_loss = sorted(range(len(row)), key=lambda i: row[i] - exact[i])
    for i in by_loss[:missing]:
        row[i] += unit(digits)
    return tuple(map(_signless_zero, row))


@dataclass(frozen=True)
class ShownSum:
    """`terms` [n] as shown; they add up to `total` exactly."""

    terms: tuple[Decimal, ...]
    total: Decimal


def shown_sum(terms: Numbers, digits: int = 2) -> ShownSum:
    """Rounded terms of a sum, such as the exponentials under a softmax, and their total."""
    row = shown_row(terms, digits)
    return ShownSum(row, sum(row, Decimal(0).quantize(unit(digits))))


@dataclass(frozen=True)
class ShownMix:
    """A weighted sum of integer columns as shown: Σ weights[j] · values[j, c] = totals[c].

    weights [n]: they add up to their shown sum if that was asked for.
    products [m][n], totals [m]: one per column.
    exact: whether the products of the shown weights add up to the totals. If not (no rounding
    does it), the totals are the plainly rounded truth and the equation is written with ≈.
    """

    weights: tuple[Decimal, ...]
    products: tuple[tuple[Decimal, ...], ...]
    totals: tuple[Decimal, ...]
    exact: bool


def shown_mix(
    weights: Numbers, values: np.ndarray, digits: int = 2, keep_sum: bool = True,
) -> ShownMix:
    """Round `weights` [n] so that a viewer can redo weights · values, values [n, m] integers.

    A rounding that gives every plainly rounded total is taken: the weights' own (`shown_row`, or
    plain if the weights need not keep their sum) when it does. Else, of all ways to cut or raise
    each weight, the one nearest to the true totals, provided none is more than a unit off.
    """
    columns = [[int(value) for value in column] for column in np.asarray(values).T]
    if not np.array_equal(np.asarray(values).T, columns):
        raise ValueError("the values of a shown mix must be integers")
    truth = [_decimal(np.dot(weights, column)) for column in columns]
    own = shown_row(weights, digits) if keep_sum else tuple(shown(w, digits) for w in weights)
    wanted = [_quantized(total, digits, ROUND_HALF_UP) for total in truth]

    def totals(row: tuple[Decimal, ...]) -> list[Decimal]:
        return [sum((w * v for w, v in zip(row, c)), Decimal(0)) for c in columns]

    def error(row: tuple[Decimal, ...]) -> Decimal:
        return max((abs(a - b) for a, b in zip(totals(row), truth)), default=Decimal(0))

    best = own
    if totals(own) != wanted:
        best = min((own, *_roundings(weights, own, digits, keep_sum)), key=error)
    exact = error(best) <= unit(digits)
    row = best if exact else own
    products = tuple(tuple(_signless_zero(w * v) for w, v in zip(row, c)) for c in columns)
    sums = (_quantized(t, digits, ROUND_HALF_UP) for t in totals(row)) if exact else wanted
    return ShownMix(row, products, tuple(sums), exact)


def _roundings(
    weights: Numbers, own: tuple[Decimal, ...], digits: int, keep_sum: bool,
) -> list[tuple[Decimal, ...]]:
    """Every way to cut or raise the weights [n]; with keep_sum only those adding up as `own`."""
    if len(own) > _SEARCHED:
        return []
    choices = []
    for weight in map(_decimal, weights):
        low = _quantized(weight, digits, ROUND_FLOOR)
        choices.append((low,) if low == weight else (low, low + unit(digits)))
    return [row for row in product(*choices) if not keep_sum or sum(row) == sum(own)]
