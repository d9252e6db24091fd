"""``throughput``: tokens a second, latencies, and the machine's two ceilings."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.launches import decoding, empty_pool, prompt_of, step_us
from capture.gpu.measure import gpu_ms
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.kinds.throughput import (
    COPY_BYTES,
    DECODE_REPEATS,
    MACHINE_REPEATS,
    MATMUL_SIZE,
    decode_context,
    work,
)
from traces.schema import Event

__all__ = ["prefill_us", "record"]


def record(session: Session) -> list[Recording]:
    import torch

    workload, seed = session.spec.workload, session.spec.seed
    torch.manual_seed(seed)
    events = [_copy(), _matmul()]
    torch.cuda.empty_cache()
    with session.engine() as engine:
        config = session.config(engine)
        for batch, length in workload["prefill"]:
            samples = prefill_us(engine, batch, length, workload["repeats"], seed)
            events.append(_row("prefill", config, batch, length, length, samples))
        for batch in workload["decode"]:
            repeats, context = workload["repeats"] * DECODE_REPEATS, workload["context"]
            with decoding(engine, batch, context, repeats + 10, seed):
                samples = step_us(engine, repeats)
            middle = decode_context(context, workload["repeats"])
            events.append(_row("decode", config, batch, 1, middle, samples))
        events += [_latency(engine, prompt, workload, seed) for prompt in workload["latency"]]
    return [session.made(config, events)]


def _row(name: str, config: dict, batch: int, new: int, context: int, us: list[float]) -> Event:
    times, tokens = spread(us, 1), batch * new
    flops, moved = work(config, batch, new, context)
    length = {"length": new} if name == "prefill" else {}
    return event(name, batch=batch, **length, context=context, tokens=tokens, us=times,
                 tokens_s=round(tokens / times["median"] * 1e6, 1), flops=flops, bytes=moved,
                 tflop_s=round(flops / times["median"] / 1e6, 3))


def _copy() -> Event:
    """A device-to-device copy far larger than the L2 cache; bytes count once, moved twice."""
    import torch

    source = torch.randint(0, 255, (COPY_BYTES,), dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    times = spread(gpu_ms(lambda: target.copy_(source), MACHINE_REPEATS), 4)
    return event("copy", bytes=source.numel(), ms=times,
                 gb_s=round(2 * source.numel() / times["median"] / 1e6, 1))


def _matmul(size: int = MATMUL_SIZE) -> Event:
    import torch

    a, b = (torch.randn(size, size, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    times = spread(gpu_ms(lambda: a @ b, MACHINE_REPEATS), 4)
    return event("matmul", size=size, ms=times,
                 tflop_s=round(2 * size ** 3 / times["median"] / 1e9, 1))


def prefill_us(engine: Any, batch: int, length: int, repeats: int, seed: int) -> list[float]:
    """One whole prefill step of ``batch`` prompts of ``length``: each of its own ids, no cache."""
    from nanovllm import SamplingParams

    samples = []
    for i in range(repeats + 2):
        empty_pool(engine)
        for j in range(batch):
            engine.add_request(prompt_of(length, seed + 1000 * i + j),
                               SamplingParams(max_tokens=1, ignore_eos=True))
        begin = perf_counter_ns()
        engine.step()
        samples.append((perf_counter_ns() - begin) / 1e3)
        if not engine.is_finished():
            raise RuntimeError("the prefill took more than one step")
    return samples[2:]


def _latency(engine: Any, prompt: int, workload: Any, seed: int) -> Event:
    """One request alone: from its arrival to its first token, and from token to token."""
    from nanovllm import SamplingParams

    first, between = [], []
    for i in range(workload["repeats"] + 1):
        ids = prompt_of(prompt, seed + i)
        empty_pool(engine)
        begin = perf_counter_ns()
        engine.add_request(ids, SamplingParams(max_tokens=workload["output"], ignore_eos=True))
        engine.step()
        first.append((perf_counter_ns() - begin) / 1e6)
        begin = perf_counter_ns()
        while not engine.is_finished():
            engine.step()
        between.append((perf_counter_ns() - begin) / 1e6 / (workload["output"] - 1))
    ttft, tpot = spread(first[1:], 4), spread(between[1:], 4)
    return event("latency", prompt=prompt, output=workload["output"], ttft_ms=ttft, tpot_ms=tpot,
                 answer_ms=round(ttft["median"] + (workload["output"] - 1) * tpot["median"], 3),
                 tokens_s=round(1e3 / tpot["median"], 2))
