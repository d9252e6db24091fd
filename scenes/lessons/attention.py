"""Attention, every intermediate kept: look-up, fused projection, one head, and how it is written.

Two query heads and one K/V head of d = 2, so the projection is 8 wide: Q 4, K 2, V 2 columns.
Matrices are written [in, out], as in y = x W; a `Linear` stores Wᵀ. Numbers are pure, without
units. Sources: Vaswani et al. 2017, equation 1 (softmax(Q Kᵀ / √d) V); the engine's
layers/embed_head.py:38, layers/linear.py:73, models/qwen3.py:39 and 77-87 @bb823b3.
"""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ._check import read_only
from .rounding import ShownMix, ShownSum, shown, shown_mix, shown_sum

__all__ = [
    "COLUMNS", "HEADS", "HEAD_DIM", "Cell", "Head", "LookUp", "Projection", "ShownHead",
    "attend", "causal_mask", "look_up", "project", "shown_head",
]

HEADS, HEAD_DIM = 2, 2
_KV = HEADS * HEAD_DIM  # first K column of Y
COLUMNS = {"Q": slice(0, _KV), "K": slice(_KV, _KV + HEAD_DIM), "V": slice(_KV + HEAD_DIM, None)}


@dataclass(frozen=True, eq=False)
class LookUp:
    """ids [T] read rows of table [6, 4] → x [T, 4]. Copies, no arithmetic: not a reshape."""

    ids: tuple[int, ...]
    table: np.ndarray
    x: np.ndarray


def look_up(ids: tuple[int, ...], table: np.ndarray) -> LookUp:
    """Embedding (layers/embed_head.py:38@bb823b3)."""
    return LookUp(ids, read_only(table), read_only(table[list(ids)]))


@dataclass(frozen=True, eq=False)
class Cell:
    """Y[row, column] = Σ left · right: left, right, products [4]; the summed axis vanishes."""

    row: int
    column: int
    left: np.ndarray
    right: np.ndarray
    products: np.ndarray
    total: int


@dataclass(frozen=True, eq=False)
class Projection:
    """x [T, 4] · w [4, 8] = y [T, 8]; linear_weight [8, 4] is w as `Linear` stores it.

    q [T, 4], k [T, 2], v [T, 2]: the columns of y, as `COLUMNS` names them.
    """

    x: np.ndarray
    w: np.ndarray
    y: np.ndarray
    linear_weight: np.ndarray
    q: np.ndarray
    k: np.ndarray
    v: np.ndarray

    def cell(self, row: int, column: int) -> Cell:
        """One dot product, product by product."""
        left, right = self.x[row], self.w[:, column]
        return Cell(row, column, left, right, read_only(left * right), int(self.y[row, column]))


def project(x: np.ndarray, w: np.ndarray) -> Projection:
    """y = x W and its split (layers/linear.py:73, models/qwen3.py:78 @bb823b3)."""
    y = read_only(x @ w)
    q, k, v = (read_only(y[:, columns]) for columns in COLUMNS.values())
    return Projection(read_only(x), read_only(w), y, read_only(w.T), q, k, v)


def causal_mask(queries: int, keys: int, offset: int | None = None) -> np.ndarray:
    """Visible pairs [queries, keys], bool: query i stands at position i + offset, sees j ≤ that.

    The diagonal is kept: a position predicts the *next* token, so it may read itself. `offset`
    (keys − queries when not given) is the number of keys cached before the first query: with it
    a [2, 5] mask is not a triangle from the top left. ValueError when a query would see nothing.
    """
    offset = keys - queries if offset is None else offset
    if offset < 0:
        raise ValueError(f"offset must be at least 0, got {offset}: the first query sees no key")
    return read_only(np.arange(keys) <= np.arange(queries)[:, None] + offset)


@dataclass(frozen=True, eq=False)
class Head:
    """One head. q [Tq, d], k [Tk, d], v [Tk, d]; all others [Tq, Tk] unless given.

    scores: q kᵀ, summed over d.  divisor: √d, or 1 unscaled.  scaled: scores / divisor.
    mask: True where visible.  masked: scaled, −inf where hidden.  exps: e^(masked − row maximum).
    sums [Tq]: of exps.  weights: exps / sums, each row sums to 1.
    products [Tq, Tk, d]: weights · v before the sum over Tk.  output [Tq, d].
    """

    q: np.ndarray
    k: np.ndarray
    v: np.ndarray
    scores: np.ndarray
    divisor: float
    scaled: np.ndarray
    mask: np.ndarray
    masked: np.ndarray
    exps: np.ndarray
    sums: np.ndarray
    weights: np.ndarray
    products: np.ndarray
    output: np.ndarray


def attend(
    q: np.ndarray, k: np.ndarray, v: np.ndarray,
    causal: bool = True, scale: bool = True, offset: int | None = None,
) -> Head:
    """softmax(q kᵀ / √d + mask) v, for one head (Vaswani et al. 2017, equation 1).

    q [Tq, d], k [Tk, d], v [Tk, dv]; `offset` as in `causal_mask`.
    """
    divisor = float(np.sqrt(q.shape[-1])) if scale else 1.0
    scores = q @ k.T
    scaled = scores / divisor
    mask = causal_mask(len(q), len(k), offset) if causal else np.ones(scores.shape, bool)
    masked = np.where(mask, scaled, -np.inf)
    exps = np.exp(masked - masked.max(axis=1, keepdims=True))
    sums = exps.sum(axis=1)
    weights = exps / sums[:, None]
    products = weights[:, :, None] * v
    kept = (scores, scaled, mask, masked, exps, sums, weights, products, products.sum(axis=1))
    scores, scaled, mask, masked, exps, sums, weights, products, output = map(read_only, kept)
    return Head(read_only(q), read_only(k), read_only(v), scores, divisor, scaled, mask, masked,
                exps, sums, weights, products, output)


@dataclass(frozen=True)
class ShownHead:
    """A head as written: rows of Decimals, each number rounded by itself (see `rounding`).

    scaled, masked [Tq][Tk] (−Infinity where hidden); exps: Tq sums; mixes: Tq weighted sums, whose
    `weights` are the softmax row and whose `totals` are the output row. exact: all that is
    shown adds up, and every row of weights to 1.
    """

    scaled: tuple[tuple[Decimal, ...], ...]
    masked: tuple[tuple[Decimal, ...], ...]
    exps: tuple[ShownSum, ...]
    mixes: tuple[ShownMix, ...]
    exact: bool


def shown_head(head: Head, digits: int = 2) -> ShownHead:
    """Display rounding for a head with integer v; the exps have one digit more than the rest."""
    scaled, masked = (
        tuple(tuple(shown(x, digits) for x in row) for row in rows)
        for rows in (head.scaled, head.masked)
    )
    mixes = tuple(shown_mix(row, head.v, digits) for row in head.weights)
    exps = tuple(shown_sum(row, digits + 1) for row in head.exps)
    exact = (all(row.exact for row in exps) and
             all(mix.exact and sum(mix.weights) == 1 for mix in mixes))
    return ShownHead(scaled, masked, exps, mixes, exact)
