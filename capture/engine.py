"""The engine's own scheduler and block manager on a CPU, without torch and without flash-attn.

``nanovllm`` imports its whole engine from its package file; here its parts are imported under a
stub package, which only gives them a path, and with a stub ``Config``. Nothing of the engine is
changed, and the stub is gone from ``sys.modules`` afterwards.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from pathlib import Path
from types import ModuleType, SimpleNamespace

from traces.schema import ENGINE_COMMIT
from traces.workload import EngineConfig, Request, Workload

__all__ = ["CpuEngine", "EngineUnavailable", "find_sources", "parts", "use_sources"]

# over every source of the package: each of them decides something
_FINGERPRINT = "81e1a62adc81f9b4"
_FILES = ("engine/scheduler.py", "engine/block_manager.py", "engine/sequence.py",
          "sampling_params.py")
_HINT = (f"set NANOVLLM_SRC to a checkout of nano-vllm at {ENGINE_COMMIT[:7]}, "
         "or install the extra 'capture'")


class EngineUnavailable(RuntimeError):
    """The engine's sources cannot be used here; one line with the remedy."""


def find_sources() -> Path:
    """The folder of the package ``nanovllm``: from NANOVLLM_SRC, else where it is installed."""
    if given := os.environ.get("NANOVLLM_SRC"):
        places = [Path(given), Path(given) / "nanovllm"]
    else:
        spec = importlib.util.find_spec("nanovllm")
        places = [Path(place) for place in (spec.submodule_search_locations if spec else ()) or ()]
    for place in places:
        if all((place / name).is_file() for name in _FILES):
            return place.resolve()
    raise EngineUnavailable(f"the engine's sources were not found: {_HINT}")


def _fingerprint(folder: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def use_sources() -> None:
    """``import nanovllm`` finds the sources of ``NANOVLLM_SRC`` where that is set; nothing is
    imported. EngineUnavailable where they are missing or are not those of the frozen commit."""
    folder = _checked()
    if folder.name != "nanovllm":
        raise EngineUnavailable(f"{folder}: to be imported, the folder must be named nanovllm")
    if os.environ.get("NANOVLLM_SRC") and str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))


def _checked() -> Path:
    folder = find_sources()
    if _fingerprint(folder) != _FINGERPRINT:
        raise EngineUnavailable(f"the engine's sources are not those of the frozen commit: {_HINT}")
    return folder


@lru_cache(maxsize=1)
def parts() -> SimpleNamespace:
    """``Scheduler``, ``Sequence`` and ``SamplingParams`` of the frozen engine.

    EngineUnavailable where they are missing or are not those of the frozen commit.
    """
    folder = _checked()
    hidden = {name: sys.modules.pop(name) for name in list(sys.modules)
              if name == "nanovllm" or name.startswith("nanovllm.")}
    package, config = ModuleType("nanovllm"), ModuleType("nanovllm.config")
    package.__path__, config.Config = [str(folder)], SimpleNamespace
    sys.modules.update({"nanovllm": package, "nanovllm.config": config})
    try:
        scheduler = importlib.import_module("nanovllm.engine.scheduler")
        sampling = importlib.import_module("nanovllm.sampling_params")
        return SimpleNamespace(Scheduler=scheduler.Scheduler, Sequence=scheduler.Sequence,
                               SamplingParams=sampling.SamplingParams)
    except ImportError as error:
        raise EngineUnavailable(f"the engine needs {error.name}: {_HINT}") from None
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "nanovllm"]:
            del sys.modules[name]
        sys.modules.update(hidden)


class CpuEngine:
    """The real scheduler, with a model that answers the workload's preset outputs."""

    def __init__(self, workload: Workload, config: EngineConfig):
        self._parts, self._workload = parts(), workload
        eos = -1 if workload.eos is None else workload.eos
        self.scheduler = self._parts.Scheduler(SimpleNamespace(
            max_num_seqs=config.max_num_seqs, eos=eos,
            max_num_batched_tokens=config.max_num_batched_tokens,
            kvcache_block_size=config.block_size, num_kvcache_blocks=config.num_blocks))
        self._asked: dict[int, Request] = {}
        self._discarded: dict[int, int] = {}
        self.sequences: dict[str, object] = {}

    @contextmanager
    def sized(self) -> Iterator[CpuEngine]:
        """Within: sequences count blocks of this engine's size, and their ids start at 0."""
        cls = self._parts.Sequence
        kept = cls.block_size, cls.counter
        cls.block_size, cls.counter = self.scheduler.block_size, count()
        try:
            yield self
        finally:
            cls.block_size, cls.counter = kept

    def busy(self) -> bool:
        return not self.scheduler.is_finished()

    def add(self, request: Request) -> None:
        sampling = self._parts.SamplingParams(max_tokens=request.max_tokens,
                                              ignore_eos=self._workload.eos is None)
        sequence = self._parts.Sequence(list(request.prompt), sampling)
        self._asked[sequence.seq_id], self._discarded[sequence.seq_id] = request, 0
        self.sequences[request.name] = sequence
        self.scheduler.add(sequence)

    def step(self) -> None:
        """One engine step; AssertionError where the engine itself is stuck."""
        batch, is_prefill = self.scheduler.schedule()
        self.scheduler.postprocess(batch, [self._sample(seq) for seq in batch], is_prefill)

    def _sample(self, sequence) -> int:
        request = self._asked[sequence.seq_id]
        base = self._workload.base(request.name)
        if sequence.num_cached_tokens + sequence.num_scheduled_tokens == sequence.num_tokens:
            return request.output(sequence.num_completion_tokens, base)
        self._discarded[sequence.seq_id] += 1
        return request.discard(self._discarded[sequence.seq_id] - 1, base)
