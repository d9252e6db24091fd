"""The reference model against worked examples, and against the engine's real scheduler."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from capture.engine import EngineUnavailable, parts
from traces import EngineConfig, Request, Workload, WorkloadError, play, toy_request

try:
    parts()
    MISSING = ""
except EngineUnavailable as error:
    MISSING = str(error)
needs_engine = pytest.mark.skipif(bool(MISSING), reason=MISSING or "present")

AMPLE = EngineConfig(block_size=4, num_blocks=64, max_num_batched_tokens=16, max_num_seqs=3)


def shares(trace):
    return [[(p.request, p.count) for p in step.scheduled] for step in trace.steps]


def test_only_the_first_sequence_of_a_step_is_cut():
    trace = play(Workload((toy_request(0, 30, 1), toy_request(1, 5, 1))), AMPLE)
    assert shares(trace) == [[("A", 16)], [("A", 14)], [("B", 5)]]


def test_max_num_seqs_caps_a_step_not_the_running_line():
    trace = play(Workload(tuple(toy_request(i, 3, 2) for i in range(5))), AMPLE)
    assert [step.names for step in trace.steps[:3]] == [tuple("ABC"), tuple("DE"), tuple("ABC")]
    assert len(trace.steps[2].before.running) == 5


def test_the_last_block_is_never_reused():
    twins = (Request("A", tuple(range(8))), Request("B", tuple(range(8)), arrival=1))
    trace = play(Workload(twins), AMPLE)
    hit = trace.steps[1].allocated[0].hit
    assert hit == (0,) and trace.steps[1].scheduled[0].count == 4


def test_an_unfinished_prompt_keeps_no_token():
    step = play(Workload((toy_request(0, 20, 1),)), AMPLE).steps[0]
    assert [sample.kept for sample in step.samples] == [False]
    assert step.after["A"].num_tokens == 20 and step.after["A"].num_cached == 16


def test_an_idle_engine_takes_no_step():
    trace = play(Workload((toy_request(0, 3, 1), toy_request(1, 3, 1, arrival=9))), AMPLE)
    assert [step.arrived for step in trace.steps] == [("A",), ("B",)]


def test_a_request_larger_than_the_pool_is_refused_or_played_until_stuck():
    small = EngineConfig(4, 2, 16, 3)
    with pytest.raises(WorkloadError, match="needs 3 blocks of 4, the pool has 2"):
        play(Workload((toy_request(0, 7, 3),)), small)
    trace = play(Workload((toy_request(0, 7, 3),)), small, allow_stuck=True)
    assert trace.stuck and trace.last.waiting == ("A",) and len(trace.last["A"].generated) == 2


@pytest.mark.parametrize("make", [
    lambda: EngineConfig(1, 4, 4, 4), lambda: EngineConfig(4, 0, 4, 4), lambda: Workload(()),
    lambda: Request("A", ()), lambda: Request("A", (1,), max_tokens=0),
    lambda: Request("A", (-1,)), lambda: Workload((toy_request(0, 2, 1),) * 2)])
def test_nonsense_is_refused_in_one_line(make):
    with pytest.raises(WorkloadError) as error:
        make()
    assert "\n" not in str(error.value)


@st.composite
def workloads(draw):
    """Few ids and common beginnings, so that prompts share blocks; pools that run dry."""
    size = draw(st.integers(2, 4))
    blocks = draw(st.integers(3, 12))
    ids = st.integers(0, 1)
    common = draw(st.lists(ids, min_size=size, max_size=3 * size))
    requests = []
    for i in range(draw(st.integers(1, 6))):
        start = common[:draw(st.integers(0, len(common)))]
        prompt = start + draw(st.lists(ids, min_size=0 if start else 1, max_size=8))
        prompt = prompt[:blocks * size]
        room = blocks * size + 1 - len(prompt)
        most = draw(st.integers(1, min(room, 12)))
        requests.append(Request("ABCDEF"[i], tuple(prompt), draw(st.integers(0, 10)), most,
                                tuple(draw(st.lists(st.integers(0, 2), min_size=most,
                                                    max_size=most)))))
    config = EngineConfig(size, blocks, draw(st.integers(1, 24)), draw(st.integers(1, 5)))
    return Workload(tuple(requests), draw(st.sampled_from([None, None, 2]))), config


LEAST = {"prefix hit": 400, "hit on a free block": 300, "shared block": 200, "overwrite": 150,
         "retaken copy": 20, "preemption": 150, "preempts itself": 30, "cut prompt": 500,
         "re-hit after preemption": 100, "end of sequence": 100}


@needs_engine
def test_reference_equals_the_real_scheduler():
    """Event by event and state by state; every mechanism must have been met often enough."""
    seen: Counter[str] = Counter()

    @settings(max_examples=2000, deadline=None, derandomize=True, database=None,
              suppress_health_check=list(HealthCheck))
    @given(workloads())
    def compare(case):
        workload, config = case
        trace = play(workload, config)
        recorder = observed(workload, config)
        assert list(trace.events) == recorder.events()
        played = [state for step in trace.steps for state in (step.planned, step.after)]
        assert played == list(recorder.states())
        seen.update(happenings(trace))

    compare()
    assert {what: seen[what] for what, least in LEAST.items() if seen[what] < least} == {}


def observed(workload, config):
    from capture.drive import drive
    from capture.engine import CpuEngine
    from capture.recorder import Recorder

    engine = CpuEngine(workload, config)
    with engine.sized(), Recorder(engine.scheduler, [r.name for r in workload.by_arrival]) as seen:
        drive(workload, engine.add, engine.step, engine.busy)
    return seen


def happenings(trace):
    """Names of the mechanisms that a trace went through."""
    found, preempted = set(), set()
    for step in trace.steps:
        before, after = step.before.pool, step.after.pool
        for given_ in step.allocated:
            if given_.hit:
                found.add("prefix hit")
                free = any(before.refs[block] == 0 for block in given_.hit)
                found.add("hit on a free block" if free else "shared block")
                if given_.request in preempted:
                    found.add("re-hit after preemption")
        held = {after.hash[block] for block, refs in enumerate(after.refs) if refs}
        lost = {label for label, block in enumerate(after.hash_to_block) if block is None}
        marks = {"retaken copy": held & lost, "preemption": step.preempted,
                 "preempts itself": ("preempt", "schedule") in pairwise(
                     e.name for e in step.events),  # no append in between: nobody was served
                 "overwrite": any(p.overwrites is not None for p in step.published),
                 "cut prompt": any(part.is_chunk for part in step.scheduled),
                 "end of sequence": any(s.kept and s.token == trace.workload.eos
                                        for s in step.samples)}
        found |= {what for what, yes in marks.items() if yes}
        preempted |= set(step.preempted)
    return sorted(found)
