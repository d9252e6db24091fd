"""Checks of ``sampling``: logits rows and the engine's own draws from them, as counts.

Events: ``row`` (one prompt's last-position logits: top ids, texts, logits), and per row and
temperature one ``draws``: counts of the top ids and of the tail, with the row's partition sum.
"""

from __future__ import annotations

import math

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check", "chi_square"]


def chi_square(counts: list[int], expected: list[float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; cells expected under 5 times are pooled."""
    cells = [(n, e) for n, e in zip(counts, expected, strict=True) if e >= 5]
    rest = [(n, e) for n, e in zip(counts, expected, strict=True) if e < 5]
    pooled = sum(n for n, _ in rest), math.fsum(e for _, e in rest)
    if pooled[1] >= 1:
        cells.append(pooled)
    return math.fsum((n - e) ** 2 / e for n, e in cells), max(len(cells) - 1, 1)


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("row", "draws")
    rows, temperatures = c.some("row"), c.header.workload["temperatures"]
    c.same(None, "prompts", [row["prompt"] for row in rows], c.header.workload["prompts"])
    for i, row in enumerate(rows):
        c.same(row, "row", row["row"], i)
        c.need(row["top_logits"] == sorted(row["top_logits"], reverse=True), row,
               "top_logits do not fall")
        c.same(row, "top ids", len(set(row["top_ids"])), len(row["top_logits"]))
        c.counted(row, "top_texts", len(row["top_ids"]))
    expected = [(i, t) for i in range(len(rows)) for t in temperatures]
    draws = c.some("draws")
    c.same(draws[-1], "draws", [(d["row"], d["temperature"]) for d in draws], expected)
    for draw in draws:
        _draws(c, rows[draw["row"]], draw)
    c.done()


def _draws(c: Check, row: Event, draw: Event) -> None:
    """Counts add up, probabilities sum to 1, and the counts fit the probabilities."""
    total, counts = c.header.workload["draws"], c.counted(draw, "counts", len(row["top_ids"]))
    c.need(min(*counts, draw["tail_count"]) >= 0, draw, "a count is negative")
    c.same(draw, "sum of counts", sum(counts) + draw["tail_count"], total)
    p = [math.exp(x / draw["temperature"] - draw["log_partition"]) for x in row["top_logits"]]
    c.near(draw, "probability of top and tail", math.fsum(p) + draw["tail"], 1, 1e-4)
    found, cells = chi_square([*counts, draw["tail_count"]],
                              [x * total for x in (*p, max(draw["tail"], 0))])
    c.near(draw, "chi-square", draw["chi_square"], found, 0.02 + 1e-3 * found)
    c.same(draw, "degrees of freedom", draw["degrees"], cells)
    # Wilson–Hilferty: a sampler that draws from p exceeds this once in two million rows
    limit = cells * (1 - 2 / (9 * cells) + 4.9 * math.sqrt(2 / (9 * cells))) ** 3
    c.need(found < limit, draw, f"chi-square {found:.1f} over {limit:.1f}: these counts are not "
                                "draws from these logits")
