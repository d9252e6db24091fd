"""What act 04 tells, as plain data: the run, its contrasts, and the moments worth a beat."""

from dataclasses import dataclass
from functools import cached_property

from scenes.stage import Source, param
from traces import EngineConfig, Step, Trace, Workload, load, toy_request
from traces.contrast import SimulatedStep, first_token_steps, mixed_phase
from traces.moments import cuts_prompt, first_cut, first_stall, interrupts_decodes
from traces.moments import recorded_or_played, steps_of
from traces.seats import Seating, continuous_seating, stalled_tokens, static_seating
from traces.times import StepTime, median_times, step_times

__all__ = ["ROLES", "Params", "Story", "tell"]

ROLES = dict(zip("ABCDE", ("q", "k", "v", "d", "e")))
BLOCK, BLOCKS = 4, 32  # memory is ample in this act
BUDGETS = (6, 8, 12)
REAL = "continuous-batching"  # the run at real size, on a GPU


@dataclass(frozen=True)
class Params:
    budget: int = param(6, 4, 24, help="tokens that one prefill step may compute")
    max_num_seqs: int = param(3, 1, 4, help="sequences that one step may serve")
    prompts: tuple = param((11, 5, 7, 6, 4), 1, 12, least=2, most=5, help="prompt lengths")
    max_tokens: tuple = param((4, 12, 3, 7, 6), 1, 12, least=2, most=5, help="tokens to generate")
    arrivals: tuple = param((0, 0, 0, 7, 9), 0, 20, least=2, most=5, help="engine step indices")

    def __post_init__(self):
        if not len(self.prompts) == len(self.max_tokens) == len(self.arrivals):
            raise ValueError("prompts, max_tokens and arrivals: one entry for each request")


