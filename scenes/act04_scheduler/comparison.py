"""Runs beside each other: a smaller budget and a larger one, and single steps at real size."""

from dataclasses import dataclass
from functools import cached_property

from scenes.act04_scheduler.answer import Answer, answer_of
from scenes.act04_scheduler.params import Params
from scenes.stage import Source
from traces import Trace, load
from traces.columns import columns_of
from traces.contrast import first_token_steps
from traces.times import SingleStep, single_steps

__all__ = ["Comparison"]

SINGLE = "launch-timeline"  # single steps on a GPU at real size, host and GPU apart


@dataclass(frozen=True)
class Comparison:
    """`budgets`: budget -> run of the same requests, the smaller first."""

    params: Params
    budgets: dict[int, Trace]

    @property
    def longest_run(self) -> range:
        """Numbers of the steps of the run that has most."""
        return range(1, 1 + max(len(trace.steps) for trace in self.budgets.values()))

    @property
    def counting(self) -> str:
        """Whether a larger budget needs fewer, fuller steps, and whether somebody waits for that.

        "later": measured in tokens computed, a first token comes later.
        """
        (_, small), (_, large) = self.budgets.items()
        fuller = max(step.used for step in small.steps) < max(step.used for step in large.steps)
        fewer = len(large.steps) < len(small.steps)
        if not (fuller and fewer and self.gain[1] > self.gain[2]):
            return "same"
        return "later" if self.delayed else "fewer"

    @cached_property
    def delayed(self) -> str:
        """Who, there from the start, gets its first token latest, counted in tokens computed."""
        small, large = self._computed
        there = [name for name, arrival in zip("ABCDE", self.params.arrivals)
                 if arrival == min(self.params.arrivals)]
        name = max(there, key=lambda name: large[name] - small[name])
        return name if large[name] > small[name] else ""

    @property
    def _computed(self) -> list[dict[str, int]]:
        """For each budget: request -> tokens computed until its first token comes."""
        return [{name: sum(step.used for step in trace.steps[:first])
                 for name, first in self.first_tokens[budget].items()}
                for budget, trace in self.budgets.items()]

    @property
    def delay(self) -> int:
        """How many tokens later the larger budget brings the first token of `delayed`."""
        small, large = self._computed
        return large[self.delayed] - small[self.delayed]

    @property
    def extra(self) -> list[str]:
        """Whose tokens only the larger budget computes before the first token of `delayed`."""
        small, large = ({token for column in columns_of(
            trace.steps[:self.first_tokens[budget][self.delayed]]) for token in column}
            for budget, trace in self.budgets.items())
        return sorted({name for name, _ in large - small})

    @property
    def gain(self) -> tuple[str, int, int]:
        """Whose first token a larger budget brings most sooner: name, and its two steps."""
        small, large = self.first_tokens.values()
        name = max(small, key=lambda name: small[name] - large[name])
        return name, small[name], large[name]

    @cached_property
    def first_tokens(self) -> dict[int, dict[str, int]]:
        """budget -> request -> number, from 1, of the step that yields its first token."""
        return {budget: {name: step + 1 for name, step in first_token_steps(trace.steps).items()}
                for budget, trace in self.budgets.items()}

    @cached_property
    def answer(self) -> Answer:
        """What the viewer's own request gets, step by step."""
        return answer_of(self.budgets[self.params.budget].steps)

    @property
    def waiting(self) -> str:
        """Whether the viewer's own answer ever pauses."""
        return "pauses" if self.answer.causes else "steady"

    @property
    def real_source(self) -> Source:
        times = load(SINGLE)
        return Source("REAL TRACE", times.id, times.header.provenance["weights"])

    @property
    def model(self) -> str:
        """Whose real steps are timed."""
        return str(load(SINGLE).header.provenance["model"]).title()

    @cached_property
    def single_steps(self) -> tuple[SingleStep, ...]:
        """The shortest prefill and the longest, then a decode: eagerly, and as a graph's replay."""
        steps = single_steps(load(SINGLE))
        prefills = sorted((s for s in steps if s.phase == "prefill"), key=lambda s: s.tokens)
        return (prefills[0], prefills[-1],
                *sorted((s for s in steps if s.phase == "decode"), key=lambda s: s.mode))
