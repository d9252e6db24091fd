"""Checks of ``step-times``: where the time of each engine step of a scheduling run goes.

Events: per step one ``step`` (phase, sequences, tokens, graph bucket; microseconds by host clock
and by CUDA events in one run; medians over all bare, recorded and staged runs), and one
``overhead``: what the recorder costs, and what the stage times cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from traces.kinds._facts import Check
from traces.schema import Event, TraceError, read

__all__ = ["GPU", "HOST", "PHASES", "check", "cost"]

HOST = ("schedule", "prepare", "run", "sample", "wait", "postprocess", "other")
GPU = ("prepare", "run", "sample")
PHASES = ("all", "prefill", "decode")
_WAYS = ("recorded", "staged")


def cost(steps: Sequence[Event], way: str, phase: str) -> float:
    """Percent that a watched run's steps take longer than bare ones, from the medians of each."""
    mine = [e for e in steps if phase in ("all", e["phase"])]
    bare, seen = (math.fsum(e[f"{name}_us"] for e in mine) for name in ("bare", way))
    return round(100 * (seen - bare) / bare, 2)


def check(trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace)
    c.names("step", "overhead")
    steps = c.some("step")
    for i, step in enumerate(steps):
        c.same(step, "step", step["step"], i)
        _step(c, step)
    _sibling(c, steps)
    overhead = c.one("overhead")
    c.same(overhead, "percent", overhead["percent"],
           {way: {phase: cost(steps, way, phase) for phase in PHASES} for way in _WAYS})
    runs = {len(c.spread(overhead, f"{way}_ms")["samples"]) for way in ("bare", *_WAYS)}
    c.need(len(runs) == 1, overhead, "not as many runs of each way")
    c.need(overhead["identical_tokens"] is True, overhead, "a watched run sampled other tokens")
    c.same(overhead, "steps", overhead["steps"], len(steps))
    c.done()


def _step(c: Check, step: Event) -> None:
    """Stages add up to the step; a decode has one token a sequence and a bucket that holds it."""
    config, host, gpu = c.header.config, step["host_us"], step["gpu_us"]
    c.same(step, "host stages", list(host), [*HOST, "total"])
    c.same(step, "GPU stages", list(gpu), list(GPU))
    c.need(min(*host.values(), *gpu.values()) >= 0, step, "a time is negative")
    c.need(min(step[f"{way}_us"] for way in ("bare", *_WAYS)) > 0, step, "a step took no time")
    c.near(step, "sum of the host's stages", sum(host[name] for name in HOST), host["total"], 0.5)
    # the sampler's result is waited for before postprocess: the GPU's work lies within the step
    c.need(sum(gpu.values()) <= host["total"] * 1.02 + 20, step, "the GPU outlasts its step")
    c.need(1 <= step["sequences"] <= config["max_num_seqs"], step, "too many sequences")
    if step["phase"] == "decode":
        c.same(step, "tokens of a decode", step["tokens"], step["sequences"])
        fit = [b for b in config["graph_buckets"] if b >= step["sequences"]]
        c.same(step, "bucket", step["bucket"], min(fit, default=None))
    else:
        c.same(step, "phase", step["phase"], "prefill")
        c.same(step, "bucket of a prefill", step["bucket"], None)
        c.need(step["sequences"] <= step["tokens"] <= config["max_num_batched_tokens"], step,
               "its tokens do not fit the budget")


def _sibling(c: Check, steps: list[Event]) -> None:
    """The scheduling trace of the same run, beside this one: same phases, sequences, tokens."""
    name = c.header.workload["trace"]
    beside = c.path.parent.parent / name / "trace.jsonl"
    try:
        events = read(beside if beside.is_file() else name)[2]
    except TraceError as error:
        raise TraceError(c.path, 0, f"the scheduling trace {name!r}: {error.message}") from None
    plans = [e for e in events if e.name == "schedule"]
    c.same(steps[-1], "steps", len(steps), len(plans))
    for step, plan in zip(steps, plans):
        c.same(step, "phase in the scheduling trace", step["phase"], plan["phase"])
        c.same(step, "sequences", step["sequences"], len(plan["batch"]))
        c.same(step, "tokens", step["tokens"], sum(count for _, _, count in plan["batch"]))
