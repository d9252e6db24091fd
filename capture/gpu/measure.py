"""Times on the GPU, by CUDA events and by the host's clock, after a warm-up."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

__all__ = ["gpu_ms", "host_us", "peak_bytes"]


def gpu_ms(work: Callable[[], Any], repeats: int, warmup: int = 3) -> list[float]:
    """Milliseconds between two events around each call, in the order of the calls."""
    import torch

    for _ in range(warmup):
        work()
    pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(repeats)]
    for begin, end in pairs:
        begin.record()
        work()
        end.record()
    torch.cuda.synchronize()
    return [begin.elapsed_time(end) for begin, end in pairs]


def host_us(work: Callable[[], Any], repeats: int, warmup: int = 3) -> list[float]:
    """Microseconds on the host from an idle GPU to an idle GPU."""
    import torch

    samples = []
    for i in range(warmup + repeats):
        torch.cuda.synchronize()
        begin = perf_counter_ns()
        work()
        torch.cuda.synchronize()
        if i >= warmup:
            samples.append((perf_counter_ns() - begin) / 1e3)
    return samples


def peak_bytes(work: Callable[[], Any]) -> int:
    """Bytes allocated at most during one call, beyond what was allocated before it."""
    import torch

    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    result = work()
    torch.cuda.synchronize()
    del result
    return torch.cuda.max_memory_allocated() - before
