"""A head of attention as texts: what a viewer reads off the screen, and can redo from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
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

    def addition(self, query: int) -> str:
        """A row's exponentials and their sum: 0.120 + 0.493 + 1.000 = 1.613."""
        terms, total = self.exps[query], self.sums[query]
        equals = "=" if sum(map(Decimal, terms)) == Decimal(total) else "≈"
        return f"{' + '.join(terms)} {equals} {total}"

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
