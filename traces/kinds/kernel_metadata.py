"""Checks of ``kernel-metadata``: what a scheduled step becomes before the kernels see it.

Events: per step one ``plan``: its sequences (counters and block table) and the flat arrays that
`engine/model_runner.py:129,172@bb823b3` makes of them.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("plan")
    plans = c.some("plan")
    c.same(plans[-1], "plans", [p["name"] for p in plans], c.header.workload["plans"])
    for plan in plans:
        for row in plan["sequences"]:
            _sequence(c, plan, row)
        (_prefill if plan["phase"] == "prefill" else _decode)(c, plan)
    c.done()


def _sequence(c: Check, plan: Event, row: dict) -> None:
    size, name = c.header.config["block_size"], row["request"]
    c.need(0 <= row["cached"] < row["cached"] + row["scheduled"] <= row["known"], plan,
           f"{name}: counters out of order")
    c.same(plan, f"{name}: blocks", len(row["block_table"]), -(-row["known"] // size))
    c.need(len(set(row["block_table"])) == len(row["block_table"]), plan,
           f"{name}: a block twice in one table")
    c.need(all(0 <= b < c.header.config["num_blocks"] for b in row["block_table"]), plan,
           f"{name}: a block outside the pool")


def _common(c: Check, plan: Event) -> None:
    size = c.header.config["block_size"]
    spans = [(r, range(r["cached"], r["cached"] + r["scheduled"])) for r in plan["sequences"]]
    c.same(plan, "positions", plan["positions"], [p for _, span in spans for p in span])
    c.same(plan, "slots", plan["slots"], [r["block_table"][p // size] * size + p % size
                                         for r, span in spans for p in span])
    c.same(plan, "ids", plan["ids"], [i for r in plan["sequences"] for i in r["ids"]])
    c.need(len(set(plan["slots"])) == len(plan["slots"]), plan, "two tokens share a slot")


def _tables(plan: Event) -> list[list[int]]:
    tables = [row["block_table"] for row in plan["sequences"]]
    width = max(map(len, tables))
    return [table + [-1] * (width - len(table)) for table in tables]


def _prefill(c: Check, plan: Event) -> None:
    _common(c, plan)
    q = [row["scheduled"] for row in plan["sequences"]]
    k = [row["cached"] + row["scheduled"] for row in plan["sequences"]]
    for name, lengths in (("cu_seqlens_q", q), ("cu_seqlens_k", k)):
        c.need(all(a < b for a, b in pairwise(plan[name])), plan, f"{name} does not rise")
        c.same(plan, name, plan[name], [0, *accumulate(lengths)])
    c.same(plan, "max_seqlen_q", plan["max_seqlen_q"], max(q))
    c.same(plan, "max_seqlen_k", plan["max_seqlen_k"], max(k))
    c.same(plan, "logits rows", plan["logits_rows"], [x - 1 for x in plan["cu_seqlens_q"][1:]])
    c.same(plan, "block_tables", plan["block_tables"], _tables(plan) if k != q else None)
    c.same(plan, "K and V read from", plan["reads"], "cache" if k != q else "fresh")


def _decode(c: Check, plan: Event) -> None:
    _common(c, plan)
    c.same(plan, "phase", plan["phase"], "decode")
    c.same(plan, "scheduled", {row["scheduled"] for row in plan["sequences"]}, {1})
    c.same(plan, "context_lens", plan["context_lens"], [r["known"] for r in plan["sequences"]])
    c.same(plan, "block_tables", plan["block_tables"], _tables(plan))
    c.same(plan, "K and V read from", plan["reads"], "cache")
