"""``preemption-sweep``: one workload under pools of several sizes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from capture.gpu.base import Session, event
from capture.gpu.scheduling import Run, make_workload
from traces.kinds._facts import spread
from traces.schema import Event

__all__ = ["count", "sweep"]


def sweep(session: Session) -> list[Path]:
    """Each pool: the run's time, bare, and what was computed, from a recorded one."""
    spec, rows = session.spec, []
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        prompt = sum(len(request.prompt) for request in workload.requests)
        for blocks in spec.workload["pools"]:
            run = Run(engine, workload, spec.seed, blocks)
            run.bare()
            samples = [sum(run.bare()) / 1e3 for _ in range(7)]
            rows.append(event("run", blocks=blocks, ms=spread(samples, 3),
                              **count(run.recorded()[1], prompt)))
        config = session.config(engine)
    return [session.write(config, rows)]


def count(events: Sequence[Event], prompt: int) -> dict[str, int]:
    """Steps, preemptions and tokens of a recorded run; ``prompt``: tokens of all prompts."""
    steps = [e for e in events if e.name == "schedule"]
    size, preempted, held, peak = events[0]["block_size"], set(), set(), 0
    total = dict.fromkeys(("prefill_tokens", "decode_tokens", "first_hits", "rehit",
                           "admissions", "preemptions"), 0)
    for e in events:
        if e.name == "schedule":
            total[f"{e['phase']}_tokens"] += sum(n for _, _, n in e["batch"])
        elif e.name == "preempt":
            preempted.add(e["request"])
            total["preemptions"] += 1
        elif e.name == "allocate":
            total["rehit" if e["request"] in preempted else "first_hits"] += len(e["hit"]) * size
            total["admissions"] += 1
            held |= {*e["hit"], *e["taken"]}
        elif e.name == "append":
            held.add(e["block"])
        elif e.name == "free":
            held -= set(e["released"])
        peak = max(peak, len(held))
    return {"steps": len(steps), "prefill_steps": sum(e["phase"] == "prefill" for e in steps),
            "decode_steps": sum(e["phase"] == "decode" for e in steps), **total,
            "recomputed": total["prefill_tokens"] + total["first_hits"] - prompt,
            "peak_blocks": peak}
