"""Workloads for the lab's replay, and what the reference model says of them, as plain data."""

import random
import re
from collections import Counter

from traces import EngineConfig, Request, Trace, Workload, WorkloadError
from traces.contrast import finish_steps, first_token_steps, recomputed_tokens
from traces.seats import IDLE, continuous_seating, request_shares, stalled_tokens

__all__ = ["case", "happenings", "random_case", "record"]


def random_case(dice: random.Random) -> tuple[Workload, EngineConfig]:
    """Few ids and common beginnings, so that prompts share blocks; pools that run dry, and some
    that one request outgrows; one sequence a step, and many."""
    size, blocks = dice.randint(2, 5), dice.choice((2, 3, 4, 5, 6, 8, 12, 40))
    common = [dice.randint(0, 1) for _ in range(dice.randint(0, 3 * size))]
    served = dice.random() < 0.9
    requests = []
    for k in range(dice.randint(1, 7)):
        start = common[:dice.randint(0, len(common))]
        own = [dice.randint(0, 1) for _ in range(dice.randint(0 if start else 1, 12))]
        prompt = (start + own)[:blocks * size]
        room = blocks * size + 1 - len(prompt)
        tokens = dice.randint(1, min(room, 14) if served else 14)
        requests.append(Request(f"R{k}", tuple(prompt), dice.choice((0, 0, dice.randint(0, 25))),
                                tokens))
    return (Workload(tuple(requests)),
            EngineConfig(size, blocks, dice.randint(1, 26), dice.choice((1, 2, 3, 4, 9))))


def case(workload: Workload, config: EngineConfig) -> dict:
    """What the browser's `Replay.play` takes."""
    return {"requests": [{"name": r.name, "prompt": list(r.prompt), "arrival": r.arrival,
                          "max_tokens": r.max_tokens} for r in workload.requests],
            "config": config.json()}


def record(trace: Trace, workload: Workload, config: EngineConfig) -> dict:
    """What `Replay.play` must return."""
    steps, shares = trace.steps, request_shares(trace.steps, workload)
    seats = continuous_seating(steps, config.max_num_seqs).seats if steps else ()
    idle = [sum(row[k] == IDLE for row in seats) for k in range(len(steps))]
    return {"steps": [_step(*each) for each in zip(steps, shares, idle, strict=True)],
            "stuck": trace.stuck, "end": _state(trace.last), "totals": _totals(steps, sum(idle)),
            "tooLarge": _too_large(workload, config)}


def _step(step, shares, idle):
    return {
        "index": step.index, "arrived": list(step.arrived), "phase": step.phase,
        "hits": {a.request: list(a.hit) for a in step.allocated if a.hit},
        "preempted": list(step.preempted),
        "parts": [[p.request, p.start, p.count] for p in step.scheduled],
        "stalled": [name for name, share in shares.items() if share.kind == "stall"],
        "idle": idle, "state": _state(step.planned), "produced": list(step.produced),
        "discarded": [s.request for s in step.samples if not s.kept],
        "finished": list(step.finished)}


def _state(state):
    pool = state.pool
    return {
        "waiting": list(state.waiting), "running": list(state.running), "free": list(pool.free),
        "blocks": [{"refs": pool.refs[b], "label": pool.hash[b], "findable": pool.hittable(b)}
                   for b in range(pool.num_blocks)],
        "requests": [{"name": r.name, "status": r.status, "prompt": r.num_prompt,
                      "known": r.num_tokens, "cached": r.num_cached, "scheduled": r.scheduled,
                      "table": list(r.block_table)} for r in state.requests]}


def _totals(steps, idle):
    return {"steps": len(steps), "pauses": stalled_tokens(steps), "idle": idle,
            "preemptions": sum(len(step.preempted) for step in steps),
            "again": recomputed_tokens(steps), "first": first_token_steps(steps),
            "finish": finish_steps(steps)}


def _too_large(workload, config):
    try:
        return workload.check(config)
    except WorkloadError as error:
        name, blocks = re.match(r"request (\w+) needs (\d+) blocks of", str(error)).groups()
        return {"name": name, "blocks": int(blocks)}


def happenings(trace: Trace, config: EngineConfig) -> Counter:
    """Which mechanisms a run went through, each counted once."""
    steps = trace.steps
    marks = {
        "preemption": any(s.preempted for s in steps), "stuck": trace.stuck,
        "hit": any(a.hit for s in steps for a in s.allocated),
        "shared block": any(refs > 1 for s in steps for refs in s.planned.pool.refs),
        "overwrite": any(p.overwrites is not None for s in steps for p in s.published),
        "cut": any(p.is_chunk for s in steps for p in s.scheduled),
        "computed again": recomputed_tokens(steps) > 0, "stall": stalled_tokens(steps) > 0,
        "one sequence a step": config.max_num_seqs == 1,
        "over the cap": any(len(s.before.running) > config.max_num_seqs for s in steps),
        "idle engine": any(s.arrived and not s.before.running and s.index
                           and len(s.before.waiting) == len(s.arrived) for s in steps)}
    return Counter(what for what, yes in marks.items() if yes)
