"""The four scheduling scenarios on a GPU, and the times of their steps.

Each runs its workload several times on one engine, bare, recorded and with stage times in turns,
always from the same seed and a fresh block manager: the token ids must be the same, and the
medians of each step give the cost of watching.
"""

from __future__ import annotations

import contextlib
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter_ns
from typing import Any

from capture.drive import drive
from capture.gpu.base import Session, event
from capture.gpu.guards import Refusal, check_requests
from capture.gpu.timing import StageTimes
from capture.recorder import Recorder
from capture.recording import Recording
from traces.kinds._facts import spread
from traces.kinds.step_times import PHASES, cost
from traces.schema import Event
from traces.workload import Request, Workload

__all__ = ["Run", "make_workload", "record", "step_times"]


def make_workload(spec: Mapping[str, Any], vocabulary: int, seed: int) -> Workload:
    """Requests with seeded random prompts. ``prompt``: its length; ``shared``: [name, length] of a
    common beginning; ``same``: takes another request's prompt as a whole."""
    draw, shared, made = random.Random(seed), {}, {}
    for item in spec["requests"]:
        prompt: list[int] = []
        if "same" in item:
            prompt = list(made[item["same"]].prompt)
        if "shared" in item:
            name, length = item["shared"]
            have = shared.setdefault(name, [])
            have += [draw.randrange(1, vocabulary) for _ in range(length - len(have))]
            prompt = have[:length]
        prompt = prompt + [draw.randrange(1, vocabulary)
                           for _ in range(item.get("prompt", 0) - len(prompt))]
        made[item["name"]] = Request(item["name"], tuple(prompt), item.get("arrival", 0),
                                     item["max_tokens"])
    return Workload(tuple(made.values()))


class _Slots:
    """The slots that a prepare put into the context; copied from the GPU when they are read."""

    def __init__(self, tensor: Any):
        self._tensor = tensor

    def __iter__(self):
        return iter(self._tensor.tolist())


class Run:
    """One workload on one engine, as often as asked, each time from the same state."""

    def __init__(self, engine: Any, workload: Workload, seed: int, blocks: int):
        self.engine, self.workload, self.seed, self.blocks = engine, workload, seed, blocks
        self.sequences: list[Any] = []
        config = engine.model_runner.config
        check_requests(workload.requests, {"max_model_len": config.max_model_len}, blocks)

    def fresh(self) -> None:
        """An empty pool of ``blocks``, no requests, the seed."""
        import torch
        from nanovllm.engine.block_manager import BlockManager

        scheduler = self.engine.scheduler
        if not scheduler.is_finished():
            raise Refusal("the engine still has requests")
        scheduler.block_manager = BlockManager(self.blocks, scheduler.block_size)
        self.sequences = []
        torch.manual_seed(self.seed)
        torch.cuda.synchronize()

    def add(self, request: Request) -> None:
        from nanovllm import SamplingParams

        self.engine.add_request(list(request.prompt), SamplingParams(
            temperature=1.0, max_tokens=request.max_tokens, ignore_eos=True))
        self.sequences.append(self.engine.scheduler.waiting[-1])

    def tokens(self) -> list[list[int]]:
        return [seq.completion_token_ids for seq in self.sequences]

    def _drive(self, step: Any) -> None:
        drive(self.workload, self.add, step, lambda: not self.engine.is_finished())

    def bare(self) -> list[float]:
        """Microseconds of each step with nothing wrapped."""
        self.fresh()
        return self._timed_steps()

    def _timed_steps(self) -> list[float]:
        spent: list[float] = []

        def step() -> None:
            begin = perf_counter_ns()
            self.engine.step()
            spent.append((perf_counter_ns() - begin) / 1e3)

        self._drive(step)
        return spent

    def recorded(self) -> tuple[list[float], list[Event]]:
        """Microseconds of each step while it is recorded, and the events."""
        self.fresh()
        recorder = Recorder(self.engine.scheduler, [r.name for r in self.workload.by_arrival])
        with recorder, _prepared_slots(self.engine.model_runner, recorder):
            spent = self._timed_steps()
        return spent, recorder.events()

    def staged(self) -> tuple[list[float], list[dict[str, Any]]]:
        """Microseconds of each step and of its stages, with clocks and CUDA events around them."""
        self.fresh()
        with StageTimes(self.engine) as times:
            self._drive(times.step)
        rows = times.rows()
        return [row["host_us"]["total"] for row in rows], rows


