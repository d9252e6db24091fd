"""Checks of ``kernel-metadata``: what a scheduled step becomes before the kernels see it.

Events: per step kept one ``plan``: its sequences (counters and block table) and the flat arrays
that `engine/model_runner.py:129,172@bb823b3` makes of them. The reference model plays the same
workload: its step of that number must have the same sequences, counters and tables.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._replay import replay
from traces.kinds._types import (
    Count,
    Fact,
    GpuConfig,
    Id,
    Phase,
    Record,
    Text,
    Unbounded,
    Whole,
)
from traces.schema import TraceError
from traces.step import Step
from traces.trace import Trace
from traces.workload import EngineConfig, Workload, WorkloadError

__all__ = ["check"]

Ints = list[Whole]
_Tables = list[list[Annotated[int, Meta(ge=-1, lt=2**31)]]]


class Asked(Record, frozen=True):
    """The workload itself is read as that of a scheduling trace."""

    plans: Annotated[list[Text], Meta(min_length=1)]
    requests: list[Unbounded]
    eos: None


class Sequence(Record, frozen=True):
    request: Text
    known: Count
    cached: Whole
    scheduled: Count
    block_table: Ints
    ids: list[Id]


class Plan(Fact, tag="plan", frozen=True):
    key = ("name",)
    name: Text
    step: Whole
    phase: Phase
    sequences: Annotated[list[Sequence], Meta(min_length=1)]
    ids: list[Id]
    positions: Ints
    slots: Ints
    cu_seqlens_q: Ints | None
    cu_seqlens_k: Ints | None
    context_lens: Ints | None
    block_tables: _Tables | None
    reads: Literal["fresh", "cache"]
    max_seqlen_q: Whole | UnsetType = UNSET
    max_seqlen_k: Whole | UnsetType = UNSET
    logits_rows: Ints | UnsetType = UNSET


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Asked, Plan)
    config = check_engine(c)
    c.rows(("plan", name) for name in c.workload.plans)
    try:
        asked = {key: value for key, value in trace.header.workload.items() if key != "plans"}
        workload = Workload.parse(asked)
        steps = replay(c.path, workload, EngineConfig.parse(trace.header.config)).steps
    except WorkloadError as error:
        raise TraceError(c.path, 0, str(error)) from None
    for plan in c.events:
        c.need(plan.step < len(steps), plan, f"there is no step {plan.step}")
        _sequences(c, plan, steps[plan.step], workload)
        _flat(c, plan, config.block_size)
        (_prefill if plan.phase == "prefill" else _decode)(c, plan)
    c.done()


def _sequences(c: Check, plan: Plan, step: Step, workload: Workload) -> None:
    """As the reference model's step: who, how far, and in which blocks."""
    c.same(plan, "phase", plan.phase, step.phase)
    c.same(plan, "sequences", [row.request for row in plan.sequences], list(step.names))
    for row, part in zip(plan.sequences, step.scheduled):
        state = step.planned[row.request]
        c.same(plan, f"{row.request}: counters", (row.known, row.cached, row.scheduled),
               (state.num_tokens, part.start, part.count))
        c.same(plan, f"{row.request}: blocks", row.block_table, list(state.block_table))
        prompt = workload[row.request].prompt
        c.same(plan, f"{row.request}: ids", len(row.ids), part.count)
        known = list(prompt[part.start:part.start + part.count])
        c.same(plan, f"{row.request}: ids of the prompt", row.ids[:len(known)], known)
        c.need(max(row.ids) < c.config.vocab_size, plan, "a token is outside the vocabulary")


def _flat(c: Check, plan: Plan, size: int) -> None:
    spans = [(r, range(r.cached, r.cached + r.scheduled)) for r in plan.sequences]
    c.same(plan, "positions", plan.positions, [p for _, span in spans for p in span])
    c.same(plan, "slots", plan.slots, [r.block_table[p // size] * size + p % size
                                      for r, span in spans for p in span])
    c.same(plan, "ids", plan.ids, [i for r in plan.sequences for i in r.ids])


def _tables(plan: Plan) -> list[list[int]]:
    tables = [row.block_table for row in plan.sequences]
    width = max(map(len, tables))
    return [table + [-1] * (width - len(table)) for table in tables]


def _prefill(c: Check, plan: Plan) -> None:
    q = [row.scheduled for row in plan.sequences]
    k = [row.cached + row.scheduled for row in plan.sequences]
    reads = ("cache", _tables(plan)) if k != q else ("fresh", None)
    for name, expected in (
            ("cu_seqlens_q", [0, *accumulate(q)]), ("cu_seqlens_k", [0, *accumulate(k)]),
            ("max_seqlen_q", max(q)), ("max_seqlen_k", max(k)), ("context_lens", None),
            ("logits_rows", [x - 1 for x in accumulate(q)]), ("reads", reads[0]),
            ("block_tables", reads[1])):
        c.same(plan, name, getattr(plan, name), expected)


def _decode(c: Check, plan: Plan) -> None:
    c.same(plan, "scheduled", {row.scheduled for row in plan.sequences}, {1})
    for name, expected in (
            ("context_lens", [row.known for row in plan.sequences]), ("reads", "cache"),
            ("block_tables", _tables(plan)), ("cu_seqlens_q", None), ("cu_seqlens_k", None),
            ("max_seqlen_q", UNSET), ("max_seqlen_k", UNSET), ("logits_rows", UNSET)):
        c.same(plan, name, getattr(plan, name), expected)
