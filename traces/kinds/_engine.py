"""What every trace must say of where it was recorded, of its engine and of its model."""

from __future__ import annotations

from collections.abc import Iterator

from traces.geometry import GEOMETRIES
from traces.kinds._facts import Check
from traces.kinds._types import GpuConfig
from traces.schema import Header

__all__ = ["buckets", "check_engine", "engine_faults", "origin_faults", "sizes"]


def sizes(config: GpuConfig) -> dict[str, int]:
    """The sizes that make a geometry, by name."""
    return {name: getattr(config, name) for name in GEOMETRIES["tiny"]}


def buckets(config: GpuConfig) -> list[int]:
    """The batch sizes whose decode is captured as a graph (`engine/model_runner.py:233`)."""
    if config.enforce_eager:
        return []
    return [1, 2, 4, 8, *range(16, min(config.max_num_seqs, 512) + 1, 16)]


def origin_faults(header: Header) -> Iterator[str]:
    """A GPU, its driver, a seed and weights where a GPU was, none of them where none was."""
    provenance, gpu = header.provenance, header.origin == "gpu"
    for name in ("gpu", "driver", "seed", "model"):
        if (provenance[name] is not None) != gpu:
            yield f"origin {header.origin!r} with {name} {provenance[name]!r}"
    wanted = (2 if header.kind == "tensor-parallel" else 1) if gpu else None
    if provenance.get("gpus") != wanted:
        yield f"gpus is {provenance.get('gpus')!r}, expected {wanted!r}"
    if gpu and (provenance["model"] == "none") != (provenance["weights"] == "none"):
        yield f"model {provenance['model']!r} with weights {provenance['weights']!r}"
    # one scenario may record several traces: their names begin with its name
    if provenance["command"] is None or not header.id.startswith(provenance["command"].split()[-1]):
        yield f"command {provenance['command']!r} records another trace"


def engine_faults(header: Header, config: GpuConfig) -> Iterator[str]:
    """Settings that follow from others; the geometry of a model whose weights are ours."""
    if config.graph_buckets != buckets(config):
        yield f"graph_buckets is {config.graph_buckets}, expected {buckets(config)}"
    if config.block_size % 256:
        yield "block_size is not a multiple of 256"
    if config.num_attention_heads % config.num_key_value_heads:
        yield "query heads do not divide by KV heads"
    if config.tensor_parallel_size != 1:
        yield f"tensor_parallel_size is {config.tensor_parallel_size}, expected 1"
    model = header.provenance["model"]
    if header.provenance["weights"] in ("trained-tiny", "seeded-random") \
            and sizes(config) != GEOMETRIES.get(model):
        yield f"the sizes are not those of {model!r}"


def check_engine(c: Check) -> GpuConfig:
    """The typed config, with nothing wrong in it. Raises TraceError."""
    config: GpuConfig = c.config
    for message in engine_faults(c.header, config):
        c.need(False, None, message)
    return config
