"""``preemption-sweep``: one workload under pools of several sizes."""

from __future__ import annotations

from capture.gpu.base import Session, event
from capture.gpu.scheduling import Run, make_workload
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.kinds.preemption_sweep import counts

__all__ = ["sweep"]


def sweep(session: Session) -> list[Recording]:
    """Each pool: the run's time, bare, and what was computed, from a recorded one. The pools take
    turns, so that a slow moment of the machine is no pool's own."""
    spec = session.spec
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        runs = {blocks: Run(engine, workload, spec.seed, blocks)
                for blocks in spec.workload["pools"]}
        for run in runs.values():
            run.bare()
        samples: dict[int, list[float]] = {blocks: [] for blocks in runs}
        for _ in range(spec.workload["repeats"]):
            for blocks, run in runs.items():
                samples[blocks].append(sum(run.bare()) / 1e3)
        rows = [event("run", blocks=blocks, ms=spread(samples[blocks], 3),
                      **counts(run.recorded()[1])) for blocks, run in runs.items()]
        config = session.config(engine)
    return [session.made(config, rows)]