@dataclass(frozen=True)
class Story:
    """`budgets`: budget -> run of the same requests, the smallest first; `trace`: one of them."""

    params: Params
    trace: Trace
    budgets: dict[int, Trace]
    static: Seating
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
    def stall(self) -> Step | None:
        return first_stall(self.trace.steps)

    @property
    def stalling(self) -> str:
        """Which words the beat on prefill first uses: a newcomer, a queue, or nobody stalls."""
        if not self.stall:
            return "none"
        return "stall" if interrupts_decodes(self.trace.steps, self.stall) else "queued"

    @property
    def window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the steps around the stall; else the first three."""
        middle = self.stall.index if self.stall else 1
        return self._numbers(middle - 1, middle + 1)

    def _numbers(self, first: int, last: int) -> tuple[int, ...]:
        """Numbers, from 1, of the steps with indices from first to last, where there are any."""
        return tuple(step.index + 1 for step in self.trace.steps if first <= step.index <= last)

    @cached_property
    def cut(self) -> Step | None:
        return first_cut(self.trace.steps)

    @cached_property
    def cut_again(self) -> Step | None:
        """The next step that cuts another prompt, if it follows soon."""
        after = self.trace.steps[self.cut.index + 2:][:2] if self.cut else ()
        return next((s for s in after if cuts_prompt(s) and s.names[0] != self.followed), None)

    @property
    def chunking(self) -> str:
        return "cut" if self.cut else "whole"

    @property
    def cutting(self) -> str:
        return "twice" if self.cut_again else self.chunking

    @property
    def cut_window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the step that cuts a prompt and those after it: three or four."""
        first = self.cut.index if self.cut else 0
        return self._numbers(first, max(first + 2, self.cut_again.index if self.cut_again else 0))

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
        return next(iter(steps_of(self.trace.steps, self.followed, "decode")), None)

    @property
    def counted(self) -> list[int]:
        """Numbers of the steps that the three counters are followed through."""
        return self.chunk_steps[:3] + ([self.first_decode.index + 1] if self.first_decode else [])

    @property
    def longest_run(self) -> range:
        """Numbers of the steps of the run that has most."""
        return range(1, 1 + max(len(trace.steps) for trace in self.budgets.values()))

    @property
    def counting(self) -> str:
        """Whether the largest budget needs fewer steps than the smallest."""
        first, *_, last = (len(trace.steps) for trace in self.budgets.values())
        return "fewer" if last < first else "same"

    @cached_property
    def first_tokens(self) -> dict[int, dict[str, int]]:
        """budget -> request -> number, from 1, of the step that yields its first token."""
        return {budget: {name: step + 1 for name, step in first_token_steps(trace.steps).items()}
                for budget, trace in self.budgets.items()}

    @cached_property
    def real(self) -> tuple[StepTime, ...]:
        return step_times(load(f"{REAL}-times"))

    @property
    def real_steps(self) -> range:
        return range(1, len(self.real) + 1)

    @property
    def real_source(self) -> Source:
        times = load(f"{REAL}-times")
        return Source("REAL TRACE", times.id, times.header.provenance["weights"])

    @property
    def like_prefills(self) -> tuple[int, int]:
        """Two prefill steps of the GPU's run: the fewest tokens, and the last with the most."""
        fills = [k for k, step in enumerate(self.real) if step.phase == "prefill"]
        fewest = min(fills, key=lambda k: self.real[k].tokens)
        return fewest, max(fills, key=lambda k: (self.real[k].tokens, k))

    @property
    def stalls(self) -> tuple[int, int]:
        """How often a request that already generates gets no token: here, and with mixed steps."""
        return stalled_tokens(self.trace.steps), stalled_tokens(self.mixed)

    @property
    def mixing(self) -> str:
        return "stalls" if self.stalls[0] else "none"

    @cached_property
    def facts(self) -> dict[str, object]:
        """Every number that the narration and the labels name."""
        static, now = self.static, self.continuous
        facts = {"budget": self.params.budget, "cap": self.params.max_num_seqs, "steps": now.steps,
                 "idle": now.idle, "static_steps": static.steps, "static_idle": static.idle,
                 "stalls": self.stalls[0]} | self._real_facts()
        firsts = list(self.first_tokens.values())
        late = max(firsts[0], key=lambda name: firsts[0][name] - firsts[-1][name])
        facts["late"] = late
        for i, (budget, trace) in enumerate(self.budgets.items()):
            facts |= {f"budget_{i}": budget, f"steps_{i}": len(trace.steps),
                      f"late_{i}": firsts[i][late]}
        if self.cut:
            part, known = self.cut.scheduled[0], self.cut.before[self.followed].num_tokens
            facts |= {"cut": part.request, "cut_known": known, "cut_count": part.count,
                      "cut_left": known - part.start - part.count}
        if self.cut_again:
            facts["again"] = self.cut_again.names[0]
        if self.stall:
            facts |= {"newcomer": self.stall.names[0], "stalled": ", ".join(self.stall.stalled)}
        return facts

    def _real_facts(self) -> dict[str, object]:
        run, medians, (fewest, most) = load(REAL), median_times(self.real), self.like_prefills
        return {"gpu_requests": len(run.workload.requests),
                "gpu_budget": f"{run.config.max_num_batched_tokens:,}",
                "gpu_ratio": f"{medians['prefill'] / medians['decode']:.0f}",
                "gpu_prefill": f"{medians['prefill']:.1f}", "gpu_decode": f"{medians['decode']:.1f}",
                "gpu_least": self.real[fewest].tokens, "gpu_most": f"{self.real[most].tokens:,}"}


def tell(params: Params) -> Story:
    """Recorded runs where the workload is the recorded one, the reference model's otherwise."""
    lists = zip(params.prompts, params.max_tokens, params.arrivals)
    workload = Workload(tuple(toy_request(k, *values) for k, values in enumerate(lists)))
    budgets = {*BUDGETS, params.budget}
    if len(budgets) > 3:
        budgets.remove(min(BUDGETS, key=lambda budget: abs(budget - params.budget)))
    configs = {budget: EngineConfig(BLOCK, BLOCKS, budget, params.max_num_seqs)
               for budget in sorted(budgets)}
    runs = {budget: recorded_or_played(workload, config, [f"sched-b{b}" for b in BUDGETS])
            for budget, config in configs.items()}
    config = configs[params.budget]
    return Story(params, runs[params.budget], runs, static_seating(workload, config),
                 mixed_phase(workload, config))
