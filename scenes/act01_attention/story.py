"""What act 01 tells, as plain data: the lesson, and its numbers as they are written."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import exp
from typing import NamedTuple

import numpy as np

from scenes.lessons.attention import COLUMNS
from scenes.lessons.attention_by_hand import DEFAULT_IDS, AttentionLesson, attention_lesson
from scenes.lessons.elements import merge_heads
from scenes.lessons.rounding import shown, text
from scenes.stage import Source, param

__all__ = ["CELL", "ELEMENT", "PARTS", "QUERY", "ROLES", "SCORE", "Params", "Part", "Story",
           "Written", "tell"]

CELL = (0, 1)  # the cell of Y that is worked out: token 0, query column 1
QUERY = 2  # the row that is worked out in every later matrix: the last query sees all keys
SCORE = (QUERY, 1)
ELEMENT = 2  # the element whose coordinates are followed


class Part(NamedTuple):
    """A part of Y = X · W: its name, its role, and its columns."""

    name: str
    role: str
    columns: range

    @property
    def width(self) -> int:
        return len(self.columns)


PARTS = tuple(Part(name, name.lower(), range(8)[columns]) for name, columns in COLUMNS.items())
ROLES = [part.role for part in PARTS for _ in part.columns]  # one a column of W and Y


@dataclass(frozen=True)
class Params:
    ids: tuple = param(DEFAULT_IDS, 0, 5, least=3, most=3, help="three token ids")
    causal: bool = param(True, help="hide later keys")
    scale: bool = param(True, help="divide the scores by the root of d")
    seed: int = param(0, 0, 9999, help="matrices; 0 for the chosen ones")


def _rows(rows) -> list:
    return [[text(value) for value in row] for row in rows]


def _three(rows) -> list:
    """Three decimals, as many as the exponentials have: e^(difference) can be redone."""
    return [[text(shown(value, 3)) for value in row] for row in rows]


def _sum(terms, total, equals="=") -> str:
    return " + ".join(f"{a}·{b}" for a, b in terms) + f" {equals} {total}"


@dataclass(frozen=True)
class Written:
    """One head as texts [Tq][Tk], scaled to three decimals; sums [Tq]; output [Tq][d].

    `equals` of the mixes: "=" or "≈".
    """

    scores: list
    scaled: list
    exps: list
    sums: list
    weights: list
    output: list
    equals: list


@dataclass(frozen=True)
class Story:
    params: Params
    lesson: AttentionLesson
    source: Source

    @property
    def masking(self) -> str:
        return "causal" if self.params.causal else "open"

    @property
    def scaling(self) -> str:
        return "scaled" if self.params.scale else "plain"

    @property
    def weighing(self) -> str:
        """Equal tokens can make the two heads' weights agree."""
        return "other" if self.heads[0].weights != self.heads[1].weights else "equal"

    @cached_property
    def heads(self) -> tuple[Written, ...]:
        """Both heads as written; what is hidden is a plain 0."""
        return tuple(self._written(*pair) for pair in zip(self.lesson.heads, self.lesson.shown))

    @staticmethod
    def _written(head, as_shown) -> Written:
        def visible(rows):
            return [[text(value) if seen else "0" for value, seen in zip(*pair)]
                    for pair in zip(rows, head.mask)]

        scores = _rows(head.scores)
        return Written(
            scores, _three(head.scaled) if head.divisor != 1 else scores,
            visible(e.terms for e in as_shown.exps),
            [text(e.total) for e in as_shown.exps], visible(m.weights for m in as_shown.mixes),
            _rows(m.totals for m in as_shown.mixes),
            ["=" if m.exact else "≈" for m in as_shown.mixes])

    @cached_property
    def product(self) -> tuple:
        """The worked cell of Y: its terms as pairs of texts, and its total."""
        cell = self.lesson.projection.cell(*CELL)
        return [(text(a), text(b)) for a, b in zip(cell.left, cell.right)], text(cell.total)

    @cached_property
    def score(self) -> tuple:
        """The worked score: terms, total."""
        head, (i, j) = self.lesson.heads[0], SCORE
        terms = [(text(a), text(b)) for a, b in zip(head.q[i], head.k[j])]
        return terms, self.heads[0].scores[i][j]

    @cached_property
    def softened(self) -> tuple:
        """The worked exponential of the query's row: its column, (score, largest, e^), equals.

        A column whose shown difference gives the shown exponential, the largest not among them
        if that can be had.
        """
        written = self.heads[0]
        row, exps = [float(score) for score in written.scaled[QUERY]], written.exps[QUERY]
        top = max(row)

        def error(j):
            return abs(float(shown(exp(row[j] - top), 3)) - float(exps[j]))

        column = min(range(len(row)), key=lambda j: (row[j] == top, error(j)))
        texts = (written.scaled[QUERY][column], written.scaled[QUERY][row.index(top)],
                 exps[column])
        return column, texts, "=" if row[column] == top else "≈"

    @cached_property
    def share(self) -> tuple:
        """The same column's weight: (e^, sum of the row, weight), equals."""
        column, (_, _, power), _ = self.softened
        total, weight = (self.heads[0].sums[QUERY], self.heads[0].weights[QUERY][column])
        exact = Decimal(power) == Decimal(weight) * Decimal(total)
        return (power, total, weight), "=" if exact else "≈"

    @cached_property
    def mix(self) -> tuple:
        """The worked output cell, column 0: terms, total, equals."""
        written, values = self.heads[0], self.lesson.heads[0].v
        terms = list(zip(written.weights[QUERY], (text(v) for v in values[:, 0])))
        return terms, written.output[QUERY][0], written.equals[QUERY]

    @cached_property
    def merged(self):
        """Both merges of the outputs as written: right, wrong [T, H·d] of texts, and origins."""
        return merge_heads(np.array([head.output for head in self.heads]))

    @cached_property
    def facts(self) -> dict:
        """Every number that the narration and the labels name."""
        element = self.lesson.elements.elements[ELEMENT]
        (score, top, power), same = self.softened[1:]
        (_, total, weight), divided = self.share
        return {
            "ids": ", ".join(map(str, self.params.ids)), "product": _sum(*self.product),
            "element": ELEMENT, "flat": element.flat, "viewed": element.viewed,
            "transposed": element.transposed, "query": QUERY, "met": SCORE[1],
            "score": _sum(*self.score), "d": self.lesson.heads[0].q.shape[1],
            "exp": f"exp({score} − {top}) {same} {power}", "sum": total,
            "gone": "exp(−∞) = 0", "nothing": f"0 / {self.heads[0].sums[1]} = 0",
            "share": f"{power} / {total} {divided} {weight}", "mix": _sum(*self.mix),
        }


def tell(params: Params) -> Story:
    """The lesson of these parameters."""
    lesson = attention_lesson(params.ids, params.causal, params.scale, params.seed)
    return Story(params, lesson, Source("HAND-COMPUTED"))
