"""Where a step's time goes: taps around the engine's own stages, by host clock and CUDA events.

While the engine runs only clock readings and event objects are kept; numbers are made afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter_ns
from typing import Any

from traces.kinds._stages import GPU, HOST

__all__ = ["StageTimes"]

_MARKS, _MOST_STEPS = 4, 256
_POOL: list[Any] = []  # CUDA events that exist already: making one within a step costs it time


def _fill_pool(count: int) -> None:
    """An event is made at its first record, so each is recorded here once."""
    import torch

    while len(_POOL) < count:
        _POOL.append(torch.cuda.Event(enable_timing=True))
        _POOL[-1].record()
    torch.cuda.synchronize()


class StageTimes:
    """``with StageTimes(engine) as times: times.step(); … times.rows()``: one row a step."""

    def __init__(self, engine: Any):
        self.engine = engine
        self._steps: list[tuple[list, list]] = []  # clock readings, CUDA events

    def __enter__(self) -> StageTimes:
        _fill_pool(_MARKS * _MOST_STEPS)
        runner, scheduler = self.engine.model_runner, self.engine.scheduler
        self._kept = runner.sampler
        for owner, name, stage in (
                (scheduler, "schedule", "schedule"), (runner, "prepare_prefill", "prepare"),
                (runner, "prepare_decode", "prepare"), (runner, "prepare_sample", "prepare"),
                (runner, "run_model", "run"), (scheduler, "postprocess", "postprocess")):
            setattr(owner, name, self._tap(getattr(owner, name), stage, name))
        runner.sampler = self._tap(runner.sampler, "sample", "sampler")
        return self

    def __exit__(self, *_: object) -> None:
        runner, scheduler = self.engine.model_runner, self.engine.scheduler
        for owner, names in ((scheduler, ("schedule", "postprocess")), (runner, (
                "prepare_prefill", "prepare_decode", "prepare_sample", "run_model"))):
            for name in names:
                vars(owner).pop(name, None)
        runner.sampler = self._kept

    def step(self) -> None:
        """One engine step, timed as a whole and by stage."""
        self._now: list[tuple[str, int, int]] = []
        self._events: list[Any] = []
        begin = perf_counter_ns()
        self.engine.step()
        self._now.append(("total", begin, perf_counter_ns()))
        self._steps.append((self._now, self._events))

    def _tap(self, method: Callable, stage: str, name: str) -> Callable:
        marks = {"prepare_prefill": (1, 0), "prepare_decode": (1, 0), "run_model": (1, 1),
                 "sampler": (0, 1)}.get(name, (0, 0))

        def tap(*args: Any) -> Any:
            begin = perf_counter_ns()
            if marks[0]:
                self._mark()
            result = method(*args)
            if marks[1]:
                self._mark()
            self._now.append((stage, begin, perf_counter_ns()))
            return result

        return tap

    def _mark(self) -> None:
        mark = _POOL.pop()
        mark.record()
        self._events.append(mark)

    def rows(self) -> list[dict[str, dict[str, float]]]:
        """Microseconds of each step: ``{"host_us": {stage: …, "total": …}, "gpu_us": {…}}``."""
        import torch

        torch.cuda.synchronize()
        rows = [{"host_us": _host(now), "gpu_us": _gpu(events)} for now, events in self._steps]
        for _, events in self._steps:
            _POOL.extend(events)
        return rows


def _host(now: list[tuple[str, int, int]]) -> dict[str, float]:
    spent = dict.fromkeys((*HOST, "total"), 0)
    for stage, begin, end in now:
        spent[stage] += end - begin
    sampled = next(end for stage, _, end in now if stage == "sample")
    spent["wait"] = next(begin for stage, begin, _ in now if stage == "postprocess") - sampled
    spent["other"] = spent["total"] - sum(spent[stage] for stage in HOST if stage != "other")
    return {stage: round(ns / 1e3, 1) for stage, ns in spent.items()}


def _gpu(events: list[Any]) -> dict[str, float]:
    return {stage: round(1e3 * a.elapsed_time(b), 1)
            for stage, a, b in zip(GPU, events[:-1], events[1:], strict=True)}
