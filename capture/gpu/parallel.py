"""``tensor-parallel``: the same steps on one and on two GPUs; all-reduces and messages counted."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from capture.gpu.base import Session, event
from capture.gpu.launches import decoding, profile, prompt_of, step_us
from capture.gpu.models import make_seeded
from capture.gpu.rates import prefill_us
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.schema import Event

__all__ = ["record"]


def record(session: Session) -> list[Recording]:
    """Each geometry with one and with two GPUs. The first one may be a real checkpoint."""
    workload, events, config = session.spec.workload, [], {}
    for name in workload["geometries"]:
        with tempfile.TemporaryDirectory(dir=_roomy()) as folder:
            own = name == session.spec.model
            model = session.model if own else make_seeded(name, Path(folder))
            found: list[Event] = []
            for tp in (1, 2):
                with session.engine(model, tensor_parallel_size=tp) as engine:
                    facts = session.config(engine)
                    config = config or facts
                    found += _run(engine, name, tp, workload, session.spec.seed)
            events += [_geometry(name, facts), *found, *_pairs(found)]
    return [session.made(config, events)]


def _roomy() -> str | None:
    """Memory for the larger geometry's weights if there is enough, else the disk."""
    shared = Path("/dev/shm")
    return str(shared) if shared.is_dir() and shutil.disk_usage(shared).free > 40 << 30 else None


def _geometry(name: str, facts: dict[str, Any]) -> Event:
    return event("geometry", name=name, num_layers=facts["num_hidden_layers"],
                 num_heads=facts["num_attention_heads"],
                 num_kv_heads=facts["num_key_value_heads"],
                 **{key: facts[key] for key in ("hidden_size", "intermediate_size", "vocab_size",
                                                "itemsize")})


def _run(engine: Any, name: str, tp: int, workload: Any, seed: int) -> list[Event]:
    facts, events = {"geometry": name, "tp": tp}, []
    repeats = workload["repeats"]
    for batch in workload["decode"]:
        shape = {**facts, "phase": "decode", "batch": batch, "tokens": batch}
        with decoding(engine, batch, workload["context"], repeats + 20, seed):
            events.append(event("step", **shape, us=spread(step_us(engine, repeats), 1)))
            if tp == 2:
                events += _traffic(engine, shape)
    for batch, length in workload["prefill"]:
        shape = {**facts, "phase": "prefill", "batch": batch, "tokens": batch * length}
        samples = prefill_us(engine, batch, length, max(repeats // 3, 5), seed)
        events.append(event("step", **shape, us=spread(samples, 1)))
        if tp == 2:
            _ask(engine, batch, length, seed)
            events += _traffic(engine, shape)
    return events


def _ask(engine: Any, batch: int, length: int, seed: int) -> None:
    from nanovllm import SamplingParams

    for j in range(batch):
        engine.add_request(prompt_of(length, seed + 5000 + j),
                           SamplingParams(max_tokens=1, ignore_eos=True))


def _traffic(engine: Any, shape: dict[str, Any]) -> list[Event]:
    """Profile one step on rank 0: its NCCL kernels, and the message that woke rank 1."""
    runner, sent = engine.model_runner, []
    original = runner.write_shm

    def write_shm(method: str, *args: Any) -> None:
        sent.append((method, len(pickle.dumps([method, *args]))))
        original(method, *args)

    if shape["phase"] == "decode":
        profile(engine.step)  # the profiler's own start is not in the next one
    runner.write_shm = write_shm
    try:
        kernels, _ = profile(engine.step)
    finally:
        del runner.write_shm
    reduces = [k for k in kernels if "allreduce" in k["name"].lower()]
    others = [k for k in kernels if "nccl" in k["name"].lower() and k not in reduces]
    hf = runner.config.hf_config
    each = shape["tokens"] * hf.hidden_size * hf.dtype.itemsize
    (method, size), = sent
    return [event("traffic", **shape, all_reduces=len(reduces), bytes_each=each,
                  bytes=each * len(reduces), gathers=len(others),
                  kernel_us=[k["us"] for k in reduces],
                  total_us=round(sum(k["us"] for k in reduces), 3),
                  gather_us=round(sum(k["us"] for k in others), 3),
                  kernel=reduces[0]["name"][:120] if reduces else None),
            event("message", **shape, method=method, bytes=size)]


def _pairs(events: Sequence[Event]) -> list[Event]:
    """One GPU's median over two GPUs': above 1, two are faster."""
    steps = {(e["tp"], e["phase"], e["batch"], e["tokens"]): e["us"]["median"]
             for e in events if e.name == "step"}
    name = events[0]["geometry"]
    return [event("pair", geometry=name, phase=phase, batch=batch, tokens=tokens,
                  speedup=round(us / steps[2, phase, batch, tokens], 4))
            for (tp, phase, batch, tokens), us in steps.items() if tp == 1]
