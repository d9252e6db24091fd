"""Act 02: the parts of a Qwen3 layer on numbers small enough to redo, and the real widths.

Sources: Zhang & Sennrich 2019 (RMSNorm: x / √(mean(x²) + ε) · weight), Shazeer 2020 (SwiGLU:
(SiLU(x W_gate) ⊙ (x W_up)) W_down); the engine's layers/layernorm.py:16-26,
layers/activation.py:9-11, models/qwen3.py:36-38, 72-88 and 113-117 @bb823b3.
"""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ._check import read_only
from .rounding import ShownMix, shown, shown_mix

__all__ = [
    "QWEN3_06B", "RmsNorm", "ShownSwiglu", "Swiglu", "Widths", "checkpoints", "layer_path",
    "rms_norm", "row_growth", "shown_swiglu", "silu", "swiglu",
]

# One row through the layer: it comes in as ROW, attention adds ATTENTION to it, and the MLP's
# norm makes MLP_X of the sum, whose mean square is 2.25, so that the root is 1.5.
ROW = read_only([0.5, -0.5, 0.5, 0.5])
ATTENTION = read_only([-0.5, 1.5, 1.5, 1.5])
NORM_X = read_only(ROW + ATTENTION)
NORM_WEIGHT = read_only([1, 1.5, 1.5, 0.75])


@dataclass(frozen=True, eq=False)
class RmsNorm:
    """x [n] → output [n] = x / root · weight; root = √(mean_square + eps), a scalar.

    squares [n]: x²; normalised [n]: x / root, of mean square 1 (up to eps).
    """

    x: np.ndarray
    eps: float
    weight: np.ndarray
    squares: np.ndarray
    mean_square: float
    root: float
    normalised: np.ndarray
    output: np.ndarray


def rms_norm(
    x: np.ndarray = NORM_X, weight: np.ndarray = NORM_WEIGHT, eps: float = 1e-6,
) -> RmsNorm:
    """Root-mean-square norm of one vector [n]; no mean is subtracted (as LayerNorm would)."""
    x, weight = read_only(x, float), read_only(weight, float)
    squares = read_only(x**2)
    mean_square = float(squares.mean())
    root = float(np.sqrt(mean_square + eps))
    normalised = read_only(x / root)
    return RmsNorm(x, eps, weight, squares, mean_square, root, normalised,
                   read_only(normalised * weight))


# Chosen by search: the gates cover −2..2, every gate has a partner that is not zero, and every
# product and sum of the screen adds up by plain rounding.
MLP_X = read_only([0, 1, 2, 1])  # what the norm makes of NORM_X
GATE_UP = read_only([
    [0, 0, 0, 0, 0, -1, 1, 0, -1, 0, 1, -1],
    [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1],
    [-1, 1, -1, -1, 1, 1, 1, 0, 1, 0, 1, 1],
    [1, -1, 1, 0, 0, -1, 0, 1, 0, 1, 0, -1],
])
DOWN = read_only([
    [0, 1, -1, -1],
    [0, 1, -1, 1],
    [0, 0, 0, -1],
    [0, 0, -1, 1],
    [1, -1, 1, 0],
    [-1, 0, 0, -1],
])


@dataclass(frozen=True, eq=False)
class Swiglu:
    """One token. x [4] · gate_up_weight [4, 12] = gate_up [12] → gate [6], up [6];

    sigmoid [6]: 1 / (1 + e^−gate); silu [6]: gate · sigmoid; activations [6]: silu · up;
    output [4] = activations · down_weight [6, 4]. Matrices are [in, out].
    """

    x: np.ndarray
    gate_up_weight: np.ndarray
    gate_up: np.ndarray
    gate: np.ndarray
    up: np.ndarray
    sigmoid: np.ndarray
    silu: np.ndarray
    activations: np.ndarray
    down_weight: np.ndarray
    output: np.ndarray


def silu(gate: float) -> float:
    """gate · 1 / (1 + e^−gate)."""
    return float(gate / (1 + np.exp(-gate)))


