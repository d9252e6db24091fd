"""``memory-equation``: the numbers that the engine's allocation saw, at several starts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from capture.gpu.alone import alone
from capture.gpu.base import Session, event
from capture.recording import Recording

__all__ = ["record", "watch_allocation"]


@contextlib.contextmanager
def watch_allocation() -> Iterator[list[dict[str, Any]]]:
    """Note what ``allocate_kv_cache`` reads and decides (`engine/model_runner.py:103@bb823b3`)."""
    import torch
    from nanovllm.engine.model_runner import ModelRunner

    original, info, stats = (ModelRunner.allocate_kv_cache, torch.cuda.mem_get_info,
                             torch.cuda.memory_stats)
    seen: list[dict[str, Any]] = []

    def allocate(runner: Any) -> None:
        noted: dict[str, Any] = {}

        def noted_info(*args: Any) -> tuple[int, int]:
            noted["free"], noted["total"] = found = info(*args)
            return found

        def noted_stats(*args: Any) -> Any:
            found = stats(*args)
            noted["peak"] = found["allocated_bytes.all.peak"]
            noted["current"] = found["allocated_bytes.all.current"]
            return found

        torch.cuda.mem_get_info, torch.cuda.memory_stats = noted_info, noted_stats
        try:
            original(runner)
        finally:
            torch.cuda.mem_get_info, torch.cuda.memory_stats = info, stats
        seen.append({**noted, **_decided(runner)})

    ModelRunner.allocate_kv_cache = allocate
    try:
        yield seen
    finally:
        ModelRunner.allocate_kv_cache = original


def _decided(runner: Any) -> dict[str, Any]:
    cache = runner.kv_cache  # [2, layers, blocks, block_size, kv_heads, head_dim]
    return {"blocks": cache.shape[2], "pool": cache.numel() * cache.element_size(),
            "layers": cache.shape[1], "block_size": cache.shape[3], "kv_heads": cache.shape[4],
            "head_dim": cache.shape[5], "itemsize": cache.element_size(),
            "weights": _bytes(runner.model.parameters()),
            "tables": _bytes(runner.model.buffers()),  # cos and sin of every position
            "utilization": runner.config.gpu_memory_utilization,
            "max_num_batched_tokens": runner.config.max_num_batched_tokens,
            "max_model_len": runner.config.max_model_len}


def _bytes(tensors: Any) -> int:
    """Bytes of tensors, one that is held twice counted once."""
    return sum({t.data_ptr(): t.numel() * t.element_size() for t in tensors}.values())


def record(session: Session) -> list[Recording]:
    """Each start in a process of its own: nothing of the one before is on the GPU any more. Each
    is made twice and the second kept: while kernels are still compiled for a size, copies made to
    tune them stand in the peak (54.5 MB at 2,048 tokens)."""
    starts = [[alone(_start, session, settings) for _ in range(2)][-1]
              for settings in session.spec.workload["starts"]]
    return [session.made(starts[0][1], [event("start", **facts) for facts, _ in starts])]


def _start(session: Session, settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What one start saw and decided, and the engine's settings."""
    with watch_allocation() as seen, session.engine(**settings) as engine:
        config = session.config(engine)
    noted, = seen
    size = 2 * noted["layers"] * noted["block_size"] * noted["kv_heads"] * noted["head_dim"]
    used = noted["total"] - noted["free"]
    usable = int(noted["total"] * noted["utilization"] - used - noted["peak"] + noted["current"])
    return {**noted, "used": used, "block_bytes": size * noted["itemsize"], "usable": usable,
            "tokens": noted["blocks"] * noted["block_size"]}, config
