"""The moments of a run that are worth a look: who is cut, who stalls, how a prompt is computed."""

from __future__ import annotations

from collections.abc import Sequence

from traces import EngineConfig, Step, Trace, Workload, load, play

__all__ = ["cuts_prompt", "first_cut", "first_stall", "interrupts_decodes", "recorded_or_played",
           "steps_of"]

Steps = Sequence[Step]


def cuts_prompt(step: Step) -> bool:
    """Whether the step computes only a part of a prompt."""
    return step.phase == "prefill" and any(part.is_chunk for part in step.scheduled)


def first_cut(steps: Steps) -> Step | None:
    """The first step that computes only a part of a prompt."""
    return next(filter(cuts_prompt, steps), None)


def interrupts_decodes(steps: Steps, step: Step) -> bool:
    """Whether the step is a prefill just after a decode step, and somebody gets no token."""
    decoding = step.index > 0 and steps[step.index - 1].phase == "decode"
    return decoding and step.phase == "prefill" and bool(step.stalled)


def first_stall(steps: Steps) -> Step | None:
    """The first prefill that interrupts decodes, or else that makes anybody wait for a token."""
    stalling = [step for step in steps if step.phase == "prefill" and step.stalled]
    fresh = (step for step in stalling if interrupts_decodes(steps, step))
    return next(fresh, next(iter(stalling), None))


def steps_of(steps: Steps, request: str, phase: str) -> tuple[Step, ...]:
    """The prefill or the decode steps that work on a request."""
    return tuple(step for step in steps if step.phase == phase and step.part(request))


def recorded_or_played(workload: Workload, config: EngineConfig, recorded: Sequence[str]) -> Trace:
    """The trace among those named that recorded such a run, or the reference model's.

    Such a run: the same settings, and requests of the same names, lengths and arrivals.
    """
    for trace in map(load, recorded):
        if (trace.config, _shape(trace.workload)) == (config, _shape(workload)):
            return trace
    return play(workload, config)


def _shape(workload: Workload) -> list[tuple[str, int, int, int]]:
    return [(r.name, len(r.prompt), r.max_tokens, r.arrival) for r in workload.requests]
