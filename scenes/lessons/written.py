"""A head of attention as texts: what a viewer reads off the screen, and can redo from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import exp
from typing import NamedTuple

from .attention import Head, ShownHead
from .rounding import shown, text

__all__ = ["WorkedSum", "WrittenHead", "worked_sum", "written_head"]

Texts = tuple[tuple[str, ...], ...]


class WorkedSum(NamedTuple):
    """A dot product in texts: terms are pairs; `equals` is "=", or "≈" where rounding shows."""

    terms: tuple[tuple[str, str], ...]
    total: str
    equals: str = "="

    def __str__(self) -> str:
        return " + ".join(f"{a}·{b}" for a, b in self.terms) + f" {self.equals} {self.total}"


@dataclass(frozen=True)
class WrittenHead:
    """Texts [Tq][Tk] of one head; sums [Tq]; output [Tq][d]. What is hidden is a plain 0.

    scaled has three decimals, as many as the exponentials: e^(difference) can be redone.
    equals [Tq]: "=" or "≈", whether the written weights give the written output exactly.
    """

    scores: Texts
    scaled: Texts
    exps: Texts
    sums: tuple[str, ...]
    weights: Texts
    output: Texts
    equals: tuple[str, ...]

    @property
    def ones(self) -> tuple[str, ...]:
        """[Tq]: a row of weights adds up to 1, or does nearly, once each is rounded."""
        return tuple(("=" if sum(map(Decimal, row)) == 1 else "≈") + " 1" for row in self.weights)

    def worked_column(self, query: int) -> int:
        """The column of a row to work out: its written difference gives its written exponential.

        The largest score's own, e^0 = 1, only if there is no better.
        """
        row, exps = [float(score) for score in self.scaled[query]], self.exps[query]
        top = max(row)
        return min(range(len(row)), key=lambda j: (
            row[j] == top, abs(float(shown(exp(row[j] - top), 3)) - float(exps[j]))))

    def exponential(self, query: int) -> str:
        """The worked exponential of a row: exp(score − largest score) ≈ value."""
        row, column = self.scaled[query], self.worked_column(query)
        top = max(row, key=float)
        equals = "=" if float(row[column]) == float(top) else "≈"
        return f"exp({row[column]} − {top}) {equals} {self.exps[query][column]}"

    def weight(self, query: int) -> str:
        """The same column's weight: exponential / sum of the row ≈ weight."""
        column, total = self.worked_column(query), self.sums[query]
        power, weight = self.exps[query][column], self.weights[query][column]
        equals = "=" if Decimal(power) == Decimal(weight) * Decimal(total) else "≈"
        return f"{power} / {total} {equals} {weight}"

    def mix(self, query: int, values: Iterable[int]) -> WorkedSum:
        """The row's weights times the first column of the values."""
        terms = zip(self.weights[query], map(text, values))
        return WorkedSum(tuple(terms), self.output[query][0], self.equals[query])


def worked_sum(left: Iterable[int], right: Iterable[int], total: int) -> WorkedSum:
    """An exact dot product, written: [n] · [n] = total."""
    return WorkedSum(tuple((text(a), text(b)) for a, b in zip(left, right)), text(total))


def _texts(rows: Iterable[Sequence]) -> Texts:
    return tuple(tuple(map(text, row)) for row in rows)


def written_head(head: Head, rounded: ShownHead) -> WrittenHead:
    """`rounded`: the same head's display rounding, as `shown_head` gives it."""
    def visible(rows: Iterable[Sequence]) -> Texts:
        return tuple(tuple(text(value) if seen else "0" for value, seen in zip(*pair))
                     for pair in zip(rows, head.mask))

    scores = _texts(head.scores)
    scaled = _texts([shown(value, 3) for value in row] for row in head.scaled)
    return WrittenHead(
        scores, scaled if head.divisor != 1 else scores,
        visible(sum_.terms for sum_ in rounded.exps),
        tuple(text(sum_.total) for sum_ in rounded.exps),
        visible(mix.weights for mix in rounded.mixes), _texts(mix.totals for mix in rounded.mixes),
        tuple("=" if mix.exact else "≈" for mix in rounded.mixes))
