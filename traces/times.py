"""What single engine steps took on the GPU's machine."""

from __future__ import annotations

from dataclasses import dataclass

from traces.trace import Trace

__all__ = ["SingleStep", "single_steps"]


@dataclass(frozen=True, slots=True)
class SingleStep:
    """A step timed alone: its median milliseconds, and those in which the GPU has work."""

    phase: str  # "prefill" | "decode"
    mode: str  # "eager" | "graph"
    tokens: int
    ms: float
    gpu_ms: float
    launches: int  # by the host: kernels, or a whole graph


def single_steps(trace: Trace) -> tuple[SingleStep, ...]:
    """The steps of a trace of kind ``launch-timeline``, in order."""
    return tuple(SingleStep(e["phase"], e["mode"], e["tokens"], e["us"]["median"] / 1000,
                            e["busy_us"] / 1000, e["launches"])
                 for e in trace.events if e.name == "timeline")
