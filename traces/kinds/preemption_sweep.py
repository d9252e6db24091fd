"""Checks of ``preemption-sweep``: one workload under pools of several sizes.

Events: per pool one ``run`` with counts of steps, preemptions and tokens, and the time it took.
"""

from __future__ import annotations

from traces.kinds._facts import Check

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("run")
    requests = c.header.workload["requests"]
    prompt = sum(len(r["prompt"]) if isinstance(r["prompt"], list) else r["prompt"]
                 for r in requests)
    wanted = sum(r["max_tokens"] for r in requests)
    runs, size = c.some("run"), c.header.config["block_size"]
    c.same(runs[-1], "pools", [r["blocks"] for r in runs], c.header.workload["pools"])
    for run in runs:
        c.same(run, "steps", run["steps"], run["prefill_steps"] + run["decode_steps"])
        c.same(run, "admissions", run["admissions"], len(requests) + run["preemptions"])
        # every admission's prefill ends in one kept token, every other kept token is one decode
        c.same(run, "tokens generated", run["decode_tokens"] + run["admissions"], wanted)
        c.same(run, "recomputed", run["recomputed"],
               run["prefill_tokens"] + run["first_hits"] - prompt)
        c.need(run["rehit"] % size == 0 <= run["rehit"], run, "re-hit tokens are not whole blocks")
        c.need(run["recomputed"] >= run["preemptions"], run,
               "a readmission computes at least one token")
        c.need(run["peak_blocks"] <= run["blocks"], run, "more blocks in use than there are")
        c.need(run["preemptions"] > 0 or run["recomputed"] == run["rehit"] == 0, run,
               "recomputed tokens without a preemption")
        c.spread(run, "ms")
    c.done()
