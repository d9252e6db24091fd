"""What each engine step of a recorded run took on the GPU's machine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from traces.trace import Trace

__all__ = ["SingleStep", "StepTime", "median_times", "single_steps", "step_times"]


@dataclass(frozen=True, slots=True)
class StepTime:
    """One step: how many tokens it computed, and its milliseconds by the host's clock."""

    phase: str  # "prefill" | "decode"
    tokens: int
    milliseconds: float


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


def step_times(trace: Trace) -> tuple[StepTime, ...]:
    """The steps of a trace of kind ``step-times``, in order."""
    return tuple(StepTime(e["phase"], e["tokens"], e["host_us"]["total"] / 1000)
                 for e in trace.events if e.name == "step")


def median_times(times: Iterable[StepTime]) -> dict[str, float]:
    """Phase → median milliseconds of its steps."""
    times = tuple(times)
    return {phase: median(t.milliseconds for t in times if t.phase == phase)
            for phase in dict.fromkeys(t.phase for t in times)}
