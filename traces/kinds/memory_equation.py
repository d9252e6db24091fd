"""Checks of ``memory-equation``: the block count that the engine computed from what it saw.

Events: per engine start, each in a process of its own, one ``start`` with the numbers of
`engine/model_runner.py:103@bb823b3`, all in bytes. ``current`` holds the weights, the ``tables``
(cos and sin of every position, float32) and the workspace of the matrix library.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from traces.geometry import parameter_count
from traces.kinds._engine import check_engine, sizes
from traces.kinds._facts import Check
from traces.kinds._types import Big, Count, Fact, GpuConfig, Record, Share
from traces.trace import Trace

__all__ = ["check"]

_WORKSPACE = 64 << 20  # more than the matrix library's workspace and a few small buffers


class Settings(Record, frozen=True):
    max_model_len: Count
    max_num_batched_tokens: Count
    gpu_memory_utilization: Share


class Workload(Record, frozen=True):
    starts: Annotated[list[Settings], Meta(min_length=1)]


class Start(Fact, tag="start", frozen=True):
    key = ("max_model_len", "max_num_batched_tokens", "utilization")
    free: Big
    total: Big
    peak: Big
    current: Big
    blocks: Count
    pool: Big
    layers: Count
    block_size: Count
    kv_heads: Count
    head_dim: Count
    itemsize: Count
    weights: Big
    tables: Big
    utilization: Share
    max_num_batched_tokens: Count
    max_model_len: Count
    used: Big
    block_bytes: Big
    usable: Big
    tokens: Big


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Start)
    config = check_engine(c)
    c.rows(("start", s.max_model_len, s.max_num_batched_tokens, s.gpu_memory_utilization)
           for s in c.workload.starts)
    first = c.events[0]
    for name in ("max_model_len", "max_num_batched_tokens"):
        c.same(first, name, getattr(first, name), getattr(config, name))
    c.same(first, "utilization", first.utilization, config.gpu_memory_utilization)
    c.same(first, "blocks of the first start", first.blocks, config.num_blocks)
    for start in c.events:
        _start(c, config, start)
        c.same(start, "total", start.total, first.total)
        c.same(start, "current", start.current, first.current)
        c.same(start, "free, in a process of its own", start.free, first.free)
        c.same(start, "tables", start.tables, first.tables)
    peaks = {s.max_num_batched_tokens: s.peak for s in c.events}
    for start in c.events:  # the warm-up's peak depends on its tokens alone
        c.same(start, "peak", start.peak, peaks[start.max_num_batched_tokens])
    c.done()


def _start(c: Check, config: GpuConfig, start: Start) -> None:
    for name, key in (("layers", "num_hidden_layers"), ("kv_heads", "num_key_value_heads"),
                      ("head_dim", "head_dim"), ("itemsize", "itemsize"),
                      ("block_size", "block_size")):
        c.same(start, name, getattr(start, name), getattr(config, key))
    possible = [config.itemsize * parameter_count(sizes(config), tied=tied)
                for tied in (True, False)]
    c.need(start.weights in possible, start, f"weights is {start.weights}, a model of these sizes "
                                             f"has {possible[0]} or {possible[1]}")
    c.same(start, "used", start.used, start.total - start.free)
    # one row of head_dim values a position, in float32
    c.need(start.tables % (4 * start.head_dim) == 0 < start.tables, start,
           "tables are no rows of cos and sin")
    c.need(0 <= start.current - start.weights - start.tables < _WORKSPACE, start,
           "current is not weights, tables and a workspace")
    c.need(start.current < start.peak < start.used + start.current, start,
           "peak, current and used are out of order")
    c.same(start, "block_bytes", start.block_bytes, 2 * start.layers * start.block_size
           * start.kv_heads * start.head_dim * start.itemsize)
    usable = int(start.total * start.utilization - start.used - start.peak + start.current)
    c.same(start, "usable", start.usable, usable)
    c.same(start, "blocks", start.blocks, usable // start.block_bytes)
    c.same(start, "pool", start.pool, start.blocks * start.block_bytes)
    c.need(start.pool <= start.free, start, "the pool is larger than the free memory")
    c.same(start, "tokens", start.tokens, start.blocks * start.block_size)
