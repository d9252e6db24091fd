"""Checks of ``tensor-parallel``: one and two GPUs, all-reduces counted, messages measured.

Events: per geometry one ``geometry``; per geometry, TP size and shape of step one ``step`` (time)
and, with two GPUs, one ``traffic`` (all-reduces of that step) and one ``message`` (shared memory).
"""

from __future__ import annotations

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("geometry", "step", "traffic", "message", "pair")
    geometries = {g["name"]: g for g in c.some("geometry")}
    steps = {(s["geometry"], s["tp"], s["phase"], s["batch"], s["tokens"]): s
             for s in c.some("step")}
    for g in geometries.values():
        for name in ("num_heads", "num_kv_heads", "intermediate_size", "vocab_size"):
            c.need(g[name] % 2 == 0, g, f"{name} does not divide by two")
    for step in steps.values():
        _step(c, geometries, step)
    for traffic in c.some("traffic"):
        _traffic(c, geometries, traffic)
    for message in c.some("message"):
        c.same(message, "method", message["method"], "run")
        c.need(0 < message["bytes"] < 2 ** 20 - 4, message, "does not fit the shared memory")
    pairs = c.some("pair")
    c.same(pairs[-1], "pairs", len(pairs) * 2, len(steps))
    for pair in pairs:
        key = pair["phase"], pair["batch"], pair["tokens"]
        one, two = (steps[pair["geometry"], tp, *key]["us"]["median"] for tp in (1, 2))
        c.near(pair, "speed-up", pair["speedup"], one / two, 0.001)
    c.done()


def _step(c: Check, geometries: dict[str, Event], step: Event) -> None:
    c.need(step["geometry"] in geometries and step["tp"] in (1, 2), step, "of no known run")
    c.need(step["tokens"] == step["batch"] or step["phase"] == "prefill", step,
           "a decode computes one token a sequence")
    c.spread(step, "us", 5)


def _traffic(c: Check, geometries: dict[str, Event], traffic: Event) -> None:
    """Two all-reduces a layer and one for the embedding, each of tokens × hidden values."""
    g = geometries[traffic["geometry"]]
    c.same(traffic, "all-reduces", traffic["all_reduces"], 2 * g["num_layers"] + 1)
    each = traffic["tokens"] * g["hidden_size"] * g["itemsize"]
    c.same(traffic, "bytes of each", traffic["bytes_each"], each)
    c.same(traffic, "bytes", traffic["bytes"], each * traffic["all_reduces"])
    c.same(traffic, "gathers", traffic["gathers"], 1)
    c.counted(traffic, "kernel_us", traffic["all_reduces"])
    c.need(min(traffic["kernel_us"]) > 0, traffic, "an all-reduce took no time")
    c.near(traffic, "sum of the kernels", traffic["total_us"], sum(traffic["kernel_us"]), 0.1)
