"""Act 01: splitting a row into heads and merging heads again, followed element by element.

Sources: a view keeps the row-major number of an element, a transpose changes it; the engine's
models/qwen3.py:79 (view) and :87 (flatten) @bb823b3. The engine keeps [token, head, d] and so
merges by `flatten` alone; where heads come first ([head, token, d], as in the textbook layout
drawn here) the transpose must come before.
"""

from dataclasses import dataclass

import numpy as np

from ._check import read_only

__all__ = ["Element", "Elements", "Merge", "merge_heads", "number_elements"]


@dataclass(frozen=True)
class Element:
    """One number's way: (0, token, feature) → (0, token, head, d) → (0, head, token, d)."""

    number: int
    flat: tuple[int, ...]
    viewed: tuple[int, ...]
    transposed: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Elements:
    """Numbers 0..T·H·d − 1 as flat [1, T, H·d], viewed [1, T, H, d], transposed [1, H, T, d].

    elements[i] is number i; merged and direct are the two ways back to [1, T, H·d].
    """

    flat: np.ndarray
    viewed: np.ndarray
    transposed: np.ndarray
    elements: tuple[Element, ...]
    merge: "Merge"


@dataclass(frozen=True, eq=False)
class Merge:
    """heads [H, T, d] → [T, H·d] twice: transpose first (right), or reshaped directly (wrong).

    right, wrong [T, H·d].  right_tokens, wrong_tokens [T, H·d]: the token each cell came from;
    mixed_rows: rows of `wrong` that hold values of more than one token.
    """

    heads: np.ndarray
    right: np.ndarray
    wrong: np.ndarray
    right_tokens: np.ndarray
    wrong_tokens: np.ndarray
    mixed_rows: tuple[int, ...]


def merge_heads(heads: np.ndarray) -> Merge:
    """Both merges of heads [H, T, d], and where each cell's value came from."""
    count, tokens, width = heads.shape
    origin = np.broadcast_to(np.arange(tokens)[None, :, None], heads.shape)
    shape = (tokens, count * width)
    right, right_tokens = (a.transpose(1, 0, 2).reshape(shape) for a in (heads, origin))
    wrong, wrong_tokens = (a.reshape(shape) for a in (heads, origin))
    mixed = tuple(row for row in range(tokens) if len(set(wrong_tokens[row].tolist())) > 1)
    return Merge(read_only(heads), read_only(right), read_only(wrong), read_only(right_tokens),
                 read_only(wrong_tokens), mixed)


def number_elements(tokens: int, heads: int, width: int) -> Elements:
    """Number a [1, T, H·d] tensor in row-major order and follow every element to its head."""
    flat = np.arange(tokens * heads * width).reshape(1, tokens, heads * width)
    viewed = flat.reshape(1, tokens, heads, width)
    transposed = viewed.transpose(0, 2, 1, 3)
    ways = tuple(
        Element(i, *(tuple(int(c) for c in np.argwhere(a == i)[0])
                     for a in (flat, viewed, transposed)))
        for i in range(flat.size)
    )
    return Elements(read_only(flat), read_only(viewed), read_only(transposed), ways,
                    merge_heads(transposed[0]))
