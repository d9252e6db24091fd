"""Act 01 as a whole: three tokens of four features, its chosen matrices, and drawn ones.

Sizes: vocabulary 6, tokens T = 3, hidden 4. Sources: see `attention` and `elements`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from ._check import MAX_SEED, integer, integers, read_only
from .attention import (
    HEAD_DIM,
    HEADS,
    Head,
    LookUp,
    Projection,
    ShownHead,
    attend,
    look_up,
    project,
    shown_head,
)
from .elements import Elements, Merge, merge_heads, number_elements

__all__ = ["DEFAULT_IDS", "AttentionLesson", "attention_lesson", "check_ids", "matrices"]

TOKENS, VOCABULARY = 3, 6
DEFAULT_IDS = (2, 0, 4)

# Chosen by search: small scores, the two heads weigh the last row in opposite order, and every
# row, sum and product of the default screen adds up by plain rounding.
EMBEDDING = read_only([
    [1, 1, 1, 0],
    [0, 1, 1, 2],
    [0, 1, 2, 1],
    [1, 0, 2, 0],
    [2, 0, 0, 1],
    [1, 1, 0, 2],
])
WEIGHT = read_only([
    [0, 1, 0, 0, 0, 1, 1, 1],
    [0, 0, 0, 1, 1, 0, 1, 1],
    [1, 1, 0, 1, 1, 0, 0, 1],
    [1, 1, 1, 0, 0, 0, 1, 1],
])


def check_ids(ids: object) -> tuple[int, ...]:
    """Exactly three ids in 0..5: the act's pictures ([3,4], elements 0..11) are for T = 3."""
    return integers("ids", ids, TOKENS, 0, VOCABULARY - 1)


def _reads_well(table: np.ndarray, w: np.ndarray) -> bool:
    """Whether drawn matrices teach: distinct keys and heads, no weight near 1, sums that add up."""
    projection = project(table[list(DEFAULT_IDS)], w)
    if len(np.unique(projection.k, axis=0)) < TOKENS or len(np.unique(table, axis=0)) < len(table):
        return False
    heads = [attend(q, projection.k, projection.v) for q in np.split(projection.q, HEADS, axis=1)]
    last = [head.weights[-1] for head in heads]
    return (
        all(row.max() < 0.85 and row.min() > 0.02 and len(np.unique(row)) == TOKENS for row in last)
        and np.abs(last[0] - last[1]).max() > 0.1
        and all(shown_head(head).exact for head in heads)
    )


@cache
def matrices(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Embedding table [6, 4] of 0..2 and projection [4, 8] of 0..1; seed 0 gives the chosen ones.

    Another seed in 1..9999 draws until the default ids read well; the matrices depend on the
    seed alone, so that changing ids, causal or scale changes nothing else.
    """
    if integer("seed", seed, 0, MAX_SEED) == 0:
        return EMBEDDING, WEIGHT
    rng = np.random.default_rng(seed)
    for _ in range(20_000):  # a few hundred draws are needed
        table = rng.integers(0, 3, EMBEDDING.shape)
        w = rng.integers(0, 2, WEIGHT.shape)
        if _reads_well(table, w):
            return read_only(table), read_only(w)
    raise ValueError(f"seed {seed} draws no matrices that read well: choose another")


@dataclass(frozen=True, eq=False)
class AttentionLesson:
    """All of act 01. heads: two, with the same k and v; shown: the same two as written."""

    ids: tuple[int, ...]
    causal: bool
    scale: bool
    seed: int
    look_up: LookUp
    projection: Projection
    elements: Elements
    heads: tuple[Head, ...]
    shown: tuple[ShownHead, ...]
    merge: Merge


def attention_lesson(
    ids: object = DEFAULT_IDS, causal: bool = True, scale: bool = True, seed: int = 0,
) -> AttentionLesson:
    """ids: three integers in 0..5. scale: divide by √d or not. seed: 0 for the chosen matrices.

    merge: the two heads' outputs, both ways. ValueError names the range of a wrong parameter.
    """
    ids = check_ids(ids)
    table, w = matrices(seed)
    looked_up = look_up(ids, table)
    projection = project(looked_up.x, w)
    per_head = np.split(projection.q, HEADS, axis=1)
    heads = tuple(attend(q, projection.k, projection.v, causal, scale) for q in per_head)
    return AttentionLesson(
        ids, causal, scale, seed, looked_up, projection,
        number_elements(TOKENS, HEADS, HEAD_DIM), heads, tuple(map(shown_head, heads)),
        merge_heads(np.stack([head.output for head in heads])),
    )
