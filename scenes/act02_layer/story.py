"""What act 02 tells, as plain data: a small batch's shapes, and every lesson the picture shows."""

from dataclasses import dataclass
from functools import cached_property
from math import atan2, degrees, pi, sqrt, tau

import numpy as np

from scenes.lessons import kv_cache
from scenes.lessons.layer import QWEN3_06B, checkpoints, rms_norm
from scenes.lessons.layer import row_growth, swiglu
from scenes.lessons.rope import RopeLesson, ShownDot, check_positions, rope_lesson, shown_dot
from scenes.lessons.rounding import shown, significant, text
from scenes.lessons.sampling import temperature_softmax
from scenes.stage import Source, param

__all__ = ["KIB", "PROMPTS", "Params", "Story", "tell"]

PROMPTS = (4, 3)  # tokens of the two prompts whose batch is flattened
KIB = 2**10


@dataclass(frozen=True)
class Params:
    theta: float = param(16.0, 2.0, 1e9, help="RoPE's base; Qwen3-0.6B has 1000000")
    positions: tuple = param((5, 3, 7, 5), 0, 40_959, least=4, most=4,
                             help="query, key; query, key further on, at the same distance")
    compare: tuple = param((16, 16, 8, 1), 1, 16, least=4, most=4,
                           help="query heads, then three counts of K/V heads, falling")

    def __post_init__(self) -> None:
        (query, _), (later, _) = check_positions(self.positions)
        if later <= query:
            raise ValueError("positions: the second pair must lie further on than the first")
        query_heads, *counts = self.compare
        kv_cache.cache_sizes(query_heads, counts)
        if counts != sorted(set(counts), reverse=True):
            raise ValueError("compare: after the query heads, three falling counts of K/V heads")


@dataclass(frozen=True)
class Story:
    params: Params
    source: Source
    rope: RopeLesson
    sizes: tuple[kv_cache.CacheSize, ...]
    widths = QWEN3_06B
    norm = rms_norm()
    kv = kv_cache.kv_bytes(QWEN3_06B)
    checkpoints = checkpoints(QWEN3_06B, sum(PROMPTS), len(PROMPTS))
    mlp = swiglu()
    growth = row_growth()
    added = np.diff(growth, axis=0)  # what attention and the MLP add to it

    @property
    def sizes_of_rows(self) -> tuple[float, ...]:
        """Root mean square of the row before and after each addition."""
        return tuple(sqrt((row**2).mean()) for row in self.growth)

    @property
    def row_sizes(self) -> tuple[str, ...]:
        """The same, as written."""
        return tuple(map(significant, self.sizes_of_rows))

    @property
    def saturation(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Two scores, and ten times as large ones, as written, each with their softmax."""
        rows = ((1.0, 2.0), (10.0, 20.0))
        shares = (temperature_softmax(row).probabilities for row in rows)
        return tuple((", ".join(f"{score:g}" for score in row),
                      tuple(text(shown(share, 2)) for share in each))
                     for row, each in zip(rows, shares))

    @cached_property
    def shown_dots(self) -> tuple[ShownDot, ...]:
        """The two equal scores, as written."""
        return tuple(map(shown_dot, self.rope.products))

    @cached_property
    def shown_pairs(self) -> tuple[ShownDot, ...]:
        """Pair 0's product at both position pairs with two digits, as is easily redone by hand."""
        return tuple(shown_dot(product, 2) for product in self.rope.products)

    @property
    def angles(self) -> tuple[str, ...]:
        """Pair 0's angle from k to q at both position pairs, as written."""
        return tuple(_degrees(p.between[0]) for p in self.rope.products)

    @property
    def start_angle(self) -> float:
        """Pair 0's angle from k to q before anything turns, radians in [−π, π)."""
        q, k = (turned.pairs[0] for turned in (self.rope.products[0].query,
                                               self.rope.products[0].key))
        return float((atan2(*q[::-1]) - atan2(*k[::-1]) + pi) % tau - pi)

    @property
    def opening(self) -> tuple[str, str, str]:
        """How that angle comes about, as written: at the start, what is added (whole turns left

        out), and the sum with its sign, "=" where the written figures add up.
        """
        start, end = self.start_angle, float(self.rope.products[0].between[0])
        parts = [shown(degrees(angle), 1) for angle in (start, end - start, end)]
        sign = "=" if parts[0] + parts[1] == parts[2] else "≈"
        plus = "+" if parts[1] >= 0 else "−"
        return (f"{text(parts[0])}°", f"{plus} {text(abs(parts[1]))}°",
                f"{sign} {text(parts[2])}°")

    @property
    def comparison(self) -> str:
        """Which words compare the cache sizes: "classic" for multi-head, grouped, multi-query."""
        kinds = [size.groups.kind for size in self.sizes]
        return "classic" if kinds == ["MHA", "GQA", "MQA"] else "other"

    @cached_property
    def facts(self) -> dict[str, object]:
        """Every number that the narration and the labels name."""
        w, kv, sizes = self.widths, self.kv, self.sizes
        facts = {name: getattr(w, name) for name in (
            "hidden", "layers", "vocabulary", "query_heads", "kv_heads", "head_dim", "qkv", "kv",
            "intermediate")}
        for k, size in enumerate(sizes):
            facts |= {f"kv_{k}": size.groups.kv_heads, f"ratio_{k}": size.ratio,
                      f"size_{k}": f"{size.bytes_per_token / KIB:g}"}
        (q1, k1), (q2, k2) = ((p.query.position, p.key.position) for p in self.rope.products)
        return facts | {
            "first": PROMPTS[0], "second": PROMPTS[1], "tokens": sum(PROMPTS), "model": w.name,
            "even": w.hidden // w.query_heads, "q_ratio": w.q // w.hidden,
            "prompts": len(PROMPTS), "size_first": self.row_sizes[0],
            "size_middle": self.row_sizes[1], "squares": significant(self.norm.squares.sum()),
            "mean": significant(self.norm.mean_square), "root": significant(self.norm.root),
            "q1": q1, "k1": k1, "q2": q2, "k2": k2,
            "unturned": text(shown(self.rope.unturned, 0)),
            "share": text(self.shown_pairs[0].terms[0]),
            "q": w.q, "rate_degrees": significant(degrees(self.rope.frequencies[0])),
            "score": text(self.shown_dots[0].total), "angle": self.angles[0],
            "many": self.params.compare[0],
            "head_kib": f"{kv.per_token / w.layers / KIB:g}", "kib": kv.per_token // KIB}


def _degrees(angle: float) -> str:
    """An angle in radians, as written."""
    return f"{text(shown(degrees(angle), 1))}°"


def tell(params: Params) -> Story:
    many, *counts = params.compare
    return Story(params, Source("HAND-COMPUTED"), rope_lesson(params.theta, params.positions),
                 kv_cache.cache_sizes(many, counts))
