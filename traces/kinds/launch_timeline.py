"""Checks of ``launch-timeline``: the kernels of one decode step, eager and replayed, and the time
of a step over the batch.

Events: ``names`` (kernel names with their class), per mode one ``timeline``, its ``kernel`` and
host ``call`` events (microseconds from the step's start), and per batch one ``batch``.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from traces.kinds._facts import Check
from traces.schema import Event

__all__ = ["check", "classify"]

# the first class that has a word in the kernel's name
_CLASSES = (
    ("attention", ("flash", "fmha")), ("kv write", ("store_kvcache",)),
    ("communication", ("nccl",)), ("activation", ("silu",)),
    ("sampler", ("softmax", "argmax", "amax", "exponential", "distribution")),
    ("norm", ("rsqrt",)), ("rope", ("cat_index",)), ("embedding", ("indexselect", "embedding")),
    ("matmul", ("gemm", "gemv", "nvjet", "cutlass", "cublas", "splitk")),
    ("copy", ("memcpy", "memset", "copy", "fill")))


def classify(name: str) -> str:
    """The class of a kernel, from its name: attention, kv write, norm, matmul, … or other."""
    low = name.lower()
    for label, words in _CLASSES:
        if any(word in low for word in words):
            return label
    return "other"


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("names", "timeline", "kernel", "call", "batch")
    names = c.one("names")
    c.same(names, "classes", names["classes"], [classify(name) for name in names["names"]])
    timelines = c.some("timeline")
    c.same(timelines[-1], "modes", [t["mode"] for t in timelines], ["eager", "graph"])
    for timeline in timelines:
        _timeline(c, names, timeline)
    eager, graph = timelines
    c.need(eager["launches"] > graph["launches"], graph, "a replay launches as much as eager")
    batches = c.some("batch")
    c.same(batches[-1], "batches", [b["batch"] for b in batches], c.header.workload["batches"])
    for batch in batches:
        fit = [b for b in c.header.config["graph_buckets"] if b >= batch["batch"]]
        c.same(batch, "bucket", batch["bucket"], min(fit))
        eager, graph = (c.spread(batch, name, 5) for name in ("eager_us", "graph_us"))
        c.near(batch, "ratio", batch["ratio"], eager["median"] / graph["median"], 0.01)
    c.done()


def _timeline(c: Check, names: Event, timeline: Event) -> None:
    mode, layers = timeline["mode"], c.header.config["num_hidden_layers"]
    kernels = [k for k in c.all("kernel") if k["mode"] == mode]
    calls = [k for k in c.all("call") if k["mode"] == mode]
    c.same(timeline, "kernels", timeline["kernels"], len(kernels))
    c.same(timeline, "calls", timeline["calls"], len(calls))
    for a, b in pairwise(kernels):
        c.need(a["start"] <= b["start"], b, "starts before the kernel listed before it")
    for event in (*kernels, *calls):
        c.need(event["start"] >= 0 <= event["us"], event, "a negative time")
    c.near(timeline, "busy", timeline["busy_us"], sum(k["us"] for k in kernels), 0.1)
    end = max(k["start"] + k["us"] for k in kernels)
    c.near(timeline, "span", timeline["span_us"], end - kernels[0]["start"], 0.1)
    c.need(timeline["busy_us"] <= timeline["span_us"] * 1.5, timeline, "busy beyond its span")
    classes = Counter(names["classes"][k["name"]] for k in kernels)
    c.same(timeline, "kernels of each class", timeline["by_class"], dict(sorted(classes.items())))
    c.same(timeline, "writes to the cache", classes["kv write"], layers)
    c.need(classes["attention"] % layers == 0 < classes["attention"], timeline,
           f"{classes['attention']} attention kernels for {layers} layers")
    c.same(timeline, "launches", timeline["launches"],
           sum("Launch" in k["api"] for k in calls))
    replays = sum(k["api"] == "cudaGraphLaunch" for k in calls)
    c.same(timeline, "graph launches", replays, int(mode == "graph"))
