"""Act 04: five requests, at most three a step, the budget at 6, 8 and 12. Memory is ample.

A and C are longer than a budget of 6 and are cut there; D and E come while others decode.
"""

from __future__ import annotations

from functools import partial

from capture.cpu import record
from capture.recording import Recording
from capture.scenarios import Job, Scenario
from traces.workload import EngineConfig, Workload, toy_request

__all__ = ["SCENARIOS", "WORKLOAD"]

WORKLOAD = Workload((
    toy_request(0, prompt=11, max_tokens=4),
    toy_request(1, prompt=5, max_tokens=12),
    toy_request(2, prompt=7, max_tokens=3),
    toy_request(3, prompt=6, max_tokens=7, arrival=7),
    toy_request(4, prompt=4, max_tokens=6, arrival=9),
))


def _record(budget: int, _: Job) -> list[Recording]:
    config = EngineConfig(block_size=4, num_blocks=32, max_num_batched_tokens=budget,
                          max_num_seqs=3)
    return [record(WORKLOAD, config, f"sched-b{budget}")]


SCENARIOS = tuple(
    Scenario(f"sched-b{budget}", f"act 04's five requests under a budget of {budget} tokens a step",
             partial(_record, budget)) for budget in (6, 8, 12))
