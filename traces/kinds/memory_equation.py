"""Checks of ``memory-equation``: the block count that the engine computed from what it saw.

Events: per engine start one ``start`` with the numbers of `engine/model_runner.py:103@bb823b3`,
all in bytes.
"""

from __future__ import annotations

from traces.kinds._facts import Check

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("start")
    for start in c.some("start"):
        c.need(0 < start["utilization"] <= 1, start, "utilization is not a share")
        c.same(start, "used", start["used"], start["total"] - start["free"])
        c.need(start["peak"] >= start["current"] >= start["weights"] > 0, start,
               "peak, current and weights are out of order")
        c.same(start, "block_bytes", start["block_bytes"], 2 * start["layers"]
               * start["block_size"] * start["kv_heads"] * start["head_dim"] * start["itemsize"])
        usable = int(start["total"] * start["utilization"] - start["used"] - start["peak"]
                     + start["current"])
        c.same(start, "usable", start["usable"], usable)
        c.same(start, "blocks", start["blocks"], usable // start["block_bytes"])
        c.same(start, "pool", start["pool"], start["blocks"] * start["block_bytes"])
        c.need(start["pool"] <= start["free"], start, "the pool is larger than the free memory")
        c.same(start, "tokens", start["tokens"], start["blocks"] * start["block_size"])
    c.done()
