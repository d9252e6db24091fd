"""Act 02: rotary position embedding on one small head.

Pair i is (x[i], x[i + d/2]): the halves, not neighbours. At position m it turns by the angle
m · theta^(−2i/d) radians. Sources: Su et al. 2021 (RoFormer); the engine's
layers/rotary_embedding.py:6-14 and 29 @bb823b3.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ._check import integers, read_only, real
from .rounding import shown

__all__ = [
    "DEFAULT_POSITIONS",
    "DotProduct",
    "RopeLesson",
    "Rotation",
    "ShownDot",
    "check_positions",
    "dot_product",
    "frequencies",
    "rope_lesson",
    "rotate",
    "shown_dot",
]

MAX_POSITION = 40_959  # Qwen3-0.6B's last
MAX_THETA = 1e9
DEFAULT_THETA = 16.0  # with d = 8 the frequencies are 1, 0.5, 0.25, 0.125: every pair moves
DEFAULT_POSITIONS = ((5, 3), (7, 5))
# Chosen by search: at distances 2 and 4 every pair has a plain angle, below half a turn, and the
# written coordinates of pair 0 give its written share of the score.
QUERY = read_only([1, 2, 1, 1, 2, 1, 2, 1])
KEY = read_only([-1, 1, 2, 2, 2, 1, 1, 0])


def frequencies(width: int, theta: float) -> np.ndarray:
    """[d/2], radians per position: theta^(−2i/d). ValueError for an odd or empty width."""
    if width < 2 or width % 2:
        raise ValueError(f"the head width must be even and at least 2, got {width}")
    return read_only(real("theta", theta, 1, MAX_THETA) ** (-np.arange(0, width, 2) / width))


@dataclass(frozen=True, eq=False)
class Rotation:
    """x [d] at `position`. first, second [d/2]: the pairs before; turned_first, turned_second

    [d/2]: after, by `angles` (radians, not reduced) with cos, sin [d/2]; output [d].
    """

    x: np.ndarray
    position: int
    frequencies: np.ndarray
    angles: np.ndarray
    cos: np.ndarray
    sin: np.ndarray
    first: np.ndarray
    second: np.ndarray
    turned_first: np.ndarray
    turned_second: np.ndarray
    output: np.ndarray

    @property
    def pairs(self) -> np.ndarray:
        """[d/2, 2]: the pairs before they turn, each a point."""
        return read_only(np.stack((self.first, self.second), axis=1))

    @property
    def turned(self) -> np.ndarray:
        """[d/2, 2]: the pairs at `position`."""
        return read_only(np.stack((self.turned_first, self.turned_second), axis=1))


def rotate(x: np.ndarray, position: int, theta: float = DEFAULT_THETA) -> Rotation:
    """Every pair turned by its own angle; lengths do not change."""
    rates = frequencies(len(x), theta)
    angles = position * rates
    cos, sin = np.cos(angles), np.sin(angles)
    first, second = np.split(np.asarray(x), 2)
    turned = first * cos - second * sin, second * cos + first * sin
    arrays = (angles, cos, sin, first, second, *turned, np.concatenate(turned))
    return Rotation(read_only(x), position, rates, *map(read_only, arrays))


@dataclass(frozen=True, eq=False)
class DotProduct:
    """One score: rotated query · rotated key. terms [d/2]: each pair's share; score: their sum.

    distance = query.position − key.position: all that the score depends on.
    """

    query: Rotation
    key: Rotation
    distance: int
    terms: np.ndarray
    score: float

    @property
    def between(self) -> np.ndarray:
        """[d/2], radians in [−π, π): each pair's angle from the turned key to the turned query."""
        query, key = (np.arctan2(r.turned_second, r.turned_first) for r in (self.query, self.key))
        return read_only((query - key + np.pi) % (2 * np.pi) - np.pi)


def dot_product(
    query: np.ndarray, key: np.ndarray, positions: tuple[int, int], theta: float = DEFAULT_THETA,
) -> DotProduct:
    """Score of query [d] at positions[0] with key [d] at positions[1], not divided by √d.

    The terms are computed from the distance, so that equal distances give equal numbers to the
    last bit; a test compares them with the products of the turned pairs.
    """
    q, k = (rotate(x, position, theta) for x, position in zip((query, key), positions))
    ahead = rotate(query, positions[0] - positions[1], theta)
    terms = read_only(ahead.turned_first * k.first + ahead.turned_second * k.second)
    return DotProduct(q, k, positions[0] - positions[1], terms, float(terms.sum()))


@dataclass(frozen=True)
class ShownDot:
    """A score as written, every number rounded on its own.

    query, key [d/2]: each turned pair's two coordinates; terms [d/2] and total; exact [d/2]:
    whether the written coordinates give the written term; adds: whether the written terms add up
    to the written total. Where they do not, ≈ is written.
    """

    query: tuple[tuple[Decimal, Decimal], ...]
    key: tuple[tuple[Decimal, Decimal], ...]
    terms: tuple[Decimal, ...]
    total: Decimal
    exact: tuple[bool, ...]
    adds: bool


def shown_dot(product: DotProduct, digits: int = 3) -> ShownDot:
    """Display rounding of one score."""
    query, key = (
        tuple((shown(a, digits), shown(b, digits))
              for a, b in zip(turned.turned_first, turned.turned_second))
        for turned in (product.query, product.key))
    terms, total = tuple(shown(t, digits) for t in product.terms), shown(product.score, digits)
    exact = tuple(shown(sum(a * b for a, b in zip(q, k)), digits) == term
                  for q, k, term in zip(query, key, terms))
    return ShownDot(query, key, terms, total, exact, sum(terms) == total)


def check_positions(positions: object) -> tuple[tuple[int, int], tuple[int, int]]:
    """Two (query, key) pairs, nested or as four integers in 0..40959, at one distance ≥ 0.

    ValueError otherwise: the beat claims that equal distances give equal scores.
    """
    items = tuple(positions) if isinstance(positions, Iterable) else (positions,)
    flat = [n for item in items for n in (item if isinstance(item, Iterable) else (item,))]
    q1, k1, q2, k2 = integers("positions", flat, 4, 0, MAX_POSITION)
    if q1 - k1 != q2 - k2 or q1 < k1:
        raise ValueError(
            "positions must be query,key,query,key with the same distance query − key ≥ 0 in both, "
            f"got distances {q1 - k1} and {q2 - k2}"
        )
    return (q1, k1), (q2, k2)


@dataclass(frozen=True, eq=False)
class RopeLesson:
    """theta, frequencies [4] for d = 8; products: the same q and k at both position pairs."""

    theta: float
    frequencies: np.ndarray
    products: tuple[DotProduct, DotProduct]

    @property
    def elsewhere(self) -> DotProduct:
        """The same q and k at another distance: the later query with the earlier key."""
        one, two = self.products
        return dot_product(one.query.x, one.key.x, (two.query.position, one.key.position),
                           self.theta)

    @property
    def unturned(self) -> float:
        """q · k before anything turns: positions do not enter."""
        return float(self.products[0].query.x @ self.products[0].key.x)


def rope_lesson(
    theta: float = DEFAULT_THETA, positions: object = DEFAULT_POSITIONS,
) -> RopeLesson:
    """theta: above 1, at most 1e9. positions: see `check_positions`."""
    theta = real("theta", theta, 1, MAX_THETA)
    first, second = (dot_product(QUERY, KEY, pair, theta) for pair in check_positions(positions))
    return RopeLesson(theta, frequencies(len(QUERY), theta), (first, second))
