"""Checks of ``preemption-sweep``: one workload under pools of several sizes, on a GPU.

Events: per pool one ``run`` with counts of steps, preemptions and tokens, which the reference
model must repeat, and the time it took.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from traces.contrast import computed_again
from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._replay import replay
from traces.kinds._types import Count, Fact, GpuConfig, Record, Spread, Text, Whole
from traces.schema import Event, TraceError
from traces.trace import Trace
from traces.workload import EngineConfig, Workload, WorkloadError, toy_request

__all__ = ["check", "counts"]


class Asked(Record, frozen=True):
    name: Text
    prompt: Annotated[int, Meta(ge=1, le=10_000)]  # its length: ids of its own, shared by nobody
    max_tokens: Count
    arrival: Whole | UnsetType = UNSET


class Sweep(Record, frozen=True):
    repeats: Annotated[int, Meta(ge=5, lt=10_000)]
    pools: Annotated[list[Count], Meta(min_length=1)]
    requests: Annotated[list[Asked], Meta(min_length=1)]


class Run(Fact, tag="run", frozen=True):
    key = ("blocks",)
    blocks: Count
    ms: Spread
    steps: Whole
    prefill_steps: Whole
    decode_steps: Whole
    prefill_tokens: Whole
    decode_tokens: Whole
    first_hits: Whole
    rehit: Whole
    admissions: Whole
    preemptions: Whole
    recomputed: Whole
    peak_blocks: Whole


def counts(events: Iterable[Event]) -> dict[str, int]:
    """What a sweep keeps of a run's events: steps, preemptions, blocks and tokens."""
    preempted, held, peak, batches, size = set(), set(), 0, [], 0
    total = dict.fromkeys(("steps", "prefill_steps", "decode_steps", "prefill_tokens",
                           "decode_tokens", "first_hits", "rehit", "admissions", "preemptions"), 0)
    for e in events:
        if e.name == "engine":
            size = e["block_size"]
        elif e.name == "schedule":
            batches.append(e["batch"])
            total["steps"] += 1
            total[f"{e['phase']}_steps"] += 1
            total[f"{e['phase']}_tokens"] += sum(count for _, _, count in e["batch"])
        elif e.name == "preempt":
            preempted.add(e["request"])
            total["preemptions"] += 1
        elif e.name == "allocate":
            total["rehit" if e["request"] in preempted else "first_hits"] += len(e["hit"]) * size
            total["admissions"] += 1
            held |= {*e["hit"], *e["taken"]}
        elif e.name == "append":
            held.add(e["block"])
        elif e.name == "free":
            held -= set(e["released"])
        peak = max(peak, len(held))
    return {**total, "recomputed": computed_again(part for batch in batches for part in batch),
            "peak_blocks": peak}


def check(trace: Trace) -> None:
    """Raise TraceError at the first pool that the reference model plays in another way."""
    c = Check(trace, GpuConfig, Sweep, Run)
    config = check_engine(c)
    c.rows(("run", blocks) for blocks in c.workload.pools)
    try:
        workload = Workload(tuple(
            toy_request(k, r.prompt, r.max_tokens, 0 if r.arrival is UNSET else r.arrival)
            for k, r in enumerate(c.workload.requests)))
        c.same(None, "names of the requests", [r.name for r in c.workload.requests],
               [r.name for r in workload.requests])
        for run in c.events:
            played = replay(c.path, workload, EngineConfig(
                config.block_size, run.blocks, config.max_num_batched_tokens, config.max_num_seqs))
            for name, expected in counts(played.events).items():
                c.same(run, name, getattr(run, name), expected)
            c.spread(run, "ms", c.workload.repeats, 3)
    except WorkloadError as error:
        raise TraceError(c.path, 0, str(error)) from None
    c.done()
