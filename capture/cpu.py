"""Record a workload with the engine's real scheduler on a CPU: bare, then observed."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version

from capture.drive import drive
from capture.engine import CpuEngine
from capture.recorder import Recorder
from capture.recording import Recording
from traces.schema import ENGINE_COMMIT, Event, Header
from traces.workload import EngineConfig, Workload

__all__ = ["header", "observe", "record"]

Tokens = dict[str, tuple[int, ...]]


def observe(workload: Workload, config: EngineConfig, *, stuck: bool = False) -> Recorder:
    """Run twice, bare and observed; RuntimeError if their tokens differ.

    ``stuck``: the run is meant to end in the engine's bare assertion.
    """
    bare, _ = _run(workload, config, stuck, watched=False)
    seen, recorder = _run(workload, config, stuck, watched=True)
    if bare != seen:
        raise RuntimeError("the observed run gave other tokens than the bare one")
    return recorder


def record(workload: Workload, config: EngineConfig, trace_id: str, *,
           stuck: bool = False) -> Recording:
    """The run as a trace of origin ``scheduler-only``."""
    if not stuck:
        workload.check(config)
    events = observe(workload, config, stuck=stuck).events()
    head = header(trace_id, "scheduling", config, _sampled(workload, events).json())
    return Recording(head, tuple(events))


def header(trace_id: str, kind: str, config: EngineConfig, workload: dict) -> Header:
    """A header for a scheduler-only record made now on this machine."""
    versions = {"python": platform.python_version(), "numpy": version("numpy"),
                "xxhash": version("xxhash")}
    provenance = {"engine_commit": ENGINE_COMMIT, "model": None, "weights": "none", "gpu": None,
                  "driver": None, "versions": versions, "seed": None,
                  "command": f"python -m capture {trace_id}",
                  "date": datetime.now(UTC).date().isoformat()}
    return Header(trace_id, kind, "scheduler-only", provenance, config.json(), workload)


def _run(workload: Workload, config: EngineConfig, stuck: bool,
         watched: bool) -> tuple[Tokens, Recorder | None]:
    engine = CpuEngine(workload, config)
    recorder = Recorder(engine.scheduler, [r.name for r in workload.by_arrival])
    with engine.sized():
        try:
            if watched:
                with recorder:
                    drive(workload, engine.add, engine.step, engine.busy)
            else:
                drive(workload, engine.add, engine.step, engine.busy)
        except AssertionError:
            if not stuck:
                raise
    tokens = {name: tuple(seq.token_ids) for name, seq in engine.sequences.items()}
    return tokens, recorder if watched else None


def _sampled(workload: Workload, events: list[Event]) -> Workload:
    samples = {request.name: ([], []) for request in workload.requests}
    for event in events:
        if event.name == "sample":
            samples[event["request"]][0 if event["kept"] else 1].append(event["token"])
    return workload.with_samples(samples)
