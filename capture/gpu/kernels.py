"""``attention-kernels``: attention with materialised scores against FlashAttention."""

from __future__ import annotations

from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.measure import gpu_ms, peak_bytes
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.kinds.attention_kernels import BATCH, flops

__all__ = ["record"]

_HEADS, _KV, _WIDTH, _ITEM, _BLOCK = 16, 8, 128, 2, 256


def record(session: Session) -> list[Recording]:
    import torch

    torch.manual_seed(session.spec.seed)
    lengths = session.spec.workload["lengths"]
    repeats = session.spec.workload["repeats"]
    with torch.inference_mode():
        rows = [_prefill(length, repeats) for length in lengths]
        rows += [_decode(length, repeats) for length in lengths]
    config = {"num_heads": _HEADS, "num_kv_heads": _KV, "head_dim": _WIDTH, "itemsize": _ITEM,
              "block_size": _BLOCK, "dtype": "bfloat16", "causal": True}
    return [session.made(config, rows)]


def _random(*shape: int) -> Any:
    import torch

    return torch.randn(shape, device="cuda", dtype=torch.bfloat16)


def _naive(q: Any, k: Any, v: Any, mask: Any) -> Any:
    """Scores and probabilities as whole matrices in memory; q, k, v are [heads, tokens, d]."""
    import torch

    scores = torch.baddbmm(mask, q, k.transpose(1, 2), alpha=_WIDTH ** -0.5)
    return torch.softmax(scores, dim=-1) @ v


def _prefill(length: int, repeats: int) -> Any:
    import torch
    from flash_attn import flash_attn_varlen_func

    q, k, v = _random(length, _HEADS, _WIDTH), *_random(2, length, _KV, _WIDTH)
    heads = [x.repeat_interleave(_HEADS // x.size(1), 1).transpose(0, 1).contiguous()
             for x in (q, k, v)]
    mask = torch.full((length, length), float("-inf"), device="cuda", dtype=q.dtype).triu_(1)
    ends = torch.tensor([0, length], dtype=torch.int32, device="cuda")

    def naive() -> Any:
        return _naive(*heads, mask)

    def flash() -> Any:
        return flash_attn_varlen_func(q, k, v, cu_seqlens_q=ends, cu_seqlens_k=ends,
                                      max_seqlen_q=length, max_seqlen_k=length,
                                      softmax_scale=_WIDTH ** -0.5, causal=True)

    apart = (naive().transpose(0, 1).float() - flash().float()).abs().max().item()
    times = [spread(gpu_ms(work, repeats), 4) for work in (naive, flash)]
    peaks = [peak_bytes(work) for work in (naive, flash)]
    return event("prefill", length=length, naive_ms=times[0], flash_ms=times[1],
                 ratio=round(times[0]["median"] / times[1]["median"], 3),
                 naive_peak_bytes=peaks[0], flash_peak_bytes=peaks[1],
                 score_bytes=_HEADS * length * length * _ITEM,
                 **flops(_HEADS, length, _WIDTH), largest_difference=round(apart, 5))


def _decode(context: int, repeats: int, batch: int = BATCH) -> Any:
    """One query row a sequence, its keys read through a shuffled block table."""
    import torch
    from flash_attn import flash_attn_with_kvcache

    blocks = batch * context // _BLOCK
    k, v = _random(2, blocks, _BLOCK, _KV, _WIDTH)
    tables = torch.randperm(blocks, device="cuda", dtype=torch.int32).view(batch, -1)
    q = _random(batch, 1, _HEADS, _WIDTH)
    lengths = torch.full((batch,), context, dtype=torch.int32, device="cuda")
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")

    def decode() -> Any:
        return flash_attn_with_kvcache(q, k, v, cache_seqlens=lengths, block_table=tables,
                                       softmax_scale=_WIDTH ** -0.5, causal=True)

    samples = []
    for _ in range(repeats):  # the L2 cache is overwritten before every call
        flush.zero_()
        samples += [1e3 * x for x in gpu_ms(decode, 1, warmup=0)]
    times = spread(samples[2:], 2)
    moved = 2 * batch * context * _KV * _WIDTH * _ITEM
    return event("decode", batch=batch, context=context, us=times, kv_bytes=moved,
                 gb_s=round(moved / times["median"] / 1e3, 2))
