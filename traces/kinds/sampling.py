"""Checks of ``sampling``: logits rows and the engine's own draws from them, as counts.

Events: ``row`` (one prompt's last-position logits: top ids, texts, logits), and per row and
temperature one ``draws``: counts of the top ids and of the tail, with the row's partition sum.
"""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta

from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._rows import check_mass, check_top
from traces.kinds._types import (
    Count,
    Fact,
    GpuConfig,
    Id,
    Real,
    Record,
    Share,
    Span,
    Text,
    Whole,
)
from traces.trace import Trace

__all__ = ["check", "chi_square"]


class Workload(Record, frozen=True):
    draws: Count
    temperatures: list[Annotated[float, Meta(gt=0, le=100)]]
    prompts: Annotated[list[Text], Meta(min_length=1)]


class Row(Fact, tag="row", frozen=True):
    key = ("row", "prompt")
    row: Whole
    prompt: Text
    ids: Annotated[list[Id], Meta(min_length=1)]
    top_ids: list[Id]
    top_logits: list[Real]
    top_texts: list[Text]


class Draws(Fact, tag="draws", frozen=True):
    key = ("row", "temperature")
    row: Whole
    temperature: Annotated[float, Meta(gt=0, le=100)]
    counts: list[Whole]
    tail_count: Whole
    distinct: Count
    log_partition: Real
    tail: Share
    chi_square: Span
    degrees: Count


def chi_square(counts: list[int], expected: list[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; cells expected under 5 times are pooled."""
    cells = [(n, e) for n, e in zip(counts, expected, strict=True) if e >= 5]
    rest = [(n, e) for n, e in zip(counts, expected, strict=True) if e < 5]
    pooled = sum(n for n, _ in rest), math.fsum(e for _, e in rest)
    if pooled[1] >= 1:
        cells.append(pooled)
    return math.fsum((n - e) ** 2 / e for n, e in cells), max(len(cells) - 1, 1)


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Row | Draws)
    check_engine(c)
    asked = c.workload
    c.rows([*(("row", i, prompt) for i, prompt in enumerate(asked.prompts)),
            *(("draws", i, t) for i in range(len(asked.prompts)) for t in asked.temperatures)])
    rows = c.all(Row)
    for row in rows:
        check_top(c, row, row.top_ids, row.top_logits, row.top_texts)
        c.need(max(row.ids) < c.config.vocab_size, row, "a token is outside the vocabulary")
    for draw in c.all(Draws):
        _draws(c, rows[draw.row], draw)
    c.lexicon(*((row, row.top_ids, row.top_texts) for row in rows))
    c.done()


def _draws(c: Check, row: Row, draw: Draws) -> None:
    """Counts add up, probabilities sum to 1, and the counts fit the probabilities."""
    total = c.workload.draws
    c.same(draw, "number of counts", len(draw.counts), len(row.top_ids))
    c.same(draw, "sum of counts", sum(draw.counts) + draw.tail_count, total)
    seen = sum(n > 0 for n in draw.counts)
    c.need(seen + (draw.tail_count > 0) <= draw.distinct <= seen + draw.tail_count, draw,
           f"{draw.distinct} different tokens, {seen} of the top were drawn")
    p = check_mass(c, draw, row.top_logits, draw.temperature, draw.log_partition, draw.tail)
    found, cells = chi_square([*draw.counts, draw.tail_count],
                              [x * total for x in (*p, draw.tail)])
    c.near(draw, "chi-square", draw.chi_square, found, 5.1e-5)
    c.same(draw, "degrees of freedom", draw.degrees, cells)
    # Wilson–Hilferty: a sampler that draws from p exceeds this once in two million rows
    limit = cells * (1 - 2 / (9 * cells) + 4.9 * math.sqrt(2 / (9 * cells))) ** 3
    c.need(found < limit, draw, f"chi-square {found:.1f} over {limit:.1f}: these counts are not "
                                "draws from these logits")
