"""Checks of ``reference-check``: the engine's logits against the reference implementation's.

Events: ``compare`` (model, prompt, precision of the reference: largest and mean difference) and,
for the small model, the whole ``row`` of logits that each comparison is made of.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from msgspec import Meta
from numpy.typing import ArrayLike

from traces.kinds._bf16 import is_bf16
from traces.kinds._engine import check_engine
from traces.kinds._facts import Check
from traces.kinds._types import Fact, GpuConfig, Id, Real, Record, Span, Text, Time
from traces.trace import Trace

__all__ = ["check", "compare"]

_DECIMALS = 4  # of a logit in a row
_PRECISIONS = ("bf16", "fp32")
_SOURCES = (*_PRECISIONS, "engine")
_Pair = Annotated[list[Real], Meta(min_length=2, max_length=2)]


class Prompt(Record, frozen=True):
    model: Text
    prompt: Text


class Workload(Record, frozen=True):
    rows: bool
    prompts: Annotated[list[Prompt], Meta(min_length=1)]


class Compare(Fact, tag="compare", frozen=True):
    key = ("model", "prompt", "precision")
    model: Text
    prompt: Text
    precision: Literal["bf16", "fp32"]
    largest: Span
    mean: Span
    std: Time
    same_first: bool
    first: Annotated[list[Id], Meta(min_length=2, max_length=2)]
    first_texts: Annotated[list[Text], Meta(min_length=2, max_length=2)]
    first_logits: _Pair


class Row(Fact, tag="row", frozen=True):
    key = ("model", "prompt", "source")
    model: Text
    prompt: Text
    source: Literal["engine", "bf16", "fp32"]
    logits: Annotated[list[Real], Meta(min_length=1)]


def compare(engine: ArrayLike, reference: ArrayLike) -> dict[str, float]:
    """Largest and mean difference of two logits rows, and their spread, in float64."""
    a, b = np.asarray(engine, dtype=np.float64), np.asarray(reference, dtype=np.float64)
    apart = np.abs(a - b)
    return {"largest": round(float(apart.max()), 5), "mean": round(float(apart.mean()), 6),
            "std": round(float(b.std()), 4), "same_first": bool(a.argmax() == b.argmax())}


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Compare | Row)
    config, asked = check_engine(c), c.workload.prompts
    compared = [("compare", p.model, p.prompt, how) for p in asked for how in _PRECISIONS]
    rows = [("row", p.model, p.prompt, source) for source in _SOURCES for p in asked]
    c.rows([*compared, *(rows if c.workload.rows else [])])
    for p in asked:
        c.same(None, "model of a prompt", p.model, trace.header.provenance["model"])
    found = {row.place[1:]: row for row in c.all(Row)}
    for row in found.values():
        c.same(row, "vocabulary", len(row.logits), config.vocab_size)
        c.need(row.source == "fp32" or bool(is_bf16(row.logits, _DECIMALS).all()), row,
               "holds a logit that bf16 cannot")
    events = c.all(Compare)
    for event in events:
        _compare(c, event)
        if c.workload.rows:
            _with_rows(c, event, found)
    c.lexicon(*((e, e.first, e.first_texts) for e in events))
    for a, b in zip(events[::2], events[1::2]):  # the same run of the engine, twice compared
        c.same(b, "the engine's first token", (b.first[0], b.first_logits[0]),
               (a.first[0], a.first_logits[0]))
    c.done()


def _compare(c: Check, event: Compare) -> None:
    c.need(event.mean <= event.largest, event, "mean and largest are out of order")
    c.need(event.largest <= event.std, event, "the difference is as large as the logits")
    c.need(max(event.first) < c.config.vocab_size, event, "a token is outside the vocabulary")
    c.same(event, "same_first", event.same_first, event.first[0] == event.first[1])
    own, other = event.first_logits
    c.need(bool(is_bf16([own], _DECIMALS).all()), event, "the engine's logit is none of bf16")
    c.need(event.precision == "fp32" or bool(is_bf16([other], _DECIMALS).all()), event,
           "the reference's logit is none of bf16")
    c.need(not event.same_first or abs(own - other) <= event.largest + 1e-4, event,
           "the first logits differ by more than the largest difference")


def _with_rows(c: Check, event: Compare, rows: dict[tuple, Row]) -> None:
    mine, other = (rows[event.model, event.prompt, source].logits
                   for source in ("engine", event.precision))
    found = compare(mine, other)
    # rows are rounded to 4 decimals, two of them are subtracted; in the mean that cancels
    for name, within in (("largest", 1.1e-4), ("mean", 5e-6), ("std", 1e-4)):
        c.near(event, name, getattr(event, name), found[name], within)
    for i, row in enumerate((mine, other)):
        c.same(event, "the first token's logit", event.first_logits[i], max(row))
        c.same(event, "the logit of the first token", row[event.first[i]], max(row))
