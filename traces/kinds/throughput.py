"""Checks of ``throughput``: tokens a second, latencies, and what the roofline needs.

Events: ``copy`` and ``matmul`` (the machine's two ceilings), ``prefill`` and ``decode`` rows
(time, tokens, FLOPs, bytes), ``latency`` rows (time to first token, time per output token).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._types import Big, Count, Fact, GpuConfig, Record, Spread, Time
from traces.trace import Trace

__all__ = ["COPY_BYTES", "DECODE_REPEATS", "MACHINE_REPEATS", "MATMUL_SIZE", "check",
           "decode_context", "work"]

COPY_BYTES, MATMUL_SIZE = 4 << 30, 8192
MACHINE_REPEATS, DECODE_REPEATS = 15, 3  # of a ceiling; of a decode, times the workload's
_WARM = 4  # decode steps before the first that counts

_Pair = Annotated[list[Count], Meta(min_length=2, max_length=2)]


class Workload(Record, frozen=True):
    repeats: Annotated[int, Meta(ge=3, lt=10_000)]
    context: Count
    prefill: list[_Pair]  # batch, length
    decode: list[Count]
    latency: list[Count]
    output: Annotated[int, Meta(ge=2, lt=2**31)]


class Copy(Fact, tag="copy", frozen=True):
    bytes: Big
    ms: Spread
    gb_s: Time


class Matmul(Fact, tag="matmul", frozen=True):
    size: Count
    ms: Spread
    tflop_s: Time


class Rate(Fact, frozen=True):
    """A prefill or a decode of so many tokens."""

    batch: Count
    context: Count
    tokens: Count
    us: Spread
    tokens_s: Time
    flops: Big
    bytes: Big
    tflop_s: Time


class Prefill(Rate, tag="prefill", frozen=True):
    key = ("batch", "length")
    length: Count


class Decode(Rate, tag="decode", frozen=True):
    key = ("batch",)


class Latency(Fact, tag="latency", frozen=True):
    key = ("prompt",)
    prompt: Count
    output: Count
    ttft_ms: Spread
    tpot_ms: Spread
    answer_ms: Time
    tokens_s: Time


def work(config: Mapping[str, int], sequences: int, new: int, context: int) -> tuple[int, int]:
    """FLOPs and the fewest bytes of one step: ``new`` tokens for each of ``sequences``, whose
    keys are ``context`` long at its end. Weights are read once, new K and V written once, cached
    ones read once; logits for one position a sequence (tied or not, the head is read once)."""
    hidden, layers = config["hidden_size"], config["num_hidden_layers"]
    q = config["num_attention_heads"] * config["head_dim"]
    kv = config["num_key_value_heads"] * config["head_dim"]
    body = layers * (hidden * (q + 2 * kv) + q * hidden + 3 * hidden * config["intermediate_size"])
    head = config["vocab_size"] * hidden
    tokens, item = sequences * new, config["itemsize"]
    pairs = sequences * (new * (context - new) + new * (new + 1) // 2)  # causal query-key pairs
    flops = 2 * body * tokens + 2 * head * sequences + 4 * layers * q * pairs
    cached = sequences * (context - new)
    return flops, item * (body + head + 2 * layers * kv * (cached + tokens))


def decode_context(context: int, repeats: int) -> int:
    """The keys of the step in the middle of those measured, which stands for all: the context
    grows by one a step, and the first token came with the prefill."""
    return context + 1 + _WARM + DECODE_REPEATS * repeats // 2


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Copy | Matmul | Prefill | Decode | Latency)
    check_engine(c)
    asked = c.workload
    c.rows([("copy",), ("matmul",), *(("prefill", *pair) for pair in asked.prefill),
            *(("decode", batch) for batch in asked.decode),
            *(("latency", prompt) for prompt in asked.latency)])
    copy, matmul, *_ = c.events
    _ceilings(c, copy, matmul)
    for prefill in c.all(Prefill):
        c.same(prefill, "context", prefill.context, prefill.length)
        _row(c, prefill, prefill.length, asked.repeats, matmul, copy)
    for decode in c.all(Decode):
        c.same(decode, "context", decode.context, decode_context(asked.context, asked.repeats))
        _row(c, decode, 1, DECODE_REPEATS * asked.repeats, matmul, copy)
    for row in c.all(Latency):
        ttft, tpot = (c.spread(row, name, asked.repeats, 4) for name in ("ttft_ms", "tpot_ms"))
        c.same(row, "output", row.output, asked.output)
        c.same(row, "output rate", row.tokens_s, round(1e3 / tpot.median, 2))
        c.same(row, "time of the answer", row.answer_ms,
               round(ttft.median + (row.output - 1) * tpot.median, 3))
    c.done()


def _ceilings(c: Check, copy: Copy, matmul: Matmul) -> None:
    c.same(copy, "bytes", copy.bytes, COPY_BYTES)
    c.same(matmul, "size", matmul.size, MATMUL_SIZE)
    times = [c.spread(event, "ms", MACHINE_REPEATS, 4).median for event in (copy, matmul)]
    c.same(copy, "rate", copy.gb_s, round(2 * copy.bytes / times[0] / 1e6, 1))
    c.same(matmul, "rate", matmul.tflop_s, round(2 * matmul.size ** 3 / times[1] / 1e9, 1))


def _row(c: Check, row: Rate, new: int, repeats: int, matmul: Matmul, copy: Copy) -> None:
    us = c.spread(row, "us", repeats, 1).median
    flops, moved = work(msgspec.structs.asdict(c.config), row.batch, new, row.context)
    for name, expected in (("tokens", row.batch * new), ("flops", flops), ("bytes", moved),
                           ("tokens_s", round(row.batch * new / us * 1e6, 1)),
                           ("tflop_s", round(flops / us / 1e6, 3))):
        c.same(row, name, getattr(row, name), expected)
    c.need(row.tflop_s <= matmul.tflop_s * 1.1, row, "faster than the machine multiplies")
    floor = moved / copy.gb_s / 1e3
    c.need(us >= floor * 0.8, row, f"faster than its bytes can move ({floor:.0f} us)")
