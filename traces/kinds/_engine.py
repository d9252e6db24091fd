"""What every trace recorded on a GPU engine must say of its settings and its model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from traces.geometry import GEOMETRIES
from traces.kinds._facts import Check
from traces.kinds._types import GpuConfig

__all__ = ["buckets", "check_engine", "sizes"]


def sizes(config: GpuConfig) -> dict[str, int]:
    """The sizes that make a geometry, by name."""
    return {name: getattr(config, name) for name in GEOMETRIES["tiny"]}


def buckets(config: GpuConfig) -> list[int]:
    """The batch sizes whose decode is captured as a graph (`engine/model_runner.py:233`)."""
    if config.enforce_eager:
        return []
    return [1, 2, 4, 8, *range(16, min(config.max_num_seqs, 512) + 1, 16)]


def check_engine(c: Check) -> GpuConfig:
    """Settings that follow from others; the geometry of a model whose weights are ours."""
    config: GpuConfig = c.config
    provenance = c.header.provenance
    c.same(None, "graph_buckets", config.graph_buckets, buckets(config))
    c.need(config.block_size % 256 == 0, None, "block_size is not a multiple of 256")
    c.need(config.num_attention_heads % config.num_key_value_heads == 0, None,
           "query heads do not divide by KV heads")
    c.same(None, "tensor_parallel_size", config.tensor_parallel_size, 1)
    if provenance["weights"] in ("trained-tiny", "seeded-random"):
        known: Mapping[str, Any] | None = GEOMETRIES.get(provenance["model"])
        c.need(known is not None, None, f"no geometry {provenance['model']!r} of our weights")
        c.same(None, f"sizes of {provenance['model']}", sizes(config), known)
    return config
