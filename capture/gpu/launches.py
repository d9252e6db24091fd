"""``launch-timeline``: the kernels of one step, a decode eager and replayed and eager prefills of
several lengths; step time over batch."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.timing import StageTimes
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.kinds.launch_timeline import STAGED, classify, is_launch
from traces.schema import Event

__all__ = ["decoding", "empty_pool", "profile", "prompt_of", "record", "step_us"]

_WARM = 8
_KEPT = ("Launch", "Memcpy", "Memset", "Synchronize")


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


def prompt_of(length: int, seed: int) -> list[int]:
    """Seeded random ids that every vocabulary here has."""
    import torch

    return torch.randint(1, 4000, (length,),
                         generator=torch.Generator().manual_seed(seed)).tolist()


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


def record(session: Session) -> list[Recording]:
    workload, seed = session.spec.workload, session.spec.seed
    names: list[str] = []
    events: list[Event] = []
    with session.engine() as engine:
        runner, batch = engine.model_runner, workload["batch"]
        with decoding(engine, batch, workload["context"], 99, seed):
            for k, mode in enumerate(("eager", "graph")):
                runner.enforce_eager = mode == "eager"
                facts = {"timeline": k, "phase": "decode", "mode": mode, "sequences": batch,
                         "tokens": batch}
                events += _watched(engine, lambda: None, facts, names)
        lengths = workload["prefill"]
        for length in (*lengths, *lengths):  # a length met first may compile once more
            _ask(engine, length, seed)()
            engine.step()
        for k, length in enumerate(lengths, 2):
            facts = {"timeline": k, "phase": "prefill", "mode": "eager", "sequences": 1,
                     "tokens": length}
            events += _watched(engine, _ask(engine, length, seed), facts, names)
        rows = [_batch(engine, batch, workload, seed) for batch in workload["batches"]]
        config = session.config(engine)
    table = event("names", names=names, classes=[classify(name) for name in names])
    return [session.made(config, [table, *events, *rows])]


def _ask(engine: Any, length: int, seed: int) -> Callable[[], None]:
    """Each call adds one request of ids of its own, all of them computed in the next step."""
    from nanovllm import SamplingParams

    seeds = count(seed, 1000)

    def ask() -> None:
        empty_pool(engine)
        engine.add_request(prompt_of(length, next(seeds)),
                           SamplingParams(max_tokens=1, ignore_eos=True))

    return ask


def _watched(engine: Any, ready: Callable[[], Any], facts: Mapping[str, Any],
             names: list[str]) -> list[Event]:
    """Steps by clock and CUDA events, without the profiler; then one step under it."""
    with StageTimes(engine) as times:
        for _ in range(_WARM + STAGED):
            ready()
            times.step()
    rows = times.rows()[_WARM:]
    middle = sorted(rows, key=lambda row: row["host_us"]["total"])[STAGED // 2]
    for _ in range(2):  # the profiler's own start is not in the second one
        ready()
        kernels, calls = profile(engine.step)
    us = spread([row["host_us"]["total"] for row in rows], 1)
    return _timeline({**facts, "us": us, **middle}, kernels, calls, names)


def _timeline(facts: Mapping[str, Any], kernels: list[dict], calls: list[dict],
              names: list[str]) -> list[Event]:
    """One ``timeline`` with its kernels and the host's launches, copies and waits."""
    calls = [c for c in calls if any(word in c["name"] for word in _KEPT)]
    number, rows, classes = facts["timeline"], [], Counter()
    for kernel in kernels:
        name = kernel["name"][:120]
        if name not in names:
            names.append(name)
        classes[classify(name)] += 1
        rows.append(event("kernel", timeline=number, name=names.index(name),
                          start=kernel["start"], us=kernel["us"]))
    rows += [event("call", timeline=number, api=c["name"], start=c["start"], us=c["us"])
             for c in calls]
    span = max(k["start"] + k["us"] for k in kernels) - kernels[0]["start"]
    launches = [c for c in calls if is_launch(c["name"])]
    return [event("timeline", **facts, kernels=len(kernels), calls=len(calls),
                  launches=len(launches), launch_us=_sum(launches), call_us=_sum(calls),
                  span_us=round(span, 3), busy_us=_sum(kernels),
                  by_class=dict(sorted(classes.items())),
                  by_api=dict(sorted(Counter(c["name"] for c in calls).items()))), *rows]


def _sum(rows: list[dict]) -> float:
    return round(sum(row["us"] for row in rows), 3)


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
