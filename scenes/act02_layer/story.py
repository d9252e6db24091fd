"""What act 02 tells, as plain data: a small batch's shapes, and every lesson the picture shows."""

from dataclasses import dataclass
from functools import cached_property
from math import degrees

from scenes.lessons import kv_cache
from scenes.lessons.attention_by_hand import DEFAULT_IDS, EMBEDDING
from scenes.lessons.layer import QWEN3_06B, checkpoints, rms_norm, swiglu
from scenes.lessons.rope import RopeLesson, ShownDot, check_positions, rope_lesson, shown_dot
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import Source, param
from traces import Trace, load

__all__ = ["KIB", "MIB", "PROMPTS", "Params", "Story", "tell"]

PROMPTS = (4, 3)  # tokens of the two prompts whose batch is flattened
KIB, MIB = 2**10, 2**20


@dataclass(frozen=True)
class Params:
    theta: float = param(16.0, 2.0, 1e9, help="RoPE's base; Qwen3-0.6B has 1000000")
    positions: tuple = param((5, 3, 7, 5), 0, 40_959, least=4, most=4,
                             help="query, key; query, key further on, at the same distance")
    heads: tuple = param((4, 2), 1, 8, least=2, most=2, help="query heads, K/V heads")
    compare: tuple = param((8, 8, 2, 1), 1, 16, least=4, most=4,
                           help="query heads, then three counts of K/V heads, falling")

    def __post_init__(self) -> None:
        (query, _), (later, _) = check_positions(self.positions)
        if later <= query:
            raise ValueError("positions: the second pair must lie further on than the first")
        kv_cache.head_groups(*self.heads)
        query_heads, *counts = self.compare
        kv_cache.cache_sizes(query_heads, counts)
        if counts != sorted(set(counts), reverse=True):
            raise ValueError("compare: after the query heads, three falling counts of K/V heads")


@dataclass(frozen=True)
class Story:
    params: Params
    source: Source
    rope: RopeLesson
    groups: kv_cache.HeadGroups
    sizes: tuple[kv_cache.CacheSize, ...]
    widths = QWEN3_06B
    norm = rms_norm()
    kv = kv_cache.kv_bytes(QWEN3_06B)
    checkpoints = checkpoints(QWEN3_06B, sum(PROMPTS), len(PROMPTS))
    mlp = tuple(swiglu(EMBEDDING[i]) for i in DEFAULT_IDS)  # of act 01's tokens, one by one

    @cached_property
    def journey(self) -> Trace:
        """One recorded prompt through the engine, on a small trained model."""
        return load("token-journey")

    @property
    def recorded(self) -> Source:
        return Source("REAL TRACE", self.journey.id, self.journey.header.provenance["weights"])

    @cached_property
    def path(self) -> dict[str, tuple[int, ...]]:
        """Recorded shapes along the attention sub-layer of the prompt's prefill; the recorder

        does not see v apart: its heads are those of the cache.
        """
        cache, step = (next(e for e in self.journey.events if e.name == name)
                       for name in ("cache", "step"))
        shapes = {name: tuple(sizes) for name, *sizes in step["shapes"]}
        return {"hidden": shapes["norm"], "qkv": shapes["qkv"], "q": shapes["q"],
                "k": shapes["k"], "v": (len(step["ids"]), cache["kv_heads"], cache["head_dim"]),
                "attention": shapes["attention output"], "output": shapes["o_proj"]}

    @cached_property
    def shown_dots(self) -> tuple[ShownDot, ...]:
        """The two equal scores and the one at another distance, as written."""
        return tuple(map(shown_dot, (*self.rope.products, self.rope.elsewhere)))

    @cached_property
    def shown_pairs(self) -> tuple[ShownDot, ...]:
        """Pair 0's product at both position pairs with two digits, as is easily redone by hand."""
        return tuple(shown_dot(product, 2) for product in self.rope.products)

    @property
    def angles(self) -> tuple[str, ...]:
        """Pair 0's angle from k to q at both position pairs, as written."""
        return tuple(f"{text(shown(degrees(p.between[0]), 0))}°" for p in self.rope.products)

    @property
    def sharing(self) -> str:
        """Which words the beat on grouped heads uses."""
        return "own" if self.groups.group_size == 1 else "shared"

    @cached_property
    def facts(self) -> dict[str, object]:
        """Every number that the narration and the labels name."""
        w, kv, sizes = self.widths, self.kv, self.sizes
        facts = {name: getattr(w, name) for name in (
            "hidden", "layers", "vocabulary", "query_heads", "kv_heads", "head_dim", "qkv")}
        for k, size in enumerate(sizes):
            facts |= {f"kv_{k}": size.groups.kv_heads, f"ratio_{k}": size.ratio,
                      f"fit_{k}": size.tokens}
        head = sizes[0].bytes_per_token / sizes[0].groups.kv_heads / KIB
        (q1, k1), (q2, k2) = ((p.query.position, p.key.position) for p in self.rope.products)
        return facts | {
            "first": PROMPTS[0], "second": PROMPTS[1], "tokens": sum(PROMPTS), "model": w.name,
            "even": w.hidden // w.query_heads, "prompt_tokens": self.path["hidden"][0],
            "mean": significant(self.norm.mean_square), "root": significant(self.norm.root),
            "theta": significant(self.rope.theta, 6), "own_theta": w.theta,
            "q1": q1, "k1": k1, "q2": q2, "k2": k2,
            "rate_first": significant(self.rope.frequencies[0]),
            "score": text(self.shown_dots[0].total), "heads": self.groups.query_heads,
            "shared": self.groups.kv_heads, "group": self.groups.group_size,
            "head_kib": f"{head:g}", "piece": f"{head / 2:g}", "many": self.params.compare[0],
            "block": kv.block_size, "kib": kv.per_token // KIB, "mib": kv.per_block // MIB}


def tell(params: Params) -> Story:
    many, *counts = params.compare
    return Story(params, Source("HAND-COMPUTED"), rope_lesson(params.theta, params.positions),
                 kv_cache.head_groups(*params.heads), kv_cache.cache_sizes(many, counts))
