"""What act 04 tells, as plain data: the run, its contrasts, and the moments worth a beat."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scenes.act04_scheduler.answer import takers
from scenes.act04_scheduler.comparison import Comparison
from scenes.act04_scheduler.facts import facts_of
from scenes.act04_scheduler.params import Params
from scenes.kit import request_roles
from scenes.stage import Source
from traces import EngineConfig, Step, Trace, Workload, toy_request
from traces.columns import Column, columns_of
from traces.contrast import SimulatedStep, first_token_steps, mixed_phase, static_batching
from traces.moments import first_cut, first_stall, interrupts_decodes
from traces.moments import recorded_or_played, steps_of
from traces.seats import Seating, continuous_seating, stalled_tokens, static_seating

__all__ = ["ROLES", "Params", "Story", "tell"]

ROLES = request_roles("ABCDE")
BLOCK, BLOCKS = 4, 32  # memory is ample in this act
BUDGETS = (6, 8, 12)


class Blocked(NamedTuple):
    """A request that does not fit whole into what a step leaves of its budget."""

    name: str
    need: int
    unused: int


@dataclass(frozen=True)
class Story(Comparison):
    """`trace`: one of the two runs in `budgets`."""

    trace: Trace
    static: Seating
    static_steps: tuple[SimulatedStep, ...]
    mixed: tuple[SimulatedStep, ...]
    contrast = Source("SIMULATED")

    @property
    def source(self) -> Source:
        return self._badge(self.trace)

    @property
    def source_all(self) -> Source:
        return self._badge(*self.budgets.values())

    def _badge(self, *traces: Trace) -> Source:
        if any(trace.simulated for trace in traces):
            return self.contrast
        return Source("SCALED-DOWN", " ".join(trace.id for trace in traces))

    @cached_property
    def continuous(self) -> Seating:
        return continuous_seating(self.trace.steps, self.params.max_num_seqs)

    @property
    def batching(self) -> str:
        return "alone" if self.params.max_num_seqs == 1 else "idle" if self.static.idle else "full"

    @property
    def prompts(self) -> dict[str, int]:
        """Request -> tokens of its prompt."""
        return {r.name: len(r.prompt) for r in self.trace.workload.requests}

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """For each step the tokens that it computes."""
        return columns_of(self.trace.steps)

    @property
    def tokens(self) -> list[tuple[str, int]]:
        """Every token that is ever computed, request by request."""
        return sorted(token for column in self.columns for token in column)

    @property
    def stall(self) -> Step | None:
        return first_stall(self.trace.steps)

    @property
    def stalling(self) -> str:
        """Which words the beat on prefill first uses: a newcomer, a queue, or nobody stalls."""
        if not self.stall:
            return "none"
        if not interrupts_decodes(self.trace.steps, self.stall):
            return "queued"
        return "early" if self.early else "stall"

    @cached_property
    def early(self) -> tuple[Step, ...]:
        """The steps between the followed prompt's end and the stall: prefills, for which that

        request pauses, then one or two decodes.
        """
        if not self.stall:
            return ()
        between = self.trace.steps[self.chunks[-1].index + 1:self.stall.index]
        phases = "".join(step.phase[0] for step in between)
        everyone = all(step.names == step.planned.running for step in between
                       if step.phase == "decode")
        pauses = all(self.followed in step.stalled for step in between if step.phase == "prefill")
        told = phases in ("pd", "ppd", "pppd", "pdd", "ppdd", "pppdd")
        alone = not any(step.arrived for step in between)
        return between if told and pauses and everyone and alone else ()

    @property
    def early_prefills(self) -> tuple[Step, ...]:
        return tuple(step for step in self.early if step.phase == "prefill")

    @property
    def turns(self) -> range:
        """Indices of the steps up to the stall, or else up to the first decodes."""
        quiet = min(self.chunks[-1].index + 4, len(self.trace.steps))
        return range(self.stall.index if self.stall else quiet)

    @property
    def window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the steps around the stall; else those that come first."""
        return self._numbers(max(0, len(self.turns) - 8), len(self.turns))

    def _numbers(self, first: int, last: int) -> tuple[int, ...]:
        """Numbers, from 1, of the steps with indices from first to last, where there are any."""
        return tuple(step.index + 1 for step in self.trace.steps if first <= step.index <= last)

    @cached_property
    def cut(self) -> Step | None:
        return first_cut(self.trace.steps)

    @cached_property
    def blocked(self) -> Blocked | None:
        """Who does not fit, in the step after the cut, into what is left of the budget."""
        if not self.cut or self.cut.index + 1 >= len(self.trace.steps):
            return None
        step = self.trace.steps[self.cut.index + 1]
        unused, waiting = step.budget - step.used, step.planned.waiting
        room = len(step.names) < self.params.max_num_seqs
        if step.phase != "prefill" or not unused or not waiting or not room:
            return None
        need = step.planned[waiting[0]].num_tokens
        return Blocked(waiting[0], need, unused) if need > unused else None

    @property
    def sampling(self) -> str:
        return "cut" if self.cut else "whole"

    @property
    def cutting(self) -> str:
        return "blocked" if self.blocked else self.sampling

    @property
    def cut_window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the step that cuts a prompt, or of the first, and two after it."""
        first = self.cut.index if self.cut else 0
        return self._numbers(first, first + 2)

    @property
    def counting_up(self) -> str:
        """Which words the counters use: whether a decode follows the prompt."""
        return "decodes" if self.first_decode else "ends"

    @property
    def counted_name(self) -> str:
        """Whose tokens are counted: the newcomer's, who was prefilled last; else the followed."""
        new = self.stall.names[0] if self.stall and self.stalling in ("early", "stall") else ""
        return new if self.stall and new in self.stall.produced else self.followed

    @cached_property
    def last_chunk(self) -> Step:
        """The step that ends the prompt of whom the counters are shown for."""
        return steps_of(self.trace.steps, self.counted_name, "prefill")[-1]

    @property
    def followed(self) -> str:
        """The request whose chunks are shown: the one that is cut, or the first one."""
        return (self.cut or self.trace.steps[0]).names[0]

    @cached_property
    def chunks(self) -> tuple[Step, ...]:
        return steps_of(self.trace.steps, self.followed, "prefill")

    @property
    def chunk_steps(self) -> list[int]:
        return [step.index + 1 for step in self.chunks]

    @cached_property
    def first_decode(self) -> Step | None:
        return next(iter(steps_of(self.trace.steps, self.counted_name, "decode")), None)

    @property
    def counted(self) -> list[int]:
        """Numbers of the steps that the three counters are followed through."""
        later = [self.first_decode.index + 1] if self.first_decode else []
        return [self.last_chunk.index + 1, *later]

    @property
    def stalls(self) -> tuple[int, int]:
        """How often a request that already generates gets no token: here, and with mixed steps."""
        return stalled_tokens(self.trace.steps), stalled_tokens(self.mixed)

    @cached_property
    def price(self) -> tuple[str, int, int] | None:
        """Whose first token mixed steps bring later: name, step number here and there."""
        here, there = first_token_steps(self.trace.steps), first_token_steps(self.mixed)
        name = max(here, key=lambda name: there[name] - here[name])
        later = there[name] > here[name] and bool(self.stalls[0])
        return (name, here[name] + 1, there[name] + 1) if later else None

    @cached_property
    def takers(self) -> list[str]:
        """Whose decodes push the first token of `price` into the next step; [] if it is not so."""
        if not self.price or self.price[2] != self.price[1] + 1:
            return []
        name, step, _ = self.price
        return takers(self.mixed[step - 1], name, self.prompts)

    @property
    def mixing(self) -> str:
        if self.price:
            return "taken" if self.takers else "paid"
        return "free" if self.stalls[0] else "none"

    @cached_property
    def facts(self) -> dict[str, object]:
        """Every number that the narration and the labels name."""
        return facts_of(self)


def tell(params: Params) -> Story:
    """Recorded runs where the workload is the recorded one, the reference model's otherwise."""
    lists = zip(params.prompts, params.max_tokens, params.arrivals)
    workload = Workload(tuple(toy_request(k, *values) for k, values in enumerate(lists)))
    other = BUDGETS[-1] if params.budget != BUDGETS[-1] else BUDGETS[0]
    configs = {budget: EngineConfig(BLOCK, BLOCKS, budget, params.max_num_seqs)
               for budget in sorted((params.budget, other))}
    runs = {budget: recorded_or_played(workload, config, [f"sched-b{b}" for b in BUDGETS])
            for budget, config in configs.items()}
    config = configs[params.budget]
    return Story(params, runs, runs[params.budget], static_seating(workload, config),
                 static_batching(workload, config), mixed_phase(workload, config))
