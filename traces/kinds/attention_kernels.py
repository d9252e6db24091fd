"""Checks of ``attention-kernels``: materialised attention against FlashAttention over the length.

Events: per length one ``prefill`` (milliseconds, peak bytes, both ways), per context one
``decode`` (one query row over a paged cache).
"""

from __future__ import annotations

from itertools import pairwise

from traces.kinds._facts import Check

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("prefill", "decode")
    config, rows, decodes = c.header.config, c.some("prefill"), c.some("decode")
    heads, width, item = config["num_heads"], config["head_dim"], config["itemsize"]
    c.same(rows[-1], "lengths", [row["length"] for row in rows], c.header.workload["lengths"])
    c.need(all(a < b for a, b in pairwise(c.header.workload["lengths"])), None,
           "the lengths do not rise")
    for row in rows:
        length = row["length"]
        c.same(row, "score bytes", row["score_bytes"], heads * length * length * item)
        c.same(row, "flops", row["flops"], 4 * heads * length * length * width)
        naive, flash = c.spread(row, "naive_ms", 5), c.spread(row, "flash_ms", 5)
        c.near(row, "ratio of the medians", row["ratio"], naive["median"] / flash["median"], 0.01)
        c.need(row["naive_peak_bytes"] >= row["score_bytes"], row,
               "the materialised scores do not fit its peak")
        output = heads * length * width * item
        c.need(row["flash_peak_bytes"] >= output, row, "the output does not fit flash's peak")
        c.need(0 <= row["largest_difference"] < 0.1, row, "the two ways disagree")
    c.same(decodes[-1], "contexts", [d["context"] for d in decodes], c.header.workload["lengths"])
    for decode in decodes:
        c.same(decode, "bytes of K and V", decode["kv_bytes"],
               2 * decode["batch"] * decode["context"] * config["num_kv_heads"] * width * item)
        times = c.spread(decode, "us", 5)
        c.near(decode, "gigabytes per second", decode["gb_s"],
               decode["kv_bytes"] / times["median"] / 1e3, 0.1)
    c.done()