@contextlib.contextmanager
def _prepared_slots(runner: Any, recorder: Recorder) -> Iterator[None]:
    """Show the recorder the slots that each prepare put into the engine's context."""
    from nanovllm.utils.context import get_context

    def watched(prepare: Any) -> Any:
        def watch(batch: list[Any]) -> Any:
            result = prepare(batch)
            recorder.observe_slots(_Slots(get_context().slot_mapping))
            return result
        return watch

    names = ("prepare_prefill", "prepare_decode")
    for name in names:
        setattr(runner, name, watched(getattr(runner, name)))
    try:
        yield
    finally:
        for name in names:
            delattr(runner, name)


def record(session: Session) -> list[Recording]:
    """A ``scheduling`` trace and its ``step-times``: bare, recorded and staged runs in turns.

    The stages are those of the staged run in the middle.
    """
    spec = session.spec
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        run = Run(engine, workload, spec.seed, spec.workload["blocks"])
        kinds = (run.bare, run.recorded, run.staged)
        for once in kinds:  # compiles, fills the caches of libraries
            once()
        found: list[list[Any]] = [[], [], []]
        tokens = []
        for _ in range(spec.workload.get("rounds", 9)):
            for results, once in zip(found, kinds):
                results.append(once())
                tokens.append(run.tokens())
        if any(sampled != tokens[0] for sampled in tokens):
            raise Refusal(f"{spec.id}: bare and observed runs sampled different tokens")
        config = session.config(engine)
    bare, recorded, staged = found
    events = recorded[-1][1]
    rows = sorted(staged, key=lambda run: sum(run[0]))[len(staged) // 2][1]
    workload = workload.with_samples(_samples(events))
    samples = {"bare": bare, "recorded": [us for us, _ in recorded],
               "staged": [us for us, _ in staged]}
    times = step_times(events, rows, config["graph_buckets"], samples)
    return [Recording(session.header(config, workload.json()), tuple(events)),
            session.derived(f"{spec.id}-times", kind="step-times").made(
                config, times, {"trace": spec.id})]


def step_times(events: Sequence[Event], rows: Sequence[Mapping[str, Any]],
               buckets: Sequence[int], samples: Mapping[str, list[list[float]]]) -> list[Event]:
    """Per step: stages of one run, and the median over all runs of each way; last, the cost."""
    middle = {way: [round(statistics.median(us), 1) for us in zip(*runs, strict=True)]
              for way, runs in samples.items()}
    plans = [e for e in events if e.name == "schedule"]
    steps = [event("step", step=i, phase=plan["phase"], sequences=len(plan["batch"]),
                   tokens=sum(n for _, _, n in plan["batch"]),
                   bucket=next((b for b in buckets if b >= len(plan["batch"])), None)
                   if plan["phase"] == "decode" else None, **row,
                   **{f"{way}_us": us[i] for way, us in middle.items()})
             for i, (plan, row) in enumerate(zip(plans, rows, strict=True))]
    return [*steps, event(
        "overhead", percent={way: {phase: cost(steps, way, phase) for phase in PHASES}
                             for way in ("recorded", "staged")},
        steps=len(steps), identical_tokens=True,
        **{f"{way}_ms": spread([sum(us) / 1e3 for us in runs], 3)
           for way, runs in samples.items()})]


def _samples(events: Sequence[Event]) -> dict[str, tuple[list[int], list[int]]]:
    """Request → ids kept, ids thrown away."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for e in events:
        if e.name == "sample":
            found.setdefault(e["request"], ([], []))[not e["kept"]].append(e["token"])
    return found
