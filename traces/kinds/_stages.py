"""The stages of one engine step, by the host's clock and by CUDA events, in microseconds."""

from __future__ import annotations

import math

import msgspec

from traces.kinds._facts import Check
from traces.kinds._types import Fact, Record, Span, Time

__all__ = ["GPU", "HOST", "GpuStages", "HostStages", "check_stages"]

HOST = ("schedule", "prepare", "run", "sample", "wait", "postprocess", "other")
GPU = ("prepare", "run", "sample")


class HostStages(Record, frozen=True):
    """Where the host's time goes; ``wait``: for the GPU, after the sampler was enqueued."""

    schedule: Span
    prepare: Span
    run: Span
    sample: Span
    wait: Span
    postprocess: Span
    other: Span
    total: Time


class GpuStages(Record, frozen=True):
    """From CUDA event to CUDA event: the GPU's idle gaps are within."""

    prepare: Span
    run: Span
    sample: Span


def check_stages(c: Check, event: Fact, host: HostStages, gpu: GpuStages) -> None:
    """Stages add up to the step, and the GPU's lie within it."""
    spent = math.fsum(getattr(host, name) for name in HOST)
    # each of the eight numbers is rounded to a tenth
    c.near(event, "sum of the host's stages", spent, host.total, 0.05 * (len(HOST) + 1) + 1e-6)
    # the sampler's result is waited for before postprocess
    c.need(math.fsum(msgspec.structs.astuple(gpu)) <= host.total * 1.02 + 20, event,
           "the GPU outlasts its step")
    within = host.total - host.schedule - host.postprocess
    c.need(gpu.run + gpu.sample <= within + 20, event, "the GPU works outside of its step")
