"""Checks of ``pool-sweep``: one workload played by the real scheduler in pools of several sizes.

Events: per pool one ``pool`` with :func:`facts`; the header's ``config["pools"]`` names the pools.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Annotated, Any

from msgspec import Meta

from traces.contrast import recomputed_tokens
from traces.kinds._replay import replay
from traces.kinds._types import Count, Record, typed
from traces.schema import TraceError
from traces.trace import Trace

__all__ = ["check", "facts"]


class Config(Record, frozen=True):
    block_size: Count
    num_blocks: Count
    max_num_batched_tokens: Count
    max_num_seqs: Count
    pools: Annotated[list[Count], Meta(min_length=1)]


def facts(trace: Trace) -> dict[str, Any]:
    """What a sweep keeps of a run: counts of steps, preemptions and tokens; the most blocks held
    at once; and a digest of its events, which stands for the whole run."""
    steps = trace.steps
    lines = "\n".join(f"{event.name} {sorted(event.fields.items())}" for event in trace.events)
    return {
        **trace.config.json(),
        "steps": len(steps),
        "prefills": sum(step.phase == "prefill" for step in steps),
        "preemptions": sum(len(step.preempted) for step in steps),
        "computed": sum(step.used for step in steps),
        "recomputed": recomputed_tokens(steps),
        "hit": trace.config.block_size * sum(len(a.hit) for step in steps for a in step.allocated),
        "peak": max(sum(refs > 0 for refs in step.planned.pool.refs) for step in steps),
        "events": len(trace.events),
        "digest": hashlib.sha256(lines.encode()).hexdigest()[:12],
    }


def check(trace: Trace) -> None:
    """Raise TraceError at the first pool that the reference model plays in another way."""
    try:
        config = typed(trace.header.config, Config)
    except ValueError as error:
        raise TraceError(trace.path, 0, f"config: {error}") from None
    pools, events = config.pools, trace.events
    if pools != [event.get("num_blocks") for event in events]:
        raise TraceError(trace.path, 0, f"pools {pools!r} are not those of the events")
    if trace.workload.eos is not None:
        raise TraceError(trace.path, 0, "a sweep lets every request reach its max_tokens")
    for request in trace.workload.requests:
        if request.outputs or request.discarded:
            raise TraceError(trace.path, 0, f"request {request.name}: a sweep presets no outputs")
    if max(pools) != trace.config.num_blocks:
        raise TraceError(trace.path, 0, "num_blocks is not the largest pool")
    for event, blocks in zip(events, pools, strict=True):
        run = replay(trace.path, trace.workload, replace(trace.config, num_blocks=blocks))
        expected = facts(run)
        if event.name != "pool" or _kinds(event.fields) != _kinds(expected):
            odd = [key for key in expected if event.get(key) != expected[key]]
            raise TraceError(trace.path, event.n, "the reference model has " + (", ".join(
                f"{key} = {expected[key]!r} for {event.get(key)!r}" for key in odd)
                or "other fields"))


def _kinds(fields: Any) -> dict[str, tuple[type, Any]]:
    """Equal only where the types are equal, too: 3 is not 3.0."""
    return {key: (type(value), value) for key, value in fields.items()}
