"""Checks of ``attention-probe``: q, k, v as the kernel got them give the output it returned.

Events: ``probe`` (prompt, layer, scale), and per head one ``head``: q, k, v, output, each
[tokens][head_dim], after q_norm, k_norm and RoPE, in the engine's bf16.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from traces.kinds._bf16 import is_bf16
from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._types import Count, Fact, GpuConfig, Id, Real, Record, Text, Time, Whole
from traces.trace import Trace

__all__ = ["attention", "check"]

Matrix = Annotated[list[list[Real]], Meta(min_length=1, max_length=4096)]


class Workload(Record, frozen=True):
    prompt: Text
    layer: Whole
    heads: Annotated[list[Whole], Meta(min_length=1)]


class Probe(Fact, tag="probe", frozen=True):
    ids: Annotated[list[Id], Meta(min_length=1)]
    texts: list[Text]
    layer: Whole
    heads: list[Whole]
    num_heads: Count
    num_kv_heads: Count
    head_dim: Count
    scale: Time
    dtype: Literal["bfloat16"]


class Head(Fact, tag="head", frozen=True):
    key = ("head",)
    head: Whole
    kv_head: Whole
    q: Matrix
    k: Matrix
    v: Matrix
    output: Matrix
    largest_difference: Real
    bound: Real


def attention(q: ArrayLike, k: ArrayLike, v: ArrayLike, scale: float
              ) -> tuple[np.ndarray, np.ndarray]:
    """Causal attention in float64: the pattern [tokens, tokens] and the output [tokens, d]."""
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (q, k, v))
    scores = np.where(np.tri(len(q), dtype=bool), q @ k.T * scale, -np.inf)
    pattern = np.exp(scores - scores.max(axis=1, keepdims=True))
    pattern /= pattern.sum(axis=1, keepdims=True)
    return pattern, pattern @ v


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Probe | Head)
    config = check_engine(c)
    c.rows([("probe",), *(("head", head) for head in c.workload.heads)])
    probe, *heads = c.events
    c.same(probe, "text", "".join(probe.texts), c.workload.prompt)
    c.same(probe, "texts", len(probe.texts), len(probe.ids))
    c.lexicon((probe, probe.ids, probe.texts))
    c.need(max(probe.ids) < config.vocab_size, probe, "a token is outside the vocabulary")
    for name, expected in (("layer", c.workload.layer), ("heads", c.workload.heads),
                           ("num_heads", config.num_attention_heads),
                           ("num_kv_heads", config.num_key_value_heads),
                           ("head_dim", config.head_dim), ("scale", config.head_dim ** -0.5)):
        c.same(probe, name, getattr(probe, name), expected)
    c.need(probe.layer < config.num_hidden_layers, probe, "there is no such layer")
    for head in heads:
        c.need(head.head < probe.num_heads, head, "there is no such head")
        c.same(head, "kv_head", head.kv_head, head.head * probe.num_kv_heads // probe.num_heads)
        _head(c, probe, head)
    for a in heads:
        for b in heads:
            if a.kv_head == b.kv_head:
                c.same(b, "the K of a shared KV head", b.k, a.k)
                c.same(b, "the V of a shared KV head", b.v, a.v)
    c.done()


def _head(c: Check, probe: Probe, head: Head) -> None:
    for name in ("q", "k", "v", "output"):
        rows = getattr(head, name)
        c.same(head, f"shape of {name}", (len(rows), {len(row) for row in rows}),
               (len(probe.ids), {probe.head_dim}))
        c.need(bool(is_bf16(rows).all()), head, f"{name} holds a number that bf16 cannot")
    pattern, output = attention(head.q, head.k, head.v, probe.scale)
    apart = np.abs(output - np.asarray(head.output))
    # bf16 keeps 8 significant bits: each weight and the output are rounded once, 2 ** -9 of each;
    # as much again for q, k and v, which stand here in four digits
    allowed = 2.0 ** -8 * 1.25 * (pattern @ np.abs(np.asarray(head.v))) + 1e-3 * np.abs(output)
    worst = int((apart - allowed).argmax())
    c.need(bool((apart <= allowed).all()), head,
           f"attention of its q, k, v differs from its output by {apart.flat[worst]:.4g}, "
           f"bf16 allows {allowed.flat[worst]:.4g}")
    bound = round(2.0 ** -8 * float(np.abs(np.asarray(head.v)).max()), 8)
    c.near(head, "largest difference", head.largest_difference, float(apart.max()), 1.1e-8)
    c.same(head, "rounding bound", head.bound, bound)
