"""What act 04 tells, as plain data: the run, its contrasts, and the moments worth a beat."""

from dataclasses import dataclass
from functools import cached_property
from statistics import median

from scenes.act04_scheduler.seats import Run, milliseconds, seated, stalled_tokens, static_run
from scenes.stage import Source, param
from traces import EngineConfig, Workload, load, play, toy_request
from traces.contrast import first_token_steps, mixed_phase

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

    @property
    def workload(self) -> Workload:
        lists = zip(self.prompts, self.max_tokens, self.arrivals)
        return Workload(tuple(toy_request(k, *values) for k, values in enumerate(lists)))

    def config(self, budget: int) -> EngineConfig:
        return EngineConfig(BLOCK, BLOCKS, budget, self.max_num_seqs)


@dataclass(frozen=True)
class Story:
    params: Params
    trace: object
    source: Source
    budgets: dict  # budget -> Trace

    @cached_property
    def static(self) -> Run:
        return static_run(self.params.workload, self.params.config(self.params.budget))

    @cached_property
    def continuous(self) -> Run:
        return seated(self.trace.steps, self.params.max_num_seqs)

    @cached_property
    def cut(self):
        """The first step that computes only a part of a prompt, or None."""
        return next((s for s in self.trace.steps if s.phase == "prefill"
                     and not s.scheduled[0].finishes_prompt), None)

    @cached_property
    def stall(self):
        """The step to show for a stalled decode: a newcomer is prefilled while others decode."""
        found = [s for s in self.trace.steps if s.phase == "prefill" and s.stalled]
        fresh = [s for s in found if s.index and self.trace.steps[s.index - 1].phase == "decode"]
        return next(iter(fresh or found), None)

    @property
    def stalling(self) -> str:
        """Which words the beat on prefill first uses: a newcomer, a queue, or nobody stalls."""
        if not self.stall:
            return "none"
        before = self.stall.index and self.trace.steps[self.stall.index - 1].phase
        return "stall" if before == "decode" else "queued"

    @property
    def counting(self) -> str:
        """Whether the largest budget needs fewer steps than the smallest."""
        first, *_, last = (len(trace.steps) for trace in self.budgets.values())
        return "fewer" if last < first else "same"

    @cached_property
    def first_tokens(self) -> dict:
        """budget -> {request: number of the step that yields its first token, from 1}."""
        return {budget: {name: step + 1 for name, step in first_token_steps(trace.steps).items()}
                for budget, trace in self.budgets.items()}

    @cached_property
    def window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the steps around the stall; else the first three."""
        middle = self.stall.index if self.stall else 1
        return tuple(k + 1 for k in range(middle - 1, middle + 2) if 0 <= k < len(self.trace.steps))

    @cached_property
    def cut_again(self):
        """The next step that cuts another prompt, if it follows soon; or None."""
        if not self.cut:
            return None
        name, after = self.cut.scheduled[0].request, self.trace.steps[self.cut.index + 2:][:2]
        return next((s for s in after if s.phase == "prefill" and s.scheduled[0].is_chunk
                     and s.scheduled[0].request != name), None)

    @property
    def cutting(self) -> str:
        """Which words the beat on chunked prefill uses."""
        return "twice" if self.cut_again else "cut" if self.cut else "whole"

    @cached_property
    def cut_window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the step that cuts a prompt and those after it: three or four."""
        first = self.cut.index if self.cut else 0
        last = max(first + 2, self.cut_again.index if self.cut_again else 0)
        return tuple(range(first + 1, min(last + 1, len(self.trace.steps)) + 1))

    @cached_property
    def chunks(self) -> tuple:
        """(step, its share) of each prefill of the request that is cut, or of the first one."""
        name = self.cut.scheduled[0].request if self.cut else self.trace.steps[0].names[0]
        return tuple((s, s.part(name)) for s in self.trace.steps
                     if s.phase == "prefill" and s.part(name))

    @cached_property
    def first_decode(self):
        """The first decode step of the request whose chunks are shown, or None."""
        name = self.chunks[0][1].request
        steps = self.trace.steps
        return next((s for s in steps if s.phase == "decode" and s.part(name)), None)

    @property
    def counted(self) -> list[int]:
        """Numbers, from 1, of the steps that the three counters are followed through."""
        steps = [step for step, _ in self.chunks[:3]] + [self.first_decode]
        return [step.index + 1 for step in steps if step]

    @cached_property
    def mixed(self) -> tuple:
        return mixed_phase(self.params.workload, self.params.config(self.params.budget))

    @cached_property
    def real(self) -> tuple:
        """The GPU's steps, as events: phase, tokens, host_us (microseconds by stage)."""
        return tuple(e for e in load(f"{REAL}-times").events if e.name == "step")

    @cached_property
    def real_source(self) -> Source:
        times = load(f"{REAL}-times")
        return Source("REAL TRACE", times.id, times.header.provenance["weights"])

    @cached_property
    def real_medians(self) -> dict:
        """phase -> median milliseconds of a step."""
        return {phase: median(milliseconds(s) for s in self.real if s["phase"] == phase)
                for phase in ("prefill", "decode")}

    @cached_property
    def like_prefills(self) -> tuple[int, int]:
        """Two prefill steps of the GPU's run: the fewest tokens, and the last with the most."""
        fills = [k for k, step in enumerate(self.real) if step["phase"] == "prefill"]
        fewest = min(fills, key=lambda k: self.real[k]["tokens"])
        return fewest, max(fills, key=lambda k: (self.real[k]["tokens"], k))

    def _real_facts(self) -> dict:
        trace, medians = load(REAL), self.real_medians
        sizes = [step["tokens"] for step in self.real if step["phase"] == "prefill"]
        ratio = medians["prefill"] / medians["decode"]
        return {"gpu_requests": len(trace.workload.requests), "gpu_ratio": f"{ratio:.0f}",
                "gpu_budget": f"{trace.config.max_num_batched_tokens:,}",
                "gpu_least": min(sizes), "gpu_most": f"{max(sizes):,}",
                **{f"gpu_{phase}": f"{value:.1f}" for phase, value in medians.items()}}

    @cached_property
    def stalls(self) -> tuple[int, int]:
        """How often a request that already generates gets no token: here, and with mixed steps."""
        return stalled_tokens(self.trace.steps), stalled_tokens(self.mixed)

    @property
    def mixing(self) -> str:
        """Which words the contrast with mixed steps uses."""
        return "stalls" if self.stalls[0] else "none"

    @property
    def source_all(self) -> Source:
        """The badge over several budgets: their traces, or SIMULATED if one was not recorded."""
        if any(trace.simulated for trace in self.budgets.values()):
            return self.contrast
        names = " ".join(trace.id for trace in self.budgets.values())
        return Source("SCALED-DOWN", names)

    @property
    def contrast(self) -> Source:
        return Source("SIMULATED")

    @cached_property
    def facts(self) -> dict:
        """Every number that the narration and the labels name."""
        p, static, now = self.params, self.static, self.continuous
        facts = {"budget": p.budget, "cap": p.max_num_seqs, "steps": now.steps, "idle": now.idle,
                 "static_steps": static.steps, "static_idle": static.idle,
                 "requests": len(p.prompts)}
        facts |= {f"steps_{i}": len(t.steps) for i, t in enumerate(self.budgets.values())}
        facts |= {f"budget_{i}": budget for i, budget in enumerate(self.budgets)}
        firsts = list(self.first_tokens.values())
        last = max(firsts[0], key=lambda name: firsts[0][name] - firsts[-1][name])
        facts |= {"late": last} | {f"late_{i}": first[last] for i, first in enumerate(firsts)}
        facts |= {"mixed_steps": len(self.mixed), "stalls": self.stalls[0],
                  "mixed_stalls": self.stalls[1]} | self._real_facts()
        if self.cut:
            part = self.cut.scheduled[0]
            known = self.cut.before[part.request].num_tokens
            facts |= {"cut": part.request, "cut_known": known, "cut_count": part.count,
                      "cut_left": known - part.start - part.count}
        if self.cut_again:
            facts |= {"again": self.cut_again.scheduled[0].request}
        if self.stall:
            facts |= {"newcomer": self.stall.names[0], "stalled": ", ".join(self.stall.stalled),
                      "stalled_count": len(self.stall.stalled), "stall_used": self.stall.used}
        return facts


def tell(params: Params) -> Story:
    """Recorded runs where the workload is the recorded one, the reference model's otherwise."""
    budgets = sorted({*BUDGETS, params.budget})
    if len(budgets) > 3:
        spare = min(BUDGETS, key=lambda b: abs(b - params.budget))
        budgets.remove(spare)
    runs = {budget: _run(params, budget) for budget in budgets}
    trace = runs[params.budget]
    source = Source("SIMULATED") if trace.simulated else Source("SCALED-DOWN", trace.id)
    return Story(params, trace, source, runs)


def _run(params: Params, budget: int):
    config = params.config(budget)
    if budget in BUDGETS:
        recorded = load(f"sched-b{budget}")
        asked = _shape(params.workload)
        if (recorded.config, _shape(recorded.workload)) == (config, asked):
            return recorded
    return play(params.workload, config)


def _shape(workload: Workload) -> list:
    return [(r.name, len(r.prompt), r.max_tokens, r.arrival) for r in workload.requests]
