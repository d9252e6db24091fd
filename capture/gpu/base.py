"""What every GPU scenario needs: its file, the engine of its settings, provenance, its trace."""

from __future__ import annotations

import atexit
import contextlib
import datetime
import gc
import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from capture.gpu.guards import Refusal
from capture.gpu.models import model_of, weights_of
from capture.recording import Recording
from traces.kinds._facts import totals
from traces.schema import ENGINE_COMMIT, Event, Header

__all__ = ["SCENARIOS", "Session", "Spec", "event", "load_spec"]

SCENARIOS = Path(__file__).parents[1] / "scenarios"


@dataclass(frozen=True, slots=True)
class Spec:
    """One scenario file. ``model``: ``tiny`` (the trained one), a geometry's name, or ``none``."""

    id: str
    kind: str
    model: str
    seed: int
    about: str
    engine: Mapping[str, Any] = field(default_factory=dict)
    workload: Mapping[str, Any] = field(default_factory=dict)
    gpus: int = 1


def load_spec(name: str) -> Spec:
    """The scenario ``capture/scenarios/<name>.yaml`` of a GPU. Raises Refusal for a broken one."""
    try:
        data = yaml.safe_load((SCENARIOS / f"{name}.yaml").read_text(encoding="utf-8"))
        return Spec(id=name, **data)
    except (OSError, yaml.YAMLError, TypeError) as error:
        raise Refusal(f"scenario {name}: {str(error).splitlines()[0]}") from None


def event(name: str, /, **fields: Any) -> Event:
    """An event without its number, which writing it gives it."""
    return Event(0, name, fields)


class Session:
    """One recording: opens engines on its model, keeps provenance, makes the trace."""

    def __init__(self, spec: Spec, model: Path):
        self.spec, self.model = spec, model
        self.command = f"python -m capture {spec.id}"

    def derived(self, name: str, **changes: Any) -> Session:
        """For a further trace of the same recording: another id, kind or workload."""
        other = Session(replace(self.spec, id=name, **changes), self.model)
        other.command = self.command
        return other

    @property
    def model_name(self) -> str:
        return model_of(self.model, weights_of(self.model), self.spec.model)

    @contextlib.contextmanager
    def engine(self, model: Path | None = None, **settings: Any) -> Iterator[Any]:
        """The unmodified engine with the spec's settings; ended, and its memory given back.

        Python's garbage collection is off meanwhile: a full pass takes milliseconds and would
        land in some step, of a bare run as well as of a watched one.
        """
        import torch
        from nanovllm import LLM

        engine = LLM(str(model or self.model), **{**self.spec.engine, **settings})
        atexit.unregister(engine.exit)
        torch.manual_seed(self.spec.seed)
        gc.collect()
        gc.disable()
        try:
            yield engine
        finally:
            gc.enable()
            engine.exit()
            del engine
            gc.collect()
            torch.cuda.empty_cache()

    def config(self, engine: Any) -> dict[str, Any]:
        """The engine's settings and its model's geometry, for the header."""
        settings, hf = engine.model_runner.config, engine.model_runner.config.hf_config
        names = ("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                 "head_dim", "intermediate_size", "vocab_size")
        return {
            "block_size": settings.kvcache_block_size,
            "num_blocks": len(engine.scheduler.block_manager.blocks),
            "max_num_batched_tokens": settings.max_num_batched_tokens,
            "max_num_seqs": settings.max_num_seqs, "max_model_len": settings.max_model_len,
            "gpu_memory_utilization": settings.gpu_memory_utilization,
            "tensor_parallel_size": settings.tensor_parallel_size,
            "enforce_eager": settings.enforce_eager,
            "graph_buckets": list(getattr(engine.model_runner, "graph_bs", [])),
            **{name: getattr(hf, name) for name in names}, "itemsize": hf.dtype.itemsize}

    def provenance(self) -> dict[str, Any]:
        """Where this comes from; nothing in it names a folder of this machine."""
        import torch

        weights = "none" if self.spec.model == "none" else weights_of(self.model)
        model = "none" if self.spec.model == "none" else self.model_name
        return {
            "engine_commit": ENGINE_COMMIT, "model": model, "weights": weights,
            "gpu": torch.cuda.get_device_name(0), "gpus": self.spec.gpus,
            "driver": _driver(), "versions": _versions(), "seed": self.spec.seed,
            "command": self.command,
            "date": datetime.datetime.now(datetime.UTC).date().isoformat()}

    def header(self, config: Mapping[str, Any], workload: Mapping[str, Any]) -> Header:
        return Header(self.spec.id, self.spec.kind, "gpu", self.provenance(), dict(config),
                      dict(workload))

    def made(self, config: Mapping[str, Any], events: Sequence[Event],
             workload: Mapping[str, Any] | None = None) -> Recording:
        """A trace of a measurement kind, closing totals added."""
        header = self.header(config, self.spec.workload if workload is None else workload)
        return Recording(header, (*events, totals(header, events)))


def _driver() -> str:
    query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        return subprocess.run(query, capture_output=True, text=True, check=True,
                              timeout=30).stdout.split()[0]
    except (OSError, subprocess.SubprocessError, IndexError):
        return "unknown"


def _versions() -> dict[str, str]:
    from importlib.metadata import PackageNotFoundError, version

    import torch

    found = {"python": platform.python_version(), "torch": torch.__version__}
    for name in ("transformers", "flash-attn", "triton"):
        with contextlib.suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
