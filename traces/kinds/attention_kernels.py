"""Checks of ``attention-kernels``: materialised attention against FlashAttention over the length.

Events: per length one ``prefill`` (milliseconds, peak bytes, both ways), per context one
``decode`` (one query row over a paged cache). ``flops`` counts the causal pairs of query and key,
the only ones that FlashAttention computes; ``naive_flops`` the whole square, which the
materialised way computes and then masks.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from msgspec import Meta

from traces.kinds._facts import Check
from traces.kinds._types import Big, Count, Fact, Record, Share, Spread, Time
from traces.trace import Trace

__all__ = ["BATCH", "check", "flops"]

BATCH = 8  # sequences in a decode
_SLACK = 1024  # bytes: the allocator rounds each of a few tensors up to 512


class Config(Record, frozen=True):
    num_heads: Count
    num_kv_heads: Count
    head_dim: Count
    itemsize: Literal[2]
    block_size: Count
    dtype: Literal["bfloat16"]
    causal: Literal[True]


class Workload(Record, frozen=True):
    lengths: Annotated[list[Count], Meta(min_length=1)]
    repeats: Annotated[int, Meta(ge=5, lt=10_000)]


class Prefill(Fact, tag="prefill", frozen=True):
    key = ("length",)
    length: Count
    naive_ms: Spread
    flash_ms: Spread
    ratio: Time
    naive_peak_bytes: Big
    flash_peak_bytes: Big
    score_bytes: Big
    flops: Big
    naive_flops: Big
    largest_difference: Share


class Decode(Fact, tag="decode", frozen=True):
    key = ("batch", "context")
    batch: Count
    context: Count
    us: Spread
    kv_bytes: Big
    gb_s: Time


def flops(heads: int, length: int, width: int) -> dict[str, int]:
    """Of Q K^T and P V: over the causal pairs, and over the whole square."""
    return {"flops": 2 * heads * width * length * (length + 1),
            "naive_flops": 4 * heads * width * length * length}


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, Config, Workload, Prefill | Decode)
    lengths = c.workload.lengths
    c.need(all(a < b for a, b in pairwise(lengths)), None, "the lengths do not rise")
    c.need(all(n % c.config.block_size == 0 for n in lengths), None, "a length is no whole blocks")
    c.need(c.config.num_heads % c.config.num_kv_heads == 0, None, "heads do not divide")
    c.rows([*(("prefill", n) for n in lengths), *(("decode", BATCH, n) for n in lengths)])
    for row in c.all(Prefill):
        _prefill(c, row)
    for decode in c.all(Decode):
        _decode(c, decode)
    c.done()


def _decode(c: Check, row: Decode) -> None:
    config = c.config
    c.same(row, "bytes of K and V", row.kv_bytes, 2 * row.batch * row.context
           * config.num_kv_heads * config.head_dim * config.itemsize)
    times = c.spread(row, "us", c.workload.repeats - 2, 2)
    c.same(row, "gigabytes per second", row.gb_s, round(row.kv_bytes / times.median / 1e3, 2))


def _prefill(c: Check, row: Prefill) -> None:
    heads, width, item = c.config.num_heads, c.config.head_dim, c.config.itemsize
    c.same(row, "score bytes", row.score_bytes, heads * row.length * row.length * item)
    for name, expected in flops(heads, row.length, width).items():
        c.same(row, name, getattr(row, name), expected)
    naive, flash = (c.spread(row, f"{way}_ms", c.workload.repeats, 4) for way in ("naive", "flash"))
    c.same(row, "ratio of the medians", row.ratio, round(naive.median / flash.median, 3))
    output = heads * row.length * width * item
    # scores and probabilities as whole matrices, and the output; flash: the output and one
    # log-sum-exp for each row, in float32
    c.near(row, "naive peak", row.naive_peak_bytes, 2 * row.score_bytes + output, _SLACK)
    c.near(row, "flash peak", row.flash_peak_bytes, output + 4 * heads * row.length, _SLACK)
    c.need(row.largest_difference < 0.1, row, "the two ways disagree")
