"""Other ways to schedule the same workload, simulated in steps, and what to count in any run.

Nothing here was recorded: pictures call it SIMULATED. Memory is taken to be ample.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from traces.step import Step
from traces.workload import EngineConfig, Workload

__all__ = ["SimulatedStep", "computed_again", "finish_steps", "first_token_steps", "missed_tokens",
           "mixed_phase", "recomputed_tokens", "static_batching"]


SimulatedPhase = Literal["prefill", "decode", "mixed"]


@dataclass(frozen=True, slots=True)
class SimulatedStep:
    """One step: ``parts`` = (request, start, count) of each that is worked on, ``produced`` who
    gets a token, ``seated`` who holds a slot (static batching keeps finished ones seated)."""

    index: int
    phase: SimulatedPhase
    arrived: tuple[str, ...]
    parts: tuple[tuple[str, int, int], ...]
    produced: tuple[str, ...]
    finished: tuple[str, ...]
    seated: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _, _ in self.parts)

    @property
    def used(self) -> int:
        return sum(count for _, _, count in self.parts)


AnyStep = Step | SimulatedStep


def first_token_steps(steps: Iterable[AnyStep]) -> dict[str, int]:
    """Request → the step in which its first token is sampled and kept."""
    first: dict[str, int] = {}
    for step in steps:
        for name in step.produced:
            first.setdefault(name, step.index)
    return first


def finish_steps(steps: Iterable[AnyStep]) -> dict[str, int]:
    """Request → the step in which it finishes."""
    return {name: step.index for step in steps for name in step.finished}


def missed_tokens(steps: Iterable[AnyStep]) -> dict[str, int]:
    """Phase of the step → tokens that requests which already generate do not get in it.

    In a ``prefill`` the phase is the cause: a stall. In a ``decode`` (or ``mixed``) it is the
    step's own limit, ``max_num_seqs`` or the budget, which no other order of phases would lift.
    """
    generating: set[str] = set()
    missed = dict.fromkeys(("prefill", "decode", "mixed"), 0)
    for step in steps:
        missed[step.phase] += len(generating - set(step.names))
        generating = (generating | set(step.produced)) - set(step.finished)
    return missed


def recomputed_tokens(steps: Iterable[Step]) -> int:
    """Tokens whose K and V are computed although they had been before: the cost of preemption."""
    return computed_again((p.request, p.start, p.count) for step in steps for p in step.scheduled)


def computed_again(parts: Iterable[Sequence]) -> int:
    """The same over plain (request, first token, count), in the order in which they ran."""
    known: dict[str, int] = {}
    total = 0
    for request, start, count in parts:
        end, before = start + count, known.get(request, 0)
        total += max(0, min(end, before) - start)
        known[request] = max(end, before)
    return total


class _Progress:
    """Tokens computed and generated per request; who is there, who is done."""

    def __init__(self, workload: Workload) -> None:
        self.coming = deque(workload.by_arrival)
        self.computed = {r.name: 0 for r in workload.requests}
        self.generated = dict(self.computed)
        self.length = {r.name: workload.length(r) for r in workload.requests}
        self.prompt = {r.name: len(r.prompt) for r in workload.requests}
        self.steps: list[SimulatedStep] = []
        self.arrived: list[str] = []

    def arrive(self, waiting: deque[str], idle: bool) -> None:
        """As in the engine: without work no step is taken until somebody comes."""
        now = len(self.steps)
        if idle and self.coming:
            now = max(now, self.coming[0].arrival)
        while self.coming and self.coming[0].arrival <= now:
            self.arrived.append(self.coming.popleft().name)
            waiting.append(self.arrived[-1])

    def missing(self, name: str) -> int:
        """Known tokens whose K and V are not computed yet."""
        return self.prompt[name] + self.generated[name] - self.computed[name]

    def done(self, name: str) -> bool:
        return self.generated[name] == self.length[name]

    def prefilling(self, name: str) -> bool:
        return self.computed[name] < self.prompt[name]

    def take(self, phase: SimulatedPhase, counts: dict[str, int], seated: Sequence[str]) -> None:
        """Work on ``counts`` = request → tokens; whoever reaches its last known token gets one."""
        parts = tuple((name, self.computed[name], count) for name, count in counts.items())
        for name, count in counts.items():
            self.computed[name] += count
        produced = tuple(name for name in counts if self.missing(name) == 0)
        for name in produced:
            self.generated[name] += 1
        self.steps.append(SimulatedStep(
            len(self.steps), phase, tuple(self.arrived), parts, produced,
            tuple(name for name in produced if self.done(name)), tuple(seated)))
        self.arrived = []


def static_batching(workload: Workload, config: EngineConfig) -> tuple[SimulatedStep, ...]:
    """Batches of ``max_num_seqs`` in order of arrival; nobody joins before the longest is done.

    The batch is prefilled first, under the same budget and the same rule as in the engine (only
    the first request of a step may be cut); then everyone decodes, and the slot of a request that
    has finished stays empty until the batch ends.
    """
    run, waiting = _Progress(workload), deque[str]()
    while waiting or run.coming:
        run.arrive(waiting, idle=not waiting)
        batch = [waiting.popleft() for _ in range(min(config.max_num_seqs, len(waiting)))]
        while not all(map(run.done, batch)):
            run.arrive(waiting, idle=False)
            open_prompts = [name for name in batch if run.prefilling(name)]
            if open_prompts:
                run.take("prefill", _pack(run, open_prompts, config), batch)
            else:
                run.take("decode", {n: 1 for n in batch if not run.done(n)}, batch)
    return tuple(run.steps)


def _pack(run: _Progress, names: Sequence[str], config: EngineConfig) -> dict[str, int]:
    counts: dict[str, int] = {}
    left = config.max_num_batched_tokens
    for name in names:
        if left == 0 or (counts and run.missing(name) > left):
            break
        counts[name] = min(left, run.missing(name))
        left -= counts[name]
    return counts


def mixed_phase(workload: Workload, config: EngineConfig) -> tuple[SimulatedStep, ...]:
    """As vLLM V1 does it in principle: one token for each decoding request first; prompts take
    what is left of the budget, in order, and the one that meets its end is cut, whether it is the
    first or not: at most one a step. At most ``max_num_seqs`` are seated."""
    run, waiting = _Progress(workload), deque[str]()
    seated: list[str] = []
    while waiting or seated or run.coming:
        run.arrive(waiting, idle=not (waiting or seated))
        left, counts = config.max_num_batched_tokens, dict[str, int]()
        while waiting and len(seated) < config.max_num_seqs:
            seated.append(waiting.popleft())
        for name in sorted(seated, key=run.prefilling):  # decodes first, stable
            if left:
                counts[name] = min(left, run.missing(name))
                left -= counts[name]
        prompts = [name for name in counts if run.prefilling(name)]
        run.take("decode" if not prompts else "prefill" if len(prompts) == len(counts) else "mixed",
                 counts, seated)
        seated = [name for name in seated if not run.done(name)]
    return tuple(run.steps)
