"""Checks of ``launch-timeline``: the kernels of one step, and the time of a step over the batch.

Events: ``names`` (kernel names with their class); per step looked at one ``timeline`` (a decode
eager and as a graph's replay, then eager prefills of several lengths), followed by its ``kernel``
and its host ``call`` events; per batch one ``batch``.

A timeline keeps host and GPU apart. Without the profiler: ``us``, whole steps by the host's clock,
and of the step in the middle ``host_us`` and ``gpu_us``, stage by stage (``host_us.wait``: what
the host still waits for the GPU once everything is enqueued; ``gpu_us`` spans from event to event,
idle gaps included). Under the profiler: ``busy_us``, the kernels' own time, ``span_us`` from the
first to the last, and the host's calls (microseconds from the first call).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Annotated, Literal

from msgspec import Meta

from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._stages import GpuStages, HostStages, check_stages
from traces.kinds._types import (
    Count,
    Fact,
    GpuConfig,
    Phase,
    Record,
    Span,
    Spread,
    Text,
    Time,
    Whole,
)
from traces.trace import Trace

__all__ = ["STAGED", "check", "classify", "is_launch"]

STAGED = 9  # steps measured without the profiler; odd: one of them is the middle

# the first class that has a word in the kernel's name
_CLASSES = (
    ("attention", ("flash", "fmha")), ("kv write", ("store_kvcache",)),
    ("communication", ("nccl",)), ("activation", ("silu",)),
    ("sampler", ("softmax", "argmax", "amax", "exponential", "distribution")),
    ("norm", ("rsqrt",)), ("rope", ("cat_index",)),
    ("embedding", ("indexselect", "vectorized_gather", "embedding")),
    ("last position", ("index_elementwise", "cudafunctoronself_add")),
    ("matmul", ("gemm", "gemv", "nvjet", "cutlass", "cublas", "splitk")),
    ("copy", ("memcpy", "memset", "copy", "fill")))

Mode = Literal["eager", "graph"]


class Workload(Record, frozen=True):
    batch: Count
    context: Count
    prefill: list[Count]
    repeats: Annotated[int, Meta(ge=5, lt=10_000)]
    batches: list[Count]


class Names(Fact, tag="names", frozen=True):
    names: list[Text]
    classes: list[Text]


class Timeline(Fact, tag="timeline", frozen=True):
    key = ("timeline", "phase", "mode", "sequences", "tokens")
    timeline: Whole
    phase: Phase
    mode: Mode
    sequences: Count
    tokens: Count
    us: Spread
    host_us: HostStages
    gpu_us: GpuStages
    kernels: Count
    calls: Count
    launches: Count
    launch_us: Time
    call_us: Time
    span_us: Time
    busy_us: Time
    by_class: dict[Text, Count]
    by_api: dict[Text, Count]


class Kernel(Fact, tag="kernel", frozen=True):
    key = ("timeline",)
    timeline: Whole
    name: Whole
    start: Span
    us: Time


class Call(Fact, tag="call", frozen=True):
    key = ("timeline",)
    timeline: Whole
    api: Text
    start: Span
    us: Span


class Batch(Fact, tag="batch", frozen=True):
    key = ("batch",)
    batch: Count
    bucket: Count
    eager_us: Spread
    graph_us: Spread
    ratio: Time


def classify(name: str) -> str:
    """The class of a kernel, from its name: attention, kv write, norm, matmul, … or other."""
    low = name.lower()
    for label, words in _CLASSES:
        if any(word in low for word in words):
            return label
    return "other"


def is_launch(api: str) -> bool:
    """Whether a host call starts work on the GPU that is no copy: a kernel or a whole graph."""
    return "Launch" in api


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Names | Timeline | Kernel | Call | Batch)
    check_engine(c)
    lines, kernels, calls = c.all(Timeline), c.all(Kernel), c.all(Call)
    mine = {t.timeline: ([k for k in kernels if k.timeline == t.timeline],
                         [k for k in calls if k.timeline == t.timeline]) for t in lines}
    asked = c.workload
    shapes = [*(("decode", mode, asked.batch, asked.batch) for mode in ("eager", "graph")),
              *(("prefill", "eager", 1, length) for length in asked.prefill)]
    tables = [[("timeline", k, *shape), *[("kernel", k)] * len(mine.get(k, ((), ()))[0]),
               *[("call", k)] * len(mine.get(k, ((), ()))[1])] for k, shape in enumerate(shapes)]
    c.rows([("names",), *chain(*tables), *(("batch", n) for n in asked.batches)])
    names = c.events[0]
    c.same(names, "classes", names.classes, list(map(classify, names.names)))
    c.same(names, "names, in the order in which they are met", list(range(len(names.names))),
           list(dict.fromkeys(k.name for k in kernels)))
    for line in lines:
        _timeline(c, names, line, *mine[line.timeline])
    c.need(lines[0].launches > lines[1].launches, lines[1], "a replay launches as much as eager")
    for batch in c.all(Batch):
        _batch(c, batch)
    c.done()


def _timeline(c: Check, names: Names, line: Timeline, kernels: list[Kernel],
              calls: list[Call]) -> None:
    c.same(line, "kernels", line.kernels, len(kernels))
    c.same(line, "calls", line.calls, len(calls))
    lists: tuple[Sequence[Kernel | Call], ...] = (kernels, calls)
    for a, b in chain.from_iterable(map(pairwise, lists)):
        c.need(a.start <= b.start, b, "starts before the one listed before it")
    for a, b in pairwise(kernels):
        c.need(a.start + a.us <= b.start, b, "runs while the kernel before it does")
    launches = [call for call in calls if is_launch(call.api)]
    for name, rows in zip(("busy", "call", "launch"), (*lists, launches)):
        c.near(line, f"{name}_us", getattr(line, f"{name}_us"), sum(k.us for k in rows), 0.0011)
    end = max(k.start + k.us for k in kernels)
    c.near(line, "span_us", line.span_us, end - kernels[0].start, 0.0011)
    classes = Counter(names.classes[k.name] for k in kernels)
    c.same(line, "kernels of each class", line.by_class, dict(classes))
    c.same(line, "calls of each kind", line.by_api, dict(Counter(call.api for call in calls)))
    layers = c.config.num_hidden_layers
    c.same(line, "writes to the cache", classes["kv write"], layers)
    c.need(classes["attention"] % layers == 0 < classes["attention"], line,
           f"{classes['attention']} attention kernels for {layers} layers")
    c.same(line, "launches", line.launches, len(launches))
    c.same(line, "graph launches", line.by_api.get("cudaGraphLaunch", 0), int(line.mode == "graph"))
    us = c.spread(line, "us", STAGED, 1)
    check_stages(c, line, line.host_us, line.gpu_us)
    c.same(line, "the step in the middle", line.host_us.total, us.median)


def _batch(c: Check, batch: Batch) -> None:
    fit = [b for b in c.config.graph_buckets if b >= batch.batch]
    c.same(batch, "bucket", batch.bucket, min(fit, default=None))
    eager, graph = (c.spread(batch, f"{mode}_us", c.workload.repeats, 1)
                    for mode in ("eager", "graph"))
    c.same(batch, "ratio", batch.ratio, round(eager.median / graph.median, 3))
