"""The four scheduling scenarios on a GPU, and the sweep over pool sizes.

Each runs its workload several times on one engine, bare and observed in turns, always from the
same seed and a fresh block manager: the token ids must be the same, and the medians of the two
give the recorder's cost.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from capture.drive import drive
from capture.gpu.base import Session, event
from capture.gpu.guards import Refusal, check_requests
from capture.gpu.timing import StageTimes
from capture.recorder import Recorder
from traces.kinds._facts import spread
from traces.schema import Event, Header, write
from traces.workload import Request, Workload

__all__ = ["Run", "count", "make_workload", "record", "sweep"]


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

    def bare(self) -> list[float]:
        """Microseconds of each step with nothing wrapped."""
        self.fresh()
        spent: list[float] = []

        def step() -> None:
            begin = perf_counter_ns()
            self.engine.step()
            spent.append((perf_counter_ns() - begin) / 1e3)

        drive(self.workload, self.add, step, lambda: not self.engine.is_finished())
        return spent

    def observed(self) -> tuple[list[float], list[Event], list[dict[str, Any]]]:
        """The same with recorder and stage times: microseconds, events, stages of each step."""
        from nanovllm.utils.context import get_context

        self.fresh()
        names = [request.name for request in self.workload.by_arrival]
        recorder = Recorder(self.engine.scheduler, names)
        times = StageTimes(self.engine, lambda: recorder.observe_slots(
            _Slots(get_context().slot_mapping)))
        with times, recorder:
            drive(self.workload, self.add, times.step, lambda: not self.engine.is_finished())
        rows = times.rows()
        return [row["host_us"]["total"] for row in rows], recorder.events(), rows


def record(session: Session) -> list[Path]:
    """A ``scheduling`` trace and its ``step-times``: bare and observed in turns, after a warm-up.

    The times are those of the observed run in the middle.
    """
    spec = session.spec
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        run = Run(engine, workload, spec.seed, spec.workload["blocks"])
        run.bare()  # compiles, fills the caches of libraries
        run.observed()
        bare, observed, tokens = [], [], []
        for _ in range(spec.workload.get("rounds", 9)):
            bare.append(run.bare())
            tokens.append(run.tokens())
            observed.append(run.observed())
            tokens.append(run.tokens())
        if any(found != tokens[0] for found in tokens):
            raise Refusal(f"{spec.id}: bare and observed runs sampled different tokens")
        config = session.config(engine)
    _, events, rows = sorted(observed, key=lambda run: sum(run[0]))[len(observed) // 2]
    workload = workload.with_samples(_samples(events))
    header = Header(spec.id, "scheduling", "gpu", session.provenance(), config, workload.json())
    times = _times(events, rows, config["graph_buckets"], bare, [us for us, _, _ in observed])
    return [write(session.out / spec.id / "trace.jsonl", header, events),
            session.derived(f"{spec.id}-times", kind="step-times").write(
                config, times, {"trace": spec.id})]


def _times(events: Sequence[Event], rows: Sequence[Mapping[str, Any]], buckets: Sequence[int],
           bare: list[list[float]], observed: list[list[float]]) -> list[Event]:
    """Stages of the observed run in the middle; medians of each step over all runs; the cost."""
    middle = [[round(statistics.median(runs), 1) for runs in zip(*all_runs, strict=True)]
              for all_runs in (bare, observed)]
    plans = [e for e in events if e.name == "schedule"]
    steps = [event("step", step=plan["step"], phase=plan["phase"], sequences=len(plan["batch"]),
                   tokens=sum(n for _, _, n in plan["batch"]),
                   bucket=next((b for b in buckets if b >= len(plan["batch"])), None)
                   if plan["phase"] == "decode" else None, **row, bare_us=a, observed_us=b)
             for plan, row, a, b in zip(plans, rows, *middle, strict=True)]
    costs = {f"{name}_percent": _percent([e for e in steps if name in ("all", e["phase"])])
             for name in ("all", "prefill", "decode")}
    return [*steps, event("overhead", **costs, steps=len(steps), identical_tokens=True,
                          bare_ms=spread([sum(us) / 1e3 for us in bare], 3),
                          observed_ms=spread([sum(us) / 1e3 for us in observed], 3))]


def _percent(steps: Sequence[Event]) -> float:
    """The recorder's cost over these steps, from the medians of each."""
    bare, seen = (sum(e[name] for e in steps) for name in ("bare_us", "observed_us"))
    return round(100 * (seen - bare) / bare, 2)


def _samples(events: Sequence[Event]) -> dict[str, tuple[list[int], list[int]]]:
    """Request → ids kept, ids thrown away."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    for e in events:
        if e.name == "sample":
            found.setdefault(e["request"], ([], []))[not e["kept"]].append(e["token"])
    return found


def sweep(session: Session) -> list[Path]:
    """``preemption-sweep``: one workload under pools of several sizes."""
    spec, rows = session.spec, []
    with session.engine() as engine:
        vocabulary = engine.model_runner.config.hf_config.vocab_size
        workload = make_workload(spec.workload, vocabulary, spec.seed)
        prompt = sum(len(request.prompt) for request in workload.requests)
        for blocks in spec.workload["pools"]:
            run = Run(engine, workload, spec.seed, blocks)
            run.bare()
            samples = [sum(run.bare()) / 1e3 for _ in range(7)]
            rows.append(event("run", blocks=blocks, ms=spread(samples, 3),
                              **count(run.observed()[1], prompt)))
        config = session.config(engine)
    return [session.write(config, rows)]


def count(events: Sequence[Event], prompt: int) -> dict[str, int]:
    """Steps, preemptions and tokens of a recorded run; ``prompt``: tokens of all prompts."""
    steps = [e for e in events if e.name == "schedule"]
    size, preempted, held, peak = events[0]["block_size"], set(), set(), 0
    total = dict.fromkeys(("prefill_tokens", "decode_tokens", "first_hits", "rehit",
                           "admissions", "preemptions"), 0)
    for e in events:
        if e.name == "schedule":
            total[f"{e['phase']}_tokens"] += sum(n for _, _, n in e["batch"])
        elif e.name == "preempt":
            preempted.add(e["request"])
            total["preemptions"] += 1
        elif e.name == "allocate":
            total["rehit" if e["request"] in preempted else "first_hits"] += len(e["hit"]) * size
            total["admissions"] += 1
            held |= {*e["hit"], *e["taken"]}
        elif e.name == "append":
            held.add(e["block"])
        elif e.name == "free":
            held -= set(e["released"])
        peak = max(peak, len(held))
    return {"steps": len(steps), "prefill_steps": sum(e["phase"] == "prefill" for e in steps),
            "decode_steps": sum(e["phase"] == "decode" for e in steps), **total,
            "recomputed": total["prefill_tokens"] + total["first_hits"] - prompt,
            "peak_blocks": peak}
