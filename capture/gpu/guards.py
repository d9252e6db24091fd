"""What must hold before a capture loads anything; each failure is one line that says what to do."""

from __future__ import annotations

import importlib.util
import json
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["PORT", "Refusal", "block_bytes", "check_all", "check_engine", "check_gpu",
           "check_memory", "check_model", "check_port", "check_requests", "gpu_count",
           "read_config"]

PORT = 2333  # fixed in the engine: engine/model_runner.py:26
_RESERVE = 2 << 30  # activations of the warm-up, graphs, cuBLAS workspaces
_ITEM = {"bfloat16": 2, "float16": 2, "float32": 4}


class Refusal(Exception):
    """A capture that cannot run here; its text is one line, the exit code is 1."""


def check_all(model: Path, settings: Mapping[str, Any], gpus: int = 1) -> None:
    """Everything that can be known before the engine is imported. Raises Refusal."""
    check_engine()
    check_gpu(gpus)
    check_port()
    config = read_config(model)
    check_model(config, model, settings.get("tensor_parallel_size", 1))
    check_memory(config, model, settings)


def gpu_count() -> int:
    """GPUs of this machine, by the driver's tool; 0 without one."""
    try:
        found = subprocess.run(["nvidia-smi", "--list-gpus"], capture_output=True, text=True,
                               check=True, timeout=30)
    except (OSError, subprocess.SubprocessError):
        return 0
    return found.stdout.count("\n")


def check_engine() -> None:
    """nano-vLLM, torch and flash-attn can be imported."""
    for name, hint in (("nanovllm", "pip install '.[capture]'"), ("torch", "pip install torch"),
                       ("flash_attn", "pip install flash-attn --no-build-isolation")):
        if importlib.util.find_spec(name) is None:
            raise Refusal(f"{name} is not installed: {hint}")
    try:
        importlib.import_module("flash_attn")
    except (ImportError, OSError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Refusal(f"flash_attn cannot be imported ({first}): it must be built for this torch; "
                      "pip install flash-attn --no-build-isolation") from None


def check_gpu(count: int = 1) -> None:
    import torch

    found = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if found < count:
        raise Refusal(f"{count} GPU{'s' * (count > 1)} needed, {found or 'none'} found; "
                      "the scheduler-only scenarios run without one (python -m capture list)")


def check_port(port: int = PORT) -> None:
    """The engine's rendezvous port is free."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("localhost", port))
        except OSError:
            raise Refusal(f"port {port} is busy: another nano-vLLM runs here; the engine cannot "
                          "use another port") from None


def read_config(model: Path) -> dict[str, Any]:
    """The model's ``config.json``."""
    if not model.is_dir():
        raise Refusal(f"no model folder {model}")
    try:
        config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise Refusal(f"{model} has no readable config.json") from None
    if not isinstance(config, dict):
        raise Refusal(f"{model}: config.json is not an object")
    return config


def check_model(config: Mapping[str, Any], model: Path, tp: int = 1) -> None:
    """A dense Qwen3 with default RoPE, whose sizes divide by the number of GPUs."""
    if config.get("model_type") != "qwen3":
        raise Refusal(f"{model} is a {config.get('model_type')!r} model: "
                      "this engine serves dense Qwen3 only")
    dtype = config.get("dtype") or config.get("torch_dtype") or "bfloat16"
    if dtype != "bfloat16":
        raise Refusal(f"{model} is kept in {dtype}: the proofs of these traces read bfloat16")
    for key in ("rope_scaling", "rope_parameters"):
        rope = config.get(key) or {}
        kind = rope.get("rope_type", rope.get("type", "default"))
        if kind != "default":
            raise Refusal(f"{model} has rope_type {kind!r}: the engine would silently ignore it")
    for key in ("num_attention_heads", "num_key_value_heads", "intermediate_size", "vocab_size"):
        if config.get(key, 0) % tp:
            raise Refusal(f"{key} {config[key]} does not divide by {tp} GPUs")
    if not any(model.glob("*.safetensors")):
        raise Refusal(f"{model} holds no *.safetensors")


def block_bytes(config: Mapping[str, Any], block_size: int = 256, tp: int = 1) -> int:
    """Bytes of one block of K and V in all layers, on one GPU."""
    width = config.get("head_dim") or config["hidden_size"] // config["num_attention_heads"]
    dtype = config.get("dtype") or config.get("torch_dtype") or "bfloat16"
    return (2 * config["num_hidden_layers"] * block_size * config["num_key_value_heads"] // tp
            * width * _ITEM.get(dtype, 2))


def check_memory(config: Mapping[str, Any], model: Path, settings: Mapping[str, Any]) -> None:
    """Weights, a reserve, and the blocks of one longest request fit the free memory."""
    tp = settings.get("tensor_parallel_size", 1)
    longest = -(-settings.get("max_model_len", 4096) // 256)
    needed = (sum(file.stat().st_size for file in model.glob("*.safetensors")) // tp + _RESERVE
              + longest * block_bytes(config, tp=tp))
    free, total = _memory()
    usable = free - total * (1 - settings.get("gpu_memory_utilization", 0.9))
    if usable < needed:
        raise Refusal(f"the GPU has {usable / 2**30:.1f} GiB to use, this run needs about "
                      f"{needed / 2**30:.1f}: free memory or take a smaller model")


def _memory() -> tuple[int, int]:
    """Free and total bytes of the first GPU, asked of the driver's tool: asking through CUDA would
    itself take half a gigabyte for as long as this process runs."""
    query = ["nvidia-smi", "--query-gpu=memory.free,memory.total",
             "--format=csv,noheader,nounits", "--id=0"]
    try:
        found = subprocess.run(query, capture_output=True, text=True, check=True, timeout=30)
        free, total = (int(part) << 20 for part in found.stdout.split(","))
    except (OSError, subprocess.SubprocessError, ValueError):
        import torch

        free, total = torch.cuda.mem_get_info()
    return free, total


def check_requests(requests: Any, config: Mapping[str, Any], num_blocks: int) -> None:
    """No request is larger than the pool (a bare assertion in the engine) or its length limit.

    ``requests``: objects with ``name``, ``prompt`` and ``max_tokens``.
    """
    size, limit = config.get("block_size", 256), config["max_model_len"]
    for request in requests:
        tokens = len(request.prompt) + request.max_tokens
        blocks = -(-(tokens - 1) // size)
        if blocks > num_blocks:
            raise Refusal(f"request {request.name} needs {blocks} blocks, the pool has "
                          f"{num_blocks}: the engine would end in a bare assertion")
        if tokens > limit:
            raise Refusal(f"request {request.name} is {tokens} tokens long with its answer, "
                          f"max_model_len is {limit}")
