"""The sizes of the models that traces are recorded with; your own checkpoint brings others."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["GEOMETRIES", "parameter_count"]

_REAL = {"head_dim": 128, "num_key_value_heads": 8, "vocab_size": 151936, "itemsize": 2}

# ``tiny`` is trained for this course; of the others only the shapes are real
GEOMETRIES: Mapping[str, Mapping[str, int]] = MappingProxyType({
    "tiny": {"hidden_size": 384, "num_hidden_layers": 6, "num_attention_heads": 6,
             "num_key_value_heads": 2, "head_dim": 64, "intermediate_size": 1024,
             "vocab_size": 4096, "itemsize": 2},
    "qwen3-0.6b": {**_REAL, "hidden_size": 1024, "num_hidden_layers": 28,
                   "num_attention_heads": 16, "intermediate_size": 3072},
    "qwen3-8b": {**_REAL, "hidden_size": 4096, "num_hidden_layers": 36,
                 "num_attention_heads": 32, "intermediate_size": 12288},
})


def parameter_count(sizes: Mapping[str, int], *, tied: bool) -> int:
    """Parameters of a dense Qwen3 of these sizes; ``tied``: embedding and head are one matrix."""
    hidden, width = sizes["hidden_size"], sizes["head_dim"]
    q, kv = (sizes[name] * width for name in ("num_attention_heads", "num_key_value_heads"))
    layer = (hidden * (q + 2 * kv) + q * hidden + 3 * hidden * sizes["intermediate_size"]
             + 2 * hidden + 2 * width)  # the last two: norms of the layer, of q and of k
    head = sizes["vocab_size"] * hidden
    return sizes["num_hidden_layers"] * layer + hidden + head * (1 if tied else 2)
