"""Checks of ``token-journey``: one prompt through the engine, every stage and counter of a step.

Events: ``prompt`` (text, ids, texts), ``cache`` (geometry of K and V), then per engine step one
``step``: inputs, slots, counters before and after, shapes, the last position's logits, the token.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._rows import check_mass, check_top
from traces.kinds._types import (
    Count,
    Fact,
    GpuConfig,
    Id,
    Phase,
    Real,
    Record,
    Share,
    Text,
    Time,
    Whole,
)
from traces.trace import Trace

__all__ = ["check"]


class Workload(Record, frozen=True):
    prompt: Text
    temperature: Annotated[float, Meta(gt=0, le=100)]
    max_tokens: Annotated[int, Meta(ge=1, le=10_000)]


class Prompt(Fact, tag="prompt", frozen=True):
    text: Text
    ids: Annotated[list[Id], Meta(min_length=1)]
    texts: list[Text]


class Cache(Fact, tag="cache", frozen=True):
    layers: Count
    kv_heads: Count
    head_dim: Count
    itemsize: Count
    bytes_per_token: Count


class Counters(Record, frozen=True):
    known: Count
    cached: Whole
    scheduled: Whole


class Step(Fact, tag="step", frozen=True):
    key = ("step",)
    step: Whole
    phase: Phase
    shapes: list[list[Any]]
    ids: list[Id]
    positions: list[Whole]
    slots: list[Whole]
    block_table: list[Whole]
    before: Counters
    k_norm_fresh: list[Time]
    k_norm_cache: list[Time]
    sampled: Id
    temperature: Time
    after: Counters
    top_ids: list[Id]
    top_logits: list[Real]
    top_texts: list[Text]
    log_partition: Real
    tail: Share
    sampled_text: Text


_Shape = list[str | int]


def _shapes(config: GpuConfig, tokens: int, phase: Literal["prefill", "decode"]) -> list[_Shape]:
    """Our names of a layer's stages with the shapes that follow from the config; layer 0 stands
    for all. The decode kernel's output has one more axis: one query a sequence."""
    heads, kv, width = config.num_attention_heads, config.num_key_value_heads, config.head_dim
    hidden, inner = config.hidden_size, config.intermediate_size
    rows: list[_Shape] = [
        ["input ids"], ["embedding", hidden], ["norm", hidden], ["qkv", (heads + 2 * kv) * width],
        ["q", heads, width], ["k", kv, width], ["q and k after RoPE", heads, width],
        ["attention output", *([1] if phase == "decode" else []), heads, width],
        ["o_proj", hidden], ["norm before the MLP", hidden], ["gate and up", 2 * inner],
        ["SiLU(gate) x up", inner], ["down", hidden], ["final norm", hidden]]
    return [*([name, tokens, *sizes] for name, *sizes in rows),
            ["logits", 1, config.vocab_size], ["token", 1]]


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Prompt | Cache | Step)
    config = check_engine(c)
    c.rows([("prompt",), ("cache",), *(("step", i) for i in range(c.workload.max_tokens))])
    prompt, cache, *steps = c.events
    c.same(prompt, "texts", len(prompt.texts), len(prompt.ids))
    c.same(prompt, "text", prompt.text, "".join(prompt.texts))
    c.same(prompt, "prompt of the workload", c.workload.prompt, prompt.text)
    for name, key in (("layers", "num_hidden_layers"), ("kv_heads", "num_key_value_heads"),
                      ("head_dim", "head_dim"), ("itemsize", "itemsize")):
        c.same(cache, name, getattr(cache, name), getattr(config, key))
    c.same(cache, "bytes_per_token", cache.bytes_per_token,
           2 * cache.layers * cache.kv_heads * cache.head_dim * cache.itemsize)
    known, cached, table = list(prompt.ids), 0, list[int]()
    for step in steps:
        _inputs(c, step, known, cached)
        c.same(step, "the beginning of its block table", step.block_table[:len(table)], table)
        table = step.block_table
        _logits(c, step)
        cached = len(known)
        known.append(step.sampled)
    c.lexicon((prompt, prompt.ids, prompt.texts),
              *((s, [*s.top_ids, s.sampled], [*s.top_texts, s.sampled_text]) for s in steps))
    c.done()


def _inputs(c: Check, step: Step, known: list[int], cached: int) -> None:
    """Ids, counters and shapes; each position's slot; the cache there holds the fresh K."""
    scheduled, size = len(known) - cached, c.config.block_size
    positions = list(range(cached, len(known)))
    c.same(step, "blocks", len(step.block_table), -(-len(known) // size))
    c.need(all(block < c.config.num_blocks for block in step.block_table), step,
           "its block table leaves the pool")
    for name, expected in (
            ("phase", "decode" if step.step else "prefill"), ("ids", known[cached:]),
            ("positions", positions),
            ("slots", [step.block_table[p // size] * size + p % size for p in positions]),
            ("before", Counters(len(known), cached, scheduled)),
            ("after", Counters(len(known) + 1, len(known), 0)),
            ("shapes", _shapes(c.config, scheduled, step.phase)),
            ("temperature", c.workload.temperature)):
        c.same(step, name, getattr(step, name), expected)
    c.same(step, "norms of K in the cache", step.k_norm_cache, step.k_norm_fresh)
    c.same(step, "norms of K", len(step.k_norm_cache), scheduled)


def _logits(c: Check, step: Step) -> None:
    check_top(c, step, step.top_ids, step.top_logits, step.top_texts)
    check_mass(c, step, step.top_logits, 1.0, step.log_partition, step.tail)
    c.need(step.sampled < c.config.vocab_size, step, "the token is outside the vocabulary")
