"""Checks of ``throughput``: tokens a second, latencies, and what the roofline needs.

Events: ``copy`` and ``matmul`` (the machine's two ceilings), ``prefill`` and ``decode`` rows
(time, tokens, FLOPs, bytes), ``latency`` rows (time to first token, time per output token).
"""

from __future__ import annotations

from collections.abc import Mapping

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check", "work"]


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


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("copy", "matmul", "prefill", "decode", "latency")
    copy, matmul = c.one("copy"), c.one("matmul")
    c.near(copy, "rate", copy["gb_s"], 2 * copy["bytes"] / c.spread(copy, "ms")["median"] / 1e6, 1)
    c.near(matmul, "rate", matmul["tflop_s"],
           2 * matmul["size"] ** 3 / c.spread(matmul, "ms")["median"] / 1e9, 1)
    for name in ("prefill", "decode"):
        for row in c.some(name):
            _row(c, row, row["length"] if name == "prefill" else 1, matmul, copy)
    for row in c.some("latency"):
        ttft, tpot = c.spread(row, "ttft_ms"), c.spread(row, "tpot_ms")
        c.near(row, "output rate", row["tokens_s"], 1e3 / tpot["median"], 0.1)
        c.near(row, "time of the answer", row["answer_ms"],
               ttft["median"] + (row["output"] - 1) * tpot["median"], 0.02)
    c.done()


def _row(c: Check, row: Event, new: int, matmul: Event, copy: Event) -> None:
    us = c.spread(row, "us", 5)["median"]
    flops, moved = work(c.header.config, row["batch"], new, row["context"])
    c.same(row, "tokens", row["tokens"], row["batch"] * new)
    c.same(row, "FLOPs", row["flops"], flops)
    c.same(row, "bytes", row["bytes"], moved)
    c.near(row, "tokens a second", row["tokens_s"], row["tokens"] / us * 1e6, 1)
    c.near(row, "rate", row["tflop_s"], flops / us / 1e6, 0.01)
    c.need(row["tflop_s"] <= matmul["tflop_s"] * 1.1, row, "faster than the machine multiplies")
    floor = moved / copy["gb_s"] / 1e3
    c.need(us >= floor * 0.8, row, f"faster than its bytes can move ({floor:.0f} us)")
