"""``launch-timeline``: the kernels of one decode step, eager and replayed; step time over batch."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from capture.gpu.base import Session, event
from traces.kinds._facts import spread
from traces.kinds.launch_timeline import classify
from traces.schema import Event

__all__ = ["decoding", "empty_pool", "profile", "record", "step_us"]


@contextlib.contextmanager
def decoding(engine: Any, batch: int, context: int, steps: int, seed: int = 0) -> Iterator[None]:
    """Within: ``batch`` sequences of ``context`` tokens are prefilled and can decode ``steps``."""
    import torch
    from nanovllm import SamplingParams

    source = torch.Generator().manual_seed(seed)
    for _ in range(batch):
        ids = torch.randint(1, 4000, (context,), generator=source).tolist()
        engine.add_request(ids, SamplingParams(max_tokens=steps + 1, ignore_eos=True))
    while engine.scheduler.waiting:
        engine.step()
    try:
        yield
    finally:
        scheduler = engine.scheduler
        for seq in list(scheduler.running):
            scheduler.block_manager.deallocate(seq)
        scheduler.running.clear()
        empty_pool(engine)


def empty_pool(engine: Any) -> None:
    """Forget every published block: the next prompts hit nothing."""
    manager = engine.scheduler.block_manager
    engine.scheduler.block_manager = type(manager)(len(manager.blocks), manager.block_size)


def step_us(engine: Any, repeats: int, warmup: int = 4) -> list[float]:
    """Host microseconds of each engine step; a step waits for its tokens, so the GPU is idle."""
    samples = []
    for i in range(warmup + repeats):
        begin = perf_counter_ns()
        engine.step()
        if i >= warmup:
            samples.append((perf_counter_ns() - begin) / 1e3)
    return samples


def profile(work: Any) -> tuple[list[dict], list[dict]]:
    """The kernels and the CUDA runtime calls of one call, by start, in microseconds from the
    first call."""
    import torch
    from torch.profiler import ProfilerActivity

    torch.cuda.synchronize()
    with torch.profiler.profile(activities=[ProfilerActivity.CPU,
                                            ProfilerActivity.CUDA]) as profiler:
        work()
        torch.cuda.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile.json"
        profiler.export_chrome_trace(str(file))
        found = [e for e in json.loads(file.read_text())["traceEvents"] if "dur" in e]
    kernels = [e for e in found if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    calls = [e for e in found if e.get("cat") in ("cuda_runtime", "cuda_driver")]
    zero = min(e["ts"] for e in (*kernels, *calls))
    rows = [[{"name": e["name"], "start": round(e["ts"] - zero, 3), "us": round(e["dur"], 3)}
             for e in sorted(part, key=lambda e: e["ts"])] for part in (kernels, calls)]
    return rows[0], rows[1]


def record(session: Session) -> list[Path]:
    workload, seed = session.spec.workload, session.spec.seed
    names: list[str] = []
    events: list[Event] = []
    with session.engine() as engine:
        runner = engine.model_runner
        with decoding(engine, workload["batch"], workload["context"], 40, seed):
            for mode in ("eager", "graph"):
                runner.enforce_eager = mode == "eager"
                step_us(engine, 1, warmup=8)
                profile(engine.step)  # the profiler's own start is not in the second one
                kernels, calls = profile(engine.step)
                events += _timeline(mode, workload["batch"], kernels, calls, names)
        rows = [_batch(engine, batch, workload, seed) for batch in workload["batches"]]
        config = session.config(engine)
    table = event("names", names=names, classes=[classify(name) for name in names])
    return [session.write(config, [table, *events, *rows])]


def _timeline(mode: str, batch: int, kernels: list[dict], calls: list[dict],
              names: list[str]) -> list[Event]:
    """One ``timeline`` with its kernels and the host's launches, copies and waits."""
    calls = [c for c in calls if any(word in c["name"] for word in
                                     ("Launch", "Memcpy", "Memset", "Synchronize"))]
    rows, classes = [], Counter()
    for kernel in kernels:
        name = kernel["name"][:120]
        if name not in names:
            names.append(name)
        classes[classify(name)] += 1
        rows.append(event("kernel", mode=mode, name=names.index(name), start=kernel["start"],
                          us=kernel["us"]))
    rows += [event("call", mode=mode, api=c["name"], start=c["start"], us=c["us"]) for c in calls]
    span = max(k["start"] + k["us"] for k in kernels) - kernels[0]["start"]
    return [event("timeline", mode=mode, batch=batch, kernels=len(kernels), calls=len(calls),
                  launches=sum("Launch" in c["name"] for c in calls), span_us=round(span, 3),
                  busy_us=round(sum(k["us"] for k in kernels), 3),
                  by_class=dict(sorted(classes.items()))), *rows]


def _batch(engine: Any, batch: int, workload: Any, seed: int) -> Event:
    runner, repeats = engine.model_runner, workload["repeats"]
    with decoding(engine, batch, workload["context"], 2 * repeats + 20, seed):
        times = {}
        for mode in ("eager", "graph"):
            runner.enforce_eager = mode == "eager"
            times[mode] = spread(step_us(engine, repeats), 1)
    bucket = next(b for b in runner.graph_bs if b >= batch)
    return event("batch", batch=batch, bucket=bucket, eager_us=times["eager"],
                 graph_us=times["graph"],
                 ratio=round(times["eager"]["median"] / times["graph"]["median"], 3))
