"""Checks of ``step-times``: where the time of each engine step of a scheduling run goes.

Events: per step one ``step`` (phase, sequences, tokens, graph bucket; microseconds by host clock
and by CUDA events in one run; medians over all bare, recorded and staged runs), and one
``overhead``: what the recorder costs, and what the stage times cost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from traces.files import locate, read
from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._stages import GpuStages, HostStages, check_stages
from traces.kinds._types import (
    Count,
    Fact,
    GpuConfig,
    Phase,
    Real,
    Record,
    Spread,
    Text,
    Time,
    Whole,
)
from traces.schema import Event, TraceError
from traces.trace import Trace

__all__ = ["PHASES", "check", "cost", "sibling"]

PHASES = ("all", "prefill", "decode")
_WAYS = ("recorded", "staged")


class Workload(Record, frozen=True):
    trace: Text


class Step(Fact, tag="step", frozen=True):
    step: Whole
    phase: Phase
    sequences: Count
    tokens: Count
    bucket: Count | None
    host_us: HostStages
    gpu_us: GpuStages
    bare_us: Time
    recorded_us: Time
    staged_us: Time


class Percent(Record, frozen=True):
    all: Real
    prefill: Real
    decode: Real


class Percents(Record, frozen=True):
    recorded: Percent
    staged: Percent


class Overhead(Fact, tag="overhead", frozen=True):
    percent: Percents
    steps: Count
    identical_tokens: Literal[True]
    bare_ms: Spread
    recorded_ms: Spread
    staged_ms: Spread


def cost(steps: Sequence[Any], way: str, phase: str) -> float:
    """Percent that a watched run's steps take longer than bare ones, from the medians of each."""
    mine = [e for e in steps if phase in ("all", e["phase"])]
    bare, seen = (math.fsum(e[f"{name}_us"] for e in mine) for name in ("bare", way))
    return round(100 * (seen - bare) / bare, 2)


def sibling(trace: Trace) -> Path:
    """The file of the scheduling trace of the same run: beside this one, else by its id."""
    name = str(trace.header.workload.get("trace"))
    beside = trace.path.parent.parent / name / "trace.jsonl"
    return beside if beside.is_file() else locate(name)


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Step | Overhead)
    check_engine(c)
    steps = c.all(Step)
    c.rows([("step",)] * len(steps) + [("overhead",)])
    c.same(None, "id", c.header.id, f"{c.workload.trace}-times")
    for i, step in enumerate(steps):
        c.same(step, "step", step.step, i)
        _step(c, step)
    _sibling(c, trace, steps)
    _overhead(c, trace, steps, c.events[-1])
    c.done()


def _step(c: Check, step: Step) -> None:
    """Stages add up to the step; a decode has one token a sequence and a bucket that holds it."""
    check_stages(c, step, step.host_us, step.gpu_us)
    c.need(step.sequences <= c.config.max_num_seqs, step, "too many sequences")
    if step.phase == "decode":
        c.same(step, "tokens of a decode", step.tokens, step.sequences)
        fit = [b for b in c.config.graph_buckets if b >= step.sequences]
        c.same(step, "bucket", step.bucket, min(fit, default=None))
    else:
        c.same(step, "bucket of a prefill", step.bucket, None)
        c.need(step.sequences <= step.tokens <= c.config.max_num_batched_tokens, step,
               "its tokens do not fit the budget")


def _overhead(c: Check, trace: Trace, steps: list[Step], overhead: Overhead) -> None:
    raw = [e for e in trace.events if e.name == "step"]
    for way in _WAYS:
        for phase in PHASES:
            c.same(overhead, f"percent of {way}, {phase}",
                   getattr(getattr(overhead.percent, way), phase), cost(raw, way, phase))
    c.same(overhead, "steps", overhead.steps, len(steps))
    runs = len(overhead.bare_ms.samples)
    for way in ("bare", *_WAYS):
        times = c.spread(overhead, f"{way}_ms", runs, 3)
        # a step's median is no run's, but the medians of all add up to about a run
        total = math.fsum(getattr(step, f"{way}_us") for step in steps) / 1e3
        c.need(0.9 * times.min <= total <= 1.1 * times.max, overhead,
               f"the {way} steps add up to {total:.1f} ms, which no run took")
    whole = math.fsum(step.host_us.total for step in steps) / 1e3
    middle = sorted(overhead.staged_ms.samples)[runs // 2]
    c.near(overhead, "the run whose stages are shown", middle, whole, 0.0011)


def _sibling(c: Check, trace: Trace, steps: list[Step]) -> None:
    """The scheduling trace of the same run, beside this one: same phases, sequences, tokens."""
    try:
        header, events, _ = read(sibling(trace))
    except TraceError as error:
        raise TraceError(c.path, 0, f"the scheduling trace {c.workload.trace!r}: "
                                    f"{error.message}") from None
    for name in ("config", "provenance"):
        mine, other = getattr(c.header, name), getattr(header, name)
        odd = next((key for key in mine if key != "date" and mine[key] != other.get(key)), None)
        c.need(odd is None, None, f"{name}.{odd} is not that of {c.workload.trace}")
    plans: list[Event] = [e for e in events if e.name == "schedule"]
    c.same(None, "number of steps", len(steps), len(plans))
    for step, plan in zip(steps, plans):
        c.same(step, "phase in the scheduling trace", step.phase, plan["phase"])
        c.same(step, "sequences", step.sequences, len(plan["batch"]))
        c.same(step, "tokens", step.tokens, sum(count for _, _, count in plan["batch"]))