def swiglu(
    x: np.ndarray = MLP_X, gate_up_weight: np.ndarray = GATE_UP, down_weight: np.ndarray = DOWN,
) -> Swiglu:
    """The feed-forward part for one token: no other token enters."""
    gate_up = x @ gate_up_weight
    gate, up = np.split(gate_up, 2)
    sigmoid = 1 / (1 + np.exp(-gate))
    silu = gate * sigmoid
    activations = silu * up
    x, gate_up, gate, up, sigmoid, silu, activations, output = map(
        read_only, (x, gate_up, gate, up, sigmoid, silu, activations, activations @ down_weight))
    return Swiglu(x, read_only(gate_up_weight), gate_up, gate, up, sigmoid, silu, activations,
                  read_only(down_weight), output)


def row_growth() -> np.ndarray:
    """[3, 4]: the row as it comes in, after attention's addition, and after the MLP's."""
    return read_only(np.cumsum([ROW, ATTENTION, swiglu().output], axis=0))


@dataclass(frozen=True)
class ShownSwiglu:
    """As written: sigmoid [6], silu [6], and the mix of activations [6] into the output [4]."""

    sigmoid: tuple[Decimal, ...]
    silu: tuple[Decimal, ...]
    mix: ShownMix


def shown_swiglu(token: Swiglu, digits: int = 2) -> ShownSwiglu:
    """Display rounding; `mix.weights` are the activations, `mix.totals` the output.

    With the default numbers a viewer's gate · sigmoid, silu · up and sums give what is shown.
    """
    sigmoid, silu = (tuple(shown(x, digits) for x in row) for row in (token.sigmoid, token.silu))
    mix = shown_mix(token.activations, token.down_weight, digits)
    return ShownSwiglu(sigmoid, silu, mix)


@dataclass(frozen=True)
class Widths:
    """A Qwen3 checkpoint's sizes, in elements; itemsize in bytes per element of K and V."""

    name: str
    hidden: int
    layers: int
    query_heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocabulary: int
    itemsize: int = 2
    theta: int = 1_000_000  # RoPE's base

    @property
    def q(self) -> int:
        """Width of all query heads (not `hidden`: head_dim is a number of its own)."""
        return self.query_heads * self.head_dim

    @property
    def kv(self) -> int:
        """Width of all K heads, and of all V heads."""
        return self.kv_heads * self.head_dim

    @property
    def qkv(self) -> int:
        """Width of the fused projection."""
        return self.q + 2 * self.kv

    @property
    def gate_up(self) -> int:
        """Width of the fused gate and up projection."""
        return 2 * self.intermediate


QWEN3_06B = Widths("Qwen3-0.6B", 1024, 28, 16, 8, 128, 3072, 151_936)


def checkpoints(
    widths: Widths, tokens: int, sequences: int = 1,
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The six stations from ids to logits in a prefill, as (name, shape).

    The engine flattens a batch to [total tokens, …]; only each sequence's last row meets the LM
    head (models/qwen3.py:173-183, layers/embed_head.py:58-61 @bb823b3).
    """
    row = (tokens, widths.hidden)
    return (
        ("ids", (tokens,)), ("embedding", row), ("layers", row), ("norm", row),
        ("last rows", (sequences, widths.hidden)), ("logits", (sequences, widths.vocabulary)),
    )


def layer_path(widths: Widths, tokens: int) -> dict[str, tuple[int, ...]]:
    """Shapes along one attention sub-layer, in the engine's order (models/qwen3.py:77-88)."""
    q = (tokens, widths.query_heads, widths.head_dim)
    kv = (tokens, widths.kv_heads, widths.head_dim)
    return {
        "hidden": (tokens, widths.hidden), "qkv": (tokens, widths.qkv), "q": q, "k": kv, "v": kv,
        "q_norm": q, "k_norm": kv, "q_rope": q, "k_rope": kv, "attention": q,
        "merged": (tokens, widths.q), "output": (tokens, widths.hidden),
    }
