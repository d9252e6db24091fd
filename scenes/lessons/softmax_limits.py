"""What softmax does to a row of scores in a wider head, and to scores too large for its floats.

Numbers are pure, without units. Sources: Vaswani et al. 2017, section 3.2.1 (why 1 / √d); IEEE 754
binary32, whose largest number is e^88.7.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from .rounding import shown, significant, text

__all__ = ["DRAWS", "GROWTH", "LIFT", "PLACES", "REACH", "SEED", "SafeRow", "Spread",
           "largest_exponent", "largest_float", "random_scores", "safe_row", "spread"]

GROWTH = 4  # a head of GROWTH² times the width has scores about GROWTH times as far apart
SEED, DRAWS = 1, 12_000
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
PLACES = (-1, 0, 1)  # standard deviations from the middle
BINS, REACH = 32, 4  # of a histogram that reaches 4 standard deviations to each side
LIFT = 100  # added to scores that shall overflow


@dataclass(frozen=True, eq=False)
class Spread:
    """Scores of random queries and keys in a head `width` wide, drawn with SEED.

    density [BINS]: of equal bins from -REACH to REACH times √width.  deviation: their standard
    deviation.  three, weights: the scores at the same three places of each hill, one deviation
    below its middle, there, and one above, and their softmax, as texts; divided, soft: the same
    after the division by √width.  largest, softest: the largest weight of each, 0..1.
    """

    width: int
    density: np.ndarray
    deviation: float
    three: tuple[str, ...]
    weights: tuple[str, ...]
    divided: tuple[str, ...]
    soft: tuple[str, ...]
    largest: float
    softest: float


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
    return np.asarray(powers / powers.sum())


def random_scores(width: int) -> np.ndarray:
    """[DRAWS]: dot products of pairs of vectors whose entries are standard normal."""
    pairs = np.random.default_rng([SEED, width]).standard_normal((2, DRAWS, width))
    return np.asarray((pairs[0] * pairs[1]).sum(axis=1))


def spread(width: int) -> Spread:
    """The three are, of all scores drawn, those nearest to their places."""
    scores, root = random_scores(width), np.sqrt(width)
    places = scores.mean() + scores.std() * np.array(PLACES)
    three = np.round([scores[np.abs(scores - place).argmin()] for place in places], 1)
    density, _ = np.histogram(scores, BINS, (-REACH * root, REACH * root), density=True)
    hard, soft = _softmax(three), _softmax(three / root)

    def row(values: np.ndarray, digits: int = 2) -> tuple[str, ...]:
        return tuple(text(shown(value, digits)) for value in values)

    return Spread(width, density, float(scores.std()), row(three, 1), row(hard),
                  row(three / root), row(soft), float(hard.max()), float(soft.max()))


def largest_exponent() -> int:
    """The largest whole x for which e^x is still a 32-bit float."""
    return int(np.log(float(np.finfo(np.float32).max)))


def largest_float() -> str:
    """The largest 32-bit float, to one digit, as a power of ten is written."""
    digit, power = f"{float(np.finfo(np.float32).max):.0e}".split("e+")
    return f"{digit}·10{power.translate(_RAISED)}"


def _power(score: Decimal) -> str:
    with np.errstate(over="ignore"):
        power = float(np.exp(np.float32(score)))
    return "∞" if np.isinf(power) else significant(power)


def safe_row(scores: Sequence[float], digits: int = 3) -> SafeRow:
    """`scores` [n], unrounded; each number is rounded by itself, when it is written.

    To `digits`; those that are LIFT higher to one digit.
    """
    row = [shown(score, digits) for score in scores]
    lifted, top = [score + LIFT for score in row], max(scores)
    apart = [score - top for score in scores]
    return SafeRow(
        tuple(map(text, row)), tuple(text(shown(score + LIFT, 1)) for score in scores),
        tuple(map(_power, row)),
        tuple(map(_power, lifted)), list(scores).index(top), tuple(
            text(shown(x, digits)) for x in apart),
        tuple(text(shown(float(np.exp(x)), 3)) for x in apart))
