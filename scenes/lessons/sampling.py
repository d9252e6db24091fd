"""Act 03: from a row of logits to one token. V: entries of the row; tokens are indices into it.

Sources: the engine's layers/sampler.py:8-12 and sampling_params.py:10-11 @bb823b3 (temperature
and race; greedy refused; it has no top-k and no top-p), Fan et al. 2018 (top-k), Holtzman et al.
2020 (top-p). The race: x ~ Exp(1) makes x / p ~ Exp(rate p), and of independent exponentials
the one with rate p_i comes first with probability p_i / Σ p.
"""

from dataclasses import dataclass
from typing import SupportsFloat

import numpy as np

from ._check import MAX_SEED, Numbers, integer, read_only, real

__all__ = ["Cut", "Distribution", "Race", "Races", "check_temperature", "cut", "greedy", "race",
           "races", "temperature_softmax"]

MIN_TEMPERATURE, MAX_TEMPERATURE = 1e-10, 100.0
_SMALLEST = 1e-10  # the engine's floor for an exponential
_CHUNK = 1 << 20  # exponentials drawn at a time


def check_temperature(temperature: SupportsFloat | str) -> float:
    """Above 1e-10 (this engine refuses greedy sampling) and at most 100; ValueError otherwise."""
    return real("temperature", temperature, MIN_TEMPERATURE, MAX_TEMPERATURE)


@dataclass(frozen=True, eq=False)
class Distribution:
    """logits [V] / temperature = scaled [V]; exps [V] = e^(scaled − maximum), their `total`;

    probabilities [V] = exps / total; order [V]: tokens from the most to the least probable.
    """

    logits: np.ndarray
    temperature: float
    scaled: np.ndarray
    exps: np.ndarray
    total: float
    probabilities: np.ndarray
    order: np.ndarray


def temperature_softmax(logits: Numbers, temperature: float = 1.0) -> Distribution:
    """Below 1 the temperature sharpens, above 1 it flattens; the order never changes."""
    row, temperature = read_only(logits, float), check_temperature(temperature)
    scaled = row / temperature
    exps = np.exp(scaled - scaled.max())
    total = float(exps.sum())
    return Distribution(row, temperature, read_only(scaled), read_only(exps), total,
                        read_only(exps / total), read_only(np.argsort(-row, kind="stable")))


def greedy(logits: Numbers) -> int:
    """The token of the largest logit; the first one if several are equal."""
    return int(np.argmax(logits))


@dataclass(frozen=True, eq=False)
class Cut:
    """order, cumulative [V]: tokens from the most probable on, and their running sum.

    kept [V], bool, by token; count of kept; mass: their probability before; probabilities [V]:
    renormalised, 0 where cut.
    """

    order: np.ndarray
    cumulative: np.ndarray
    kept: np.ndarray
    count: int
    mass: float
    probabilities: np.ndarray


def cut(
    probabilities: Numbers, top_k: int | None = None, top_p: float | None = None,
) -> Cut:
    """Keep the top_k most probable tokens, then of these (renormalised) the fewest reaching top_p.

    top_k: 1..V; top_p: above 0, at most 1; None is off; ValueError otherwise. Of equals the
    lower index goes first. `cumulative` is of the probabilities given, before any cut.
    """
    p = np.asarray(probabilities, float)
    order = np.argsort(-p, kind="stable")
    cumulative = p[order].cumsum()
    count = len(p) if top_k is None else integer("top_k", top_k, 1, len(p))
    if top_p is not None:
        share = cumulative[:count] / cumulative[count - 1]
        reached = share >= real("top_p", top_p, 0, 1) - 1e-12  # 0.5 + 0.3 must reach 0.8
        count = int(np.argmax(reached)) + 1
    kept = np.zeros(len(p), bool)
    kept[order[:count]] = True
    mass = float(p[kept].sum())
    return Cut(read_only(order), read_only(cumulative), read_only(kept), count, mass,
               read_only(np.where(kept, p, 0) / mass))


@dataclass(frozen=True, eq=False)
class Race:
    """exponentials [V] ~ Exp(1); times [V] = exponentials / p, infinite where p is 0;

    scores [V] = p / exponentials, as the engine computes; the winner has the smallest time and
    the largest score. order [V]: tokens by arrival.
    """

    exponentials: np.ndarray
    times: np.ndarray
    scores: np.ndarray
    order: np.ndarray
    winner: int


def _race(p: np.ndarray, exponentials: np.ndarray) -> Race:
    scores = p / exponentials
    times = np.divide(exponentials, p, out=np.full(len(p), np.inf), where=p > 0)
    order = np.argsort(times, kind="stable")
    return Race(read_only(exponentials), read_only(times), read_only(scores), read_only(order),
                int(order[0]))


def _exponentials(rng: np.random.Generator, races: int, entries: int) -> np.ndarray:
    return np.maximum(rng.standard_exponential((races, entries)), _SMALLEST)


def race(probabilities: Numbers, seed: int = 0) -> Race:
    """One sampled token: race 0 of `races` with the same seed."""
    return races(probabilities, 1, seed).opening[0]


@dataclass(frozen=True, eq=False)
class Races:
    """`count` independent races. winners [count]; wins [V]; frequencies [V] = wins / count.

    deviation: the largest |frequency − p|, at token `farthest`; expected_error [V]: the standard
    deviation of a frequency, √(p (1 − p) / count). opening: the first races in full.
    """

    probabilities: np.ndarray
    count: int
    winners: np.ndarray
    wins: np.ndarray
    frequencies: np.ndarray
    deviation: float
    farthest: int
    expected_error: np.ndarray
    opening: tuple[Race, ...]


def races(
    probabilities: Numbers, count: int = 10_000, seed: int = 0, opening: int = 3,
) -> Races:
    """Race `count` times (1..1,000,000) over probabilities [V] that sum to 1; seed in 0..9999."""
    p = read_only(probabilities, float)
    if p.min() < 0 or abs(p.sum() - 1) > 1e-6:
        raise ValueError(f"probabilities must be at least 0 and sum to 1, got {p.sum():g}")
    count = integer("races", count, 1, 1_000_000)
    rng = np.random.default_rng(integer("seed", seed, 0, MAX_SEED))
    rows = max(1, _CHUNK // len(p))
    first: list[Race] = []
    drawn_winners: list[np.ndarray] = []
    for start in range(0, count, rows):
        drawn = _exponentials(rng, min(rows, count - start), len(p))
        first += [_race(p, row) for row in drawn[: opening - len(first)]]
        drawn_winners.append((p / drawn).argmax(axis=1))
    winners = read_only(np.concatenate(drawn_winners))
    wins = read_only(np.bincount(winners, minlength=len(p)))
    frequencies = read_only(wins / count)
    distance = np.abs(frequencies - p)
    return Races(p, count, winners, wins, frequencies, float(distance.max()),
                 int(distance.argmax()), read_only(np.sqrt(p * (1 - p) / count)), tuple(first))
