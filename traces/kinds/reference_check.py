"""Checks of ``reference-check``: the engine's logits against the reference implementation's.

Events: ``compare`` (model, prompt, precision of the reference: largest and mean difference) and,
for the small model, the whole ``row`` of logits that the comparison is made of.
"""

from __future__ import annotations

import numpy as np

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check", "compare"]


def compare(engine, reference) -> dict[str, float]:
    """Largest and mean difference of two logits rows, and their spread, in float64."""
    a, b = np.asarray(engine, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    apart = np.abs(a - b)
    return {"largest": round(float(apart.max()), 5), "mean": round(float(apart.mean()), 6),
            "std": round(float(b.std()), 4), "same_first": bool(a.argmax() == b.argmax())}


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("compare", "row")
    rows = {(r["model"], r["prompt"], r["source"]): r for r in c.all("row")}
    compared = c.some("compare")
    wanted = [(p["model"], p["prompt"], precision) for p in c.header.workload["prompts"]
              for precision in ("bf16", "fp32")]
    c.same(compared[-1], "comparisons",
           [(e["model"], e["prompt"], e["precision"]) for e in compared], wanted)
    for event in compared:
        _compare(c, event, rows)
    c.done()


def _compare(c: Check, event: Event, rows: dict[tuple[str, str, str], Event]) -> None:
    c.need(0 <= event["mean"] <= event["largest"], event, "mean and largest are out of order")
    c.need(event["std"] > 0, event, "logits that do not differ")
    c.need(event["largest"] <= event["std"], event, "the difference is as large as the logits")
    key = event["model"], event["prompt"]
    if (*key, "engine") in rows:
        engine, reference = rows[*key, "engine"], rows[*key, event["precision"]]
        c.same(engine, "vocabulary", len(engine["logits"]), c.header.config["vocab_size"])
        found = compare(engine["logits"], c.counted(reference, "logits", len(engine["logits"])))
        for name in ("largest", "mean", "std"):
            c.near(event, name, event[name], found[name], 2e-4 + 1e-3 * abs(found[name]))
        c.same(event, "same_first", event["same_first"], found["same_first"])
