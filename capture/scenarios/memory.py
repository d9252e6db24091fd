"""Acts 05 and 06 with blocks of 4: prefix caching, preemption, a sweep over pools, a dead end."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from capture.cpu import header, observe, record
from capture.recording import Recording
from capture.scenarios import Job, Scenario
from traces.kinds.pool_sweep import facts
from traces.schema import Event
from traces.trace import Trace
from traces.workload import EngineConfig, Workload, toy_request

__all__ = ["SCENARIOS"]

_SYSTEM = tuple(range(100, 108))  # a system prompt of two blocks

# A and B are admitted together and do not share; C hits B's later copies while B runs; D is the
# system prompt alone and may not reuse its last block; E takes every free block, the copies too;
# F then finds nothing, although A still holds its own; G hits what F published.
_PREFIX = Workload((
    toy_request(0, prompt=11, max_tokens=12, shared=_SYSTEM),
    toy_request(1, prompt=10, max_tokens=3, shared=_SYSTEM),
    toy_request(2, prompt=12, max_tokens=3, arrival=2, shared=_SYSTEM),
    toy_request(3, prompt=8, max_tokens=2, arrival=6, shared=_SYSTEM),
    toy_request(4, prompt=33, max_tokens=2, arrival=9),
    toy_request(5, prompt=10, max_tokens=3, arrival=12, shared=_SYSTEM),
    toy_request(6, prompt=9, max_tokens=2, arrival=14, shared=_SYSTEM),
))
_PREFIX_CONFIG = EngineConfig(block_size=4, num_blocks=14, max_num_batched_tokens=24,
                              max_num_seqs=4)

# D is preempted first and others take its blocks: all of it is computed again. C is preempted
# later and finds its own blocks.
_PRESSURE = Workload((
    toy_request(0, prompt=8, max_tokens=7),
    toy_request(1, prompt=10, max_tokens=7),
    toy_request(2, prompt=5, max_tokens=7, arrival=1),
    toy_request(3, prompt=7, max_tokens=4, arrival=2),
))
_PRESSURE_CONFIG = EngineConfig(block_size=4, num_blocks=10, max_num_batched_tokens=16,
                                max_num_seqs=4)
_POOLS = range(4, 15)

# A fits the pool at first and outgrows it: 9 + 12 tokens into 4 blocks of 4
_TOO_LARGE = Workload((toy_request(0, prompt=9, max_tokens=12),
                       toy_request(1, prompt=3, max_tokens=2)))


def _single(name: str, workload: Workload, config: EngineConfig, _: Job) -> list[Recording]:
    return [record(workload, config, name)]


def _stuck(_: Job) -> list[Recording]:
    config = replace(_PRESSURE_CONFIG, num_blocks=4)
    return [record(_TOO_LARGE, config, "stuck-b4", stuck=True)]


def _sweep(_: Job) -> list[Recording]:
    name, events = "preemption-sweep-b4", []
    for blocks in _POOLS:
        config = replace(_PRESSURE_CONFIG, num_blocks=blocks)
        head = header(name, "scheduling", config, _PRESSURE.json())
        trace = Trace(head, tuple(observe(_PRESSURE, config).events()))
        events.append(Event(0, "pool", facts(trace)))
    largest = replace(_PRESSURE_CONFIG, num_blocks=max(_POOLS))
    head = header(name, "pool-sweep", largest, _PRESSURE.json())
    head = replace(head, config={**head.config, "pools": list(_POOLS)})
    return [Recording(head, tuple(events))]


SCENARIOS = (
    Scenario("prefix-cache-b4", "act 05: a shared system prompt, copies, hits, a retaken copy",
             partial(_single, "prefix-cache-b4", _PREFIX, _PREFIX_CONFIG)),
    Scenario("preemption-b4", "act 06: two requests preempted, one finds its blocks again",
             partial(_single, "preemption-b4", _PRESSURE, _PRESSURE_CONFIG)),
    Scenario("preemption-sweep-b4", "act 06: the same requests in pools of 4 to 14 blocks", _sweep),
    Scenario("stuck-b4", "act 06: one request larger than the pool, the engine's bare assertion",
             _stuck),
)
