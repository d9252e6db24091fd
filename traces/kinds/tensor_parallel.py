"""Checks of ``tensor-parallel``: one and two GPUs, all-reduces counted, messages measured.

Events: per geometry one ``geometry``; per geometry, TP size and shape of step one ``step`` (time)
and, with two GPUs, one ``traffic`` (all-reduces of that step) and one ``message`` (shared memory);
last, per shape one ``pair``, one GPU's median over two GPUs'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta

from traces.geometry import GEOMETRIES
from traces.kinds._engine import check_engine, sizes
from traces.kinds._facts import Check
from traces.kinds._types import Big, Count, Fact, GpuConfig, Phase, Record, Spread, Text, Time
from traces.trace import Trace

__all__ = ["check"]

_BUFFER = 2 ** 20 - 4  # bytes of a message in the engine's shared memory
_NAMES = {"num_layers": "num_hidden_layers", "num_heads": "num_attention_heads",
          "num_kv_heads": "num_key_value_heads"}  # a geometry's fields that a config calls so


class Workload(Record, frozen=True):
    geometries: Annotated[list[Text], Meta(min_length=1)]
    context: Count
    repeats: Annotated[int, Meta(ge=5, lt=10_000)]
    decode: list[Count]
    prefill: list[Annotated[list[Count], Meta(min_length=2, max_length=2)]]  # batch, length


class Geometry(Fact, tag="geometry", frozen=True):
    key = ("name",)
    name: Text
    num_layers: Count
    num_heads: Count
    num_kv_heads: Count
    hidden_size: Count
    intermediate_size: Count
    vocab_size: Count
    itemsize: Count


class Shape(Fact, frozen=True):
    """A step on ``tp`` GPUs."""

    key = ("geometry", "tp", "phase", "batch", "tokens")
    geometry: Text
    tp: Literal[1, 2]
    phase: Phase
    batch: Count
    tokens: Count


class Step(Shape, tag="step", frozen=True):
    us: Spread


class Traffic(Shape, tag="traffic", frozen=True):
    all_reduces: Count
    bytes_each: Big
    bytes: Big
    gathers: Count
    kernel_us: list[Time]
    total_us: Time
    gather_us: Time
    kernel: Annotated[str, Meta(pattern="AllReduce", max_length=120)]


class Message(Shape, tag="message", frozen=True):
    method: Literal["run"]
    bytes: Annotated[int, Meta(gt=0, lt=_BUFFER)]


class Pair(Fact, tag="pair", frozen=True):
    key = ("geometry", "phase", "batch", "tokens")
    geometry: Text
    phase: Phase
    batch: Count
    tokens: Count
    speedup: Time


def _table(asked: Workload) -> Iterator[tuple]:
    """Every row that the workload asks for, in its order."""
    shapes = [*(("decode", n, n) for n in asked.decode),
              *(("prefill", n, n * length) for n, length in asked.prefill)]
    for name in asked.geometries:
        yield "geometry", name
        yield from (("step", name, 1, *shape) for shape in shapes)
        for shape in shapes:
            yield from ((kind, name, 2, *shape) for kind in ("step", "traffic", "message"))
        yield from (("pair", name, *shape) for shape in shapes)


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that contradicts another."""
    c = Check(trace, GpuConfig, Workload, Geometry | Step | Traffic | Message | Pair)
    config = check_engine(c)
    c.rows(_table(c.workload))
    geometries = {g.name: g for g in c.all(Geometry)}
    for i, g in enumerate(geometries.values()):
        _geometry(c, g, sizes(config) if i == 0 else GEOMETRIES.get(g.name, {}))
    steps = {step.place[1:]: step for step in c.all(Step)}
    for step in steps.values():
        few = max(c.workload.repeats // 3, 5)
        c.spread(step, "us", c.workload.repeats if step.phase == "decode" else few, 1)
    for traffic in c.all(Traffic):
        _traffic(c, geometries[traffic.geometry], traffic)
    for pair in c.all(Pair):
        one, two = (steps[pair.geometry, tp, pair.phase, pair.batch, pair.tokens].us.median
                    for tp in (1, 2))
        c.same(pair, "speed-up", pair.speedup, round(one / two, 4))
    c.done()


def _geometry(c: Check, g: Geometry, known: Mapping[str, int]) -> None:
    for name in ("num_heads", "num_kv_heads", "intermediate_size", "vocab_size"):
        c.need(getattr(g, name) % 2 == 0, g, f"{name} does not divide by two")
    for name in ("num_layers", "num_heads", "num_kv_heads", "hidden_size", "intermediate_size",
                 "vocab_size", "itemsize"):
        c.same(g, name, getattr(g, name), known.get(_NAMES.get(name, name)))


def _traffic(c: Check, g: Geometry, traffic: Traffic) -> None:
    """Two all-reduces a layer and one for the embedding, each of tokens × hidden values."""
    each = traffic.tokens * g.hidden_size * g.itemsize
    for name, expected in (("all_reduces", 2 * g.num_layers + 1), ("bytes_each", each),
                           ("bytes", each * traffic.all_reduces), ("gathers", 1)):
        c.same(traffic, name, getattr(traffic, name), expected)
    c.same(traffic, "kernels timed", len(traffic.kernel_us), traffic.all_reduces)
    c.near(traffic, "sum of the kernels", traffic.total_us, sum(traffic.kernel_us), 0.0011)
