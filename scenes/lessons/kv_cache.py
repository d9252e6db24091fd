"""Act 02: which K/V head a query head reads, and what the cache costs.

Sources: Ainslie et al. 2023 (grouped-query attention); the engine's models/qwen3.py:72-81 and
engine/model_runner.py:112 @bb823b3: bytes = 2 (K and V) · layers · tokens · KV heads · head_dim ·
itemsize.
"""

from dataclasses import dataclass
from math import gcd

from ._check import integer, integers
from .layer import QWEN3_06B, Widths

__all__ = ["CacheSize", "HeadGroups", "KvBytes", "cache_sizes", "head_groups", "kv_bytes"]

MAX_HEADS = 16  # more do not fit a picture
BLOCK_SIZE = 256  # tokens, the engine's default


@dataclass(frozen=True)
class HeadGroups:
    """kv_of[q]: the K/V head that query head q reads; members[k]: the query heads that read k."""

    query_heads: int
    kv_heads: int
    group_size: int
    kv_of: tuple[int, ...]
    members: tuple[tuple[int, ...], ...]

    @property
    def kind(self) -> str:
        """MHA, MQA or GQA: multi-head, multi-query or grouped-query attention."""
        return "MHA" if self.group_size == 1 else "MQA" if self.kv_heads == 1 else "GQA"


def head_groups(query_heads: int = 4, kv_heads: int = 2) -> HeadGroups:
    """Consecutive query heads share a K/V head. ValueError unless kv_heads divides query_heads."""
    query_heads = integer("query heads", query_heads, 1, MAX_HEADS)
    kv_heads = integer("KV heads", kv_heads, 1, query_heads)
    if query_heads % kv_heads:
        fitting = [n for n in range(1, query_heads + 1) if query_heads % n == 0]
        raise ValueError(f"KV heads must divide {query_heads} query heads ({fitting}), "
                         f"got {kv_heads}")
    size = query_heads // kv_heads
    members = tuple(tuple(range(k * size, (k + 1) * size)) for k in range(kv_heads))
    return HeadGroups(query_heads, kv_heads, size, tuple(q // size for q in range(query_heads)),
                      members)


@dataclass(frozen=True)
class KvBytes:
    """factors: (name, value) in the formula's order; their product is per_token, in bytes.

    per_block: bytes of one block of block_size tokens.
    """

    factors: tuple[tuple[str, int], ...]
    block_size: int
    per_token: int
    per_block: int


def kv_bytes(widths: Widths = QWEN3_06B, block_size: int = BLOCK_SIZE) -> KvBytes:
    """What one token and one block hold in the cache, over all layers (112 KiB for Qwen3-0.6B)."""
    factors = (("K and V", 2), ("layers", widths.layers), ("KV heads", widths.kv_heads),
               ("head_dim", widths.head_dim), ("bytes", widths.itemsize))
    per_token = 1
    for _, factor in factors:
        per_token *= factor
    return KvBytes(factors, block_size, per_token, per_token * block_size)


@dataclass(frozen=True)
class CacheSize:
    """One choice of KV heads: bytes per token, its share in smallest whole numbers, and how many

    tokens fit into the memory in which the largest choice keeps `cache_sizes`' `tokens`.
    """

    groups: HeadGroups
    bytes_per_token: int
    ratio: int
    tokens: int


def cache_sizes(
    query_heads: int = 8, kv_heads: object = (8, 2, 1), tokens: int = 1_000,
    widths: Widths = QWEN3_06B,
) -> tuple[CacheSize, ...]:
    """Three choices of KV heads at the same layers, head_dim and dtype: 8 : 2 : 1 as given."""
    counts = integers("KV heads", kv_heads, 3, 1, MAX_HEADS)
    one = widths.layers * widths.head_dim * widths.itemsize * 2
    memory = max(counts) * one * integer("tokens", tokens, 1, 1_000_000)
    return tuple(
        CacheSize(head_groups(query_heads, n), n * one, n // gcd(*counts), memory // (n * one))
        for n in counts
    )
