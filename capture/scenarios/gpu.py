"""The scenarios that need a GPU: one YAML file each in this folder. Imports neither torch nor the
engine until one is recorded."""

from __future__ import annotations

import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path

from capture.engine import use_sources
from capture.gpu.alone import alone
from capture.gpu.base import SCENARIOS as FOLDER
from capture.gpu.base import Session, Spec, load_spec
from capture.gpu.guards import Refusal, check_all, check_engine, check_gpu
from capture.gpu.overhead import report
from capture.recording import Recording
from capture.scenarios import Job, Scenario

__all__ = ["SCENARIOS", "record"]

# kind → the module of capture.gpu and its function
_RECORDERS = {
    "scheduling": ("scheduling", "record"), "preemption-sweep": ("sweep", "sweep"),
    "token-journey": ("prompts", "token_journey"), "sampling": ("prompts", "sampling"),
    "attention-probe": ("prompts", "attention_probe"), "memory-equation": ("memory", "record"),
    "kernel-metadata": ("metadata", "record"), "attention-kernels": ("kernels", "record"),
    "launch-timeline": ("launches", "record"), "tensor-parallel": ("parallel", "record"),
    "throughput": ("rates", "record"), "reference-check": ("reference", "record"),
}


def record(spec: Spec, job: Job) -> list[Recording]:
    """Check what can be checked, then record; a model of random weights is made if none is given.

    Raises Refusal before anything is loaded.
    """
    module, function = _RECORDERS[spec.kind]
    use_sources()
    with tempfile.TemporaryDirectory() as folder:
        if job.model is None or spec.model == "none":
            check_engine()
            check_gpu(spec.gpus)
        model = job.model or _default(spec, Path(folder))
        if spec.model != "none":
            check_all(model, {**spec.engine, "tensor_parallel_size": spec.gpus}, spec.gpus)
        recorder = getattr(import_module(f"capture.gpu.{module}"), function)
        return recorder(Session(spec, model))


def _default(spec: Spec, folder: Path) -> Path:
    from capture.gpu.models import GEOMETRIES, make_seeded

    if spec.model == "none":
        return folder
    if spec.model not in GEOMETRIES:
        raise Refusal(f"{spec.id} needs the small trained model: --model FOLDER; "
                      "python -m capture.train_tiny makes it in about a minute")
    return alone(make_seeded, spec.model, folder / spec.model)


def _scenarios() -> tuple[Scenario, ...]:
    specs = [load_spec(path.stem) for path in sorted(FOLDER.glob("*.yaml"))]
    return (*(Scenario(spec.id, spec.about, partial(record, spec), spec.gpus,
                       spec.model) for spec in specs),
            Scenario("overhead", "print the recorder's cost, from the recorded step times", report,
                     model=""))


SCENARIOS = _scenarios()
