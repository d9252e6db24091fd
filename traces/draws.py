"""A `sampling` trace as scenes use it: what the engine's own sampler drew from recorded rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from traces.trace import Trace

__all__ = ["Draws", "draws_after"]


@dataclass(frozen=True)
class Draws:
    """Draws from one row of logits at one temperature.

    `counts`: token id -> how often it was drawn, for those whose logits are recorded; `outside`:
    how many draws fell on any other token; `log_partition`: the logarithm of the sum of
    e^(logit / temperature) over the whole vocabulary.
    """

    temperature: float
    counts: Mapping[int, int]
    outside: int
    log_partition: float

    @property
    def inside(self) -> int:
        return sum(self.counts.values())

    @property
    def total(self) -> int:
        return self.inside + self.outside

    def shares(self, ids: Sequence[int]) -> list[float]:
        """Of all draws: the share of each of `ids`, then of all other tokens as one."""
        own = [self.counts.get(token, 0) for token in ids]
        return [count / self.total for count in (*own, self.total - sum(own))]


def draws_after(trace: Trace, prompt: str, temperature: float) -> Draws:
    """The draws for a recorded prompt at the recorded temperature nearest to the given one.

    StopIteration when the prompt was not recorded.
    """
    row = next(e for e in trace.events if e.name == "row" and e["prompt"] == prompt)
    drawn = min((e for e in trace.events if e.name == "draws" and e["row"] == row["row"]),
                key=lambda e: abs(e["temperature"] - temperature))
    counts = dict(zip(row["top_ids"], drawn["counts"]))
    return Draws(drawn["temperature"], counts, drawn["tail_count"],
                 drawn["log_partition"])
