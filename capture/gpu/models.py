"""Models to record with: seeded-random ones of real geometry, and which weights a folder holds."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from traces.geometry import GEOMETRIES as SIZES

__all__ = ["GEOMETRIES", "byte_tokenizer", "make_seeded", "model_of", "parameters", "weights_of"]

_QWEN3 = {
    "architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_act": "silu",
    "attention_bias": False, "attention_dropout": 0.0, "dtype": "bfloat16",
    "initializer_range": 0.02, "max_position_embeddings": 40960, "rms_norm_eps": 1e-06,
    "rope_theta": 1000000, "rope_scaling": None, "use_sliding_window": False, "use_cache": True,
    "bos_token_id": 0, "eos_token_id": 0,
}
# the published geometries; only the shapes are real, the weights are random
GEOMETRIES: Mapping[str, Mapping[str, Any]] = {
    name: {**_QWEN3, **{key: value for key, value in SIZES[name].items() if key != "itemsize"},
           "tie_word_embeddings": tied}
    for name, tied in (("qwen3-0.6b", True), ("qwen3-8b", False))}
# the tiny checkpoint that the committed traces were recorded with
_TRAINED_TINY = "2a7137e87ade"


def parameters(config: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Name → shape of every tensor of a dense Qwen3 checkpoint."""
    hidden, inner, width = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    q, kv = (config[key] * width for key in ("num_attention_heads", "num_key_value_heads"))
    layer = {
        "input_layernorm": (hidden,), "post_attention_layernorm": (hidden,),
        "self_attn.q_proj": (q, hidden), "self_attn.k_proj": (kv, hidden),
        "self_attn.v_proj": (kv, hidden), "self_attn.o_proj": (hidden, q),
        "self_attn.q_norm": (width,), "self_attn.k_norm": (width,),
        "mlp.gate_proj": (inner, hidden), "mlp.up_proj": (inner, hidden),
        "mlp.down_proj": (hidden, inner)}
    shapes = {"model.embed_tokens.weight": (config["vocab_size"], hidden),
              "model.norm.weight": (hidden,)}
    for i in range(config["num_hidden_layers"]):
        shapes |= {f"model.layers.{i}.{name}.weight": shape for name, shape in layer.items()}
    if not config["tie_word_embeddings"]:
        shapes["lm_head.weight"] = (config["vocab_size"], hidden)
    return shapes


def make_seeded(geometry: str, folder: Path, seed: int = 0) -> Path:
    """Write a checkpoint of seeded random weights (normal, 0.02; norms 1), config and tokenizer.

    One file a layer, so that no more than one layer is held twice. Drawn on the GPU if there is
    one: the values then belong to that kind of GPU.
    """
    import torch
    from safetensors.torch import save_file

    config = GEOMETRIES[geometry]
    folder.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    source = torch.Generator(device).manual_seed(seed)
    files: dict[str, dict[str, Any]] = {}
    places: dict[str, str] = {}
    for name, shape in parameters(config).items():
        part = name.split(".")[2] if ".layers." in name else "rest"
        tensor = (torch.ones(shape, dtype=torch.bfloat16) if len(shape) == 1 else
                  (torch.randn(shape, generator=source, device=device, dtype=torch.float32)
                   * config["initializer_range"]).to(torch.bfloat16).cpu())
        files.setdefault(part, {})[name] = tensor
        places[name] = f"model-{part}.safetensors"
        if part != "rest" and len(files[part]) == 11:
            save_file(files.pop(part), folder / places[name], metadata={"format": "pt"})
    save_file(files["rest"], folder / "model-rest.safetensors", metadata={"format": "pt"})
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "weights.json").write_text(json.dumps({"weights": "seeded-random",
                                                     "geometry": geometry, "seed": seed}))
    byte_tokenizer(folder)
    return folder


def byte_tokenizer(folder: Path) -> None:
    """A tokenizer of 256 bytes and an end: random weights need one only to start."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: i for i, letter in enumerate(["<|endoftext|>", *letters])}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|endoftext|>",
                            pad_token="<|endoftext|>").save_pretrained(folder)


def model_of(folder: Path, weights: str, wanted: str) -> str:
    """The model's name for a provenance: a geometry of ours, or the checkpoint's own name;
    ``wanted``: the one that the scenario is made for."""
    if weights == "trained-tiny":
        return "tiny"
    if weights == "seeded-random":
        return str((_note(folder) or {}).get("geometry", wanted))
    return folder.resolve().name


def _note(folder: Path) -> dict[str, Any] | None:
    """What a folder that we made says of its weights; None where somebody else made it."""
    try:
        return dict(json.loads((folder / "weights.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return None


def weights_of(folder: Path) -> str:
    """``trained-tiny``, ``seeded-random``, or the checkpoint's name and the hash of its weights."""
    if note := _note(folder):
        return str(note["weights"])
    digest = hashlib.sha256()
    for file in sorted(folder.glob("*.safetensors")):
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    short = digest.hexdigest()[:12]
    return "trained-tiny" if short == _TRAINED_TINY else f"{folder.resolve().name}@{short}"
