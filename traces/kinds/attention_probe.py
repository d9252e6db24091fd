"""Checks of ``attention-probe``: q, k, v as the kernel got them give the output it returned.

Events: ``probe`` (prompt, layer, scale), and per head one ``head``: q, k, v, output, each
[tokens][head_dim], after q_norm, k_norm and RoPE, in the engine's bf16.
"""

from __future__ import annotations

import numpy as np

from traces.kinds._facts import Check

__all__ = ["attention", "check"]


def attention(q, k, v, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Causal attention in float64: the pattern [tokens, tokens] and the output [tokens, d]."""
    q, k, v = (np.asarray(x, dtype=np.float64) for x in (q, k, v))
    scores = np.where(np.tri(len(q), dtype=bool), q @ k.T * scale, -np.inf)
    pattern = np.exp(scores - scores.max(axis=1, keepdims=True))
    pattern /= pattern.sum(axis=1, keepdims=True)
    return pattern, pattern @ v


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("probe", "head")
    probe, heads = c.one("probe"), c.some("head")
    count, width = len(probe["ids"]), probe["head_dim"]
    c.same(probe, "text", "".join(probe["texts"]), c.header.workload["prompt"])
    c.counted(probe, "texts", count)
    c.near(probe, "scale", probe["scale"], width ** -0.5, 1e-6)
    c.same(heads[-1], "heads", [head["head"] for head in heads], probe["heads"])
    group = probe["num_heads"] // probe["num_kv_heads"]
    for head in heads:
        c.same(head, "kv_head", head["kv_head"], head["head"] // group)
        for name in ("q", "k", "v", "output"):
            shape = np.asarray(head[name]).shape
            c.same(head, f"shape of {name}", shape, (count, width))
        pattern, output = attention(head["q"], head["k"], head["v"], probe["scale"])
        c.need(bool(np.allclose(pattern.sum(axis=1), 1)), head, "a row of weights is not 1")
        # bf16 keeps 8 significant bits: the weights and the output are each rounded once
        bound = 2.0 ** -8 * float(np.abs(head["v"]).max())
        apart = float(np.abs(output - np.asarray(head["output"])).max())
        c.need(apart <= bound, head, f"attention of its q, k, v differs from its output by "
                                     f"{apart:.4g}, bf16 allows {bound:.4g}")
        c.near(head, "largest difference", head["largest_difference"], apart, 1e-6 + 1e-3 * apart)
        c.near(head, "rounding bound", head["bound"], bound, 1e-6 + 1e-3 * bound)
    for a in heads:
        for b in heads:
            if a["kv_head"] == b["kv_head"]:
                c.same(b, "the K of a shared KV head", b["k"], a["k"])
                c.same(b, "the V of a shared KV head", b["v"], a["v"])
    c.done()
