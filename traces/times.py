"""What single engine steps took on the GPU's machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from traces.schema import Event
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
    bursts: tuple[tuple[float, float], ...] = ()  # begin (share of the step), ms of the GPU's work


def single_steps(trace: Trace) -> tuple[SingleStep, ...]:
    """The steps of a trace of kind ``launch-timeline``, in order."""
    return tuple(SingleStep(e["phase"], e["mode"], e["tokens"], e["us"]["median"] / 1000,
                            e["busy_us"] / 1000, e["launches"],
                            _bursts([k for k in trace.events if k.name == "kernel"
                                     and k["timeline"] == e["timeline"]],
                                    e["us"]["median"] / 1000))
                 for e in trace.events if e.name == "timeline")


def _bursts(kernels: Sequence[Event], ms: float,
            count: int = 48) -> tuple[tuple[float, float], ...]:
    """The kernels of a step of `ms`, gathered in `count` equal stretches of it.

    The profiler stretches the step but not its kernels: in the step's own time none overlap.
    """
    if not kernels:
        return ()
    end = max(k["start"] + k["us"] for k in kernels)
    work = [0.0] * count
    for kernel in kernels:
        work[min(count - 1, int(count * kernel["start"] / end))] += kernel["us"] / 1000
    bursts, end = list[tuple[float, float]](), ms
    for k, long in reversed([*enumerate(work)]):
        if long:
            end = min(ms * k / count, end - long)
            bursts.append((end / ms, long))
    return tuple(bursts[::-1])
