"""What act 04 tells, as plain data: the run, its contrasts, and the moments worth a beat."""

from dataclasses import dataclass
from functools import cached_property
from statistics import median

from scenes.stage import Source, param
from traces import EngineConfig, Workload, load, play, toy_request
from traces.contrast import first_token_steps, mixed_phase, static_batching

__all__ = ["ROLES", "Params", "Run", "Story", "milliseconds", "tell"]

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
class Run:
    """A run seen as slots: `seats[slot][step]` is (request, kind) or None when idle.

    kind: "work" | "stall" | "wait". A slot is idle when no unfinished request sits in it.
    """

    names: tuple[str, ...]
    seats: tuple[tuple, ...]
    phases: tuple[str, ...]

    @property
    def steps(self) -> int:
        return len(self.phases)

    @property
    def idle(self) -> int:
        return sum(cell is None for seat in self.seats for cell in seat)


def seated(steps, cap: int) -> Run:
    """Give every request present the lowest free slot, in order of arrival, until it is done."""
    seats, where, names = [[] for _ in range(cap)], {}, []
    for step in steps:
        present = [r.name for r in step.before.requests if r.status != "finished"]
        where = {name: seat for name, seat in where.items() if name in present}
        for name in present:
            if name not in where and len(where) < cap:
                where[name] = min(set(range(cap)) - set(where.values()))
                names.append(name)
        for seat in range(cap):
            name = next((n for n, s in where.items() if s == seat), None)
            kind = "work" if name in step.names else "stall" if name in step.stalled else "wait"
            seats[seat].append(name and (name, kind))
    phases = tuple(step.phase for step in steps)
    return Run(tuple(dict.fromkeys(names)), tuple(map(tuple, seats)), phases)


def static_run(workload: Workload, config: EngineConfig) -> Run:
    """The same budget and rules; only joining is forbidden until the whole batch is done."""
    cap, steps = config.max_num_seqs, static_batching(workload, config)
    seats, done, started = [[] for _ in range(cap)], set(), set()
    for step in steps:
        for seat, name in zip(seats, step.seated + (None,) * cap):
            kind = "work" if name in step.names else "stall" if name in started else "wait"
            seat.append(None if name is None or name in done else (name, kind))
        started |= set(step.produced)
        done |= set(step.finished)
    names = dict.fromkeys(name for step in steps for name in step.seated)
    return Run(tuple(names), tuple(map(tuple, seats)), tuple(step.phase for step in steps))


def milliseconds(step) -> float:
    """The host's time for one step of the GPU's run."""
    return step["host_us"]["total"] / 1000


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
    def cut_window(self) -> tuple[int, ...]:
        """Numbers, from 1, of the step that cuts a prompt and the two after it."""
        first = self.cut.index if self.cut else 0
        return tuple(k + 1 for k in range(first, min(first + 3, len(self.trace.steps))))

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
        return Source("REAL TRACE", REAL, load(REAL).header.provenance["weights"])

    @cached_property
    def real_medians(self) -> dict:
        """phase -> median milliseconds of a step."""
        return {phase: median(milliseconds(s) for s in self.real if s["phase"] == phase)
                for phase in ("prefill", "decode")}

    def _real_facts(self) -> dict:
        trace, medians = load(REAL), self.real_medians
        sizes = [step["tokens"] for step in self.real if step["phase"] == "prefill"]
        ratio = medians["prefill"] / medians["decode"]
        return {"gpu_requests": len(trace.workload.requests), "gpu_ratio": f"{ratio:.0f}",
                "gpu_budget": f"{trace.config.max_num_batched_tokens:,}",
                "gpu_least": min(sizes), "gpu_most": f"{max(sizes):,}",
                **{f"gpu_{phase}": f"{value:.1f}" for phase, value in medians.items()}}

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
        facts |= {"mixed_steps": len(self.mixed)} | self._real_facts()
        if self.cut:
            part = self.cut.scheduled[0]
            known = self.cut.before[part.request].num_tokens
            facts |= {"cut": part.request, "cut_known": known, "cut_count": part.count,
                      "cut_left": known - part.start - part.count}
        if self.stall:
            facts |= {"newcomer": self.stall.names[0], "stalled": " ".join(self.stall.stalled),
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
