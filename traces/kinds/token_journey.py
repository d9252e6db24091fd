"""Checks of ``token-journey``: one prompt through the engine, every stage and counter of a step.

Events: ``prompt`` (text, ids, texts), ``cache`` (geometry of K and V), then per engine step one
``step``: inputs, slots, counters before and after, shapes, the last position's logits, the token.
"""

from __future__ import annotations

import math

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check"]


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("prompt", "cache", "step")
    prompt, cache, steps = c.one("prompt"), c.one("cache"), c.some("step")
    c.counted(prompt, "texts", len(prompt["ids"]))
    c.same(prompt, "text", prompt["text"], "".join(prompt["texts"]))
    c.same(prompt, "prompt of the workload", c.header.workload["prompt"], prompt["text"])
    c.same(cache, "bytes_per_token", cache["bytes_per_token"], 2 * cache["layers"]
           * cache["kv_heads"] * cache["head_dim"] * cache["itemsize"])
    known, cached, table = list(prompt["ids"]), 0, []
    for i, step in enumerate(steps):
        c.same(step, "step", step["step"], i)
        c.same(step, "phase", step["phase"], "decode" if i else "prefill")
        c.same(step, "ids", step["ids"], known[cached:])
        c.same(step, "positions", step["positions"], list(range(cached, len(known))))
        c.need(step["block_table"][:len(table)] == table, step, "its block table lost a block")
        table = step["block_table"]
        _progress(c, step, len(known), cached)
        _writes(c, step)
        _logits(c, step)
        cached = len(known)
        known.append(step["sampled"])
    c.same(steps[-1], "steps", len(steps), c.header.workload["max_tokens"])
    c.done()


def _progress(c: Check, step: Event, known: int, cached: int) -> None:
    scheduled = len(step["ids"])
    c.same(step, "counters before", step["before"],
           {"known": known, "cached": cached, "scheduled": scheduled})
    c.same(step, "counters after", step["after"],
           {"known": known + 1, "cached": cached + scheduled, "scheduled": 0})
    shapes = dict((name, shape) for name, *shape in step["shapes"])
    c.same(step, "shape of the ids", shapes["input ids"], [scheduled])
    for name in shapes.keys() - {"logits", "token"}:
        c.same(step, f"rows of {name}", shapes[name][0], scheduled)
    c.same(step, "shape of the logits", shapes["logits"], [1, c.header.config["vocab_size"]])


def _writes(c: Check, step: Event) -> None:
    """Each position's slot lies in its block, and the cache there holds the fresh K."""
    size = c.header.config["block_size"]
    slots = [step["block_table"][p // size] * size + p % size for p in step["positions"]]
    c.same(step, "slots", step["slots"], slots)
    c.need(all(0 <= b < c.header.config["num_blocks"] for b in step["block_table"]), step,
           "its block table leaves the pool")
    c.same(step, "norms of K in the cache", step["k_norm_cache"], step["k_norm_fresh"])
    c.counted(step, "k_norm_cache", len(slots))


def _logits(c: Check, step: Event) -> None:
    """The top logits fall, and with the tail their probabilities sum to 1."""
    logits = step["top_logits"]
    c.need(logits == sorted(logits, reverse=True), step, "top_logits do not fall")
    c.same(step, "top ids", len(set(step["top_ids"])), len(logits))
    c.counted(step, "top_texts", len(logits))
    mass = math.fsum(math.exp(x - step["log_partition"]) for x in logits)
    c.near(step, "probability of top and tail", mass + step["tail"], 1, 1e-4)
    c.need(0 <= step["tail"] < 1, step, "the tail's mass is no probability")
    if step["sampled"] in step["top_ids"]:
        i = step["top_ids"].index(step["sampled"])
        c.same(step, "text of the token", step["sampled_text"], step["top_texts"][i])
