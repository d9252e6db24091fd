"""A row of logits as a trace keeps it: the highest ones, and what lies outside of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from traces.kinds._bf16 import is_bf16
from traces.kinds._facts import Check
from traces.kinds._types import Fact

__all__ = ["TOP", "check_mass", "check_top"]

TOP = 64  # logits that are kept of each row
_DECIMALS = 4


def check_top(c: Check, event: Fact, ids: Sequence[int], logits: Sequence[float],
              texts: Sequence[str]) -> None:
    """The highest logits fall, each of another token, and the engine computes them in bf16."""
    for name, part in (("ids", ids), ("logits", logits), ("texts", texts)):
        c.same(event, f"top {name}", len(part), TOP)
    c.need(list(logits) == sorted(logits, reverse=True), event, "top_logits do not fall")
    c.same(event, "different top ids", len(set(ids)), TOP)
    c.need(max(ids) < c.config.vocab_size, event, "a token is outside the vocabulary")
    c.need(bool(is_bf16(logits, _DECIMALS).all()), event, "top_logits hold what bf16 cannot")


def check_mass(c: Check, event: Fact, logits: Sequence[float], temperature: float,
               log_partition: float, tail: float) -> list[float]:
    """With the tail the probabilities sum to 1; returns those of the top."""
    p = [math.exp(x / temperature - log_partition) for x in logits]
    # each logit is rounded to 4 decimals: to half a unit there, divided by the temperature
    within = 0.5 * 10 ** -_DECIMALS / temperature + 2e-6
    c.near(event, "probability of top and tail", math.fsum(p) + tail, 1, within)
    c.need(tail <= (c.config.vocab_size - TOP) * p[-1] + 1e-6, event,
           "the tail outweighs the lowest of the top")
    return p
