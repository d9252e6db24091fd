"""A run seen as slots and shares: a small one worked by hand, and what holds of every one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from traces import EngineConfig, Workload, load, play, toy_request
from traces.contrast import mixed_phase
from traces.seats import (
    IDLE,
    continuous_seating,
    request_shares,
    stalled_tokens,
    static_seating,
)

# A: 3 tokens, generates 2. B: 2, generates 3. C: 2, generates 1, comes before step 2.
SMALL = Workload((toy_request(0, 3, 2), toy_request(1, 2, 3), toy_request(2, 2, 1, arrival=2)))
CONFIG = EngineConfig(block_size=4, num_blocks=16, max_num_batched_tokens=4, max_num_seqs=2)


def drawn(seating):
    """Rows of words such as "wA sA i": the kind's first letter and the request; "-" for none."""
    return [" ".join("-" if seat is None else seat.kind[0] + seat.request for seat in row)
            for row in seating.seats]


def test_slots_by_hand():
    """Three prefills, since B does not fit beside A; then A and B decode, then B alone."""
    engine = continuous_seating(play(SMALL, CONFIG).steps, 2)
    assert drawn(engine) == ["wA sA sA wA i", "wB wB sB wB wB", "- - wC - -"]
    assert engine.arrived == (("A", "B"), (), ("C",), (), ()) and engine.idle == 1
    # static: C waits until A and B are done, beside an idle slot
    static = static_seating(SMALL, CONFIG)
    assert drawn(static) == ["wA sA wA i wC", "wB wB wB wB i"]
    assert static.idle == 2 and static.steps == engine.steps == 5


def test_shares_by_hand():
    engine = play(SMALL, CONFIG).steps
    assert request_shares(engine, SMALL) == (
        {"A": ("prefill", 3)}, {"B": ("prefill", 2), "A": ("stall", 0)},
        {"C": ("prefill", 2), "A": ("stall", 0), "B": ("stall", 0)},
        {"A": ("decode", 1), "B": ("decode", 1)}, {"B": ("decode", 1)})
    assert stalled_tokens(engine) == 3
    # mixed: the fourth token of the first step is B's; who decodes never stands still
    assert request_shares(mixed_phase(SMALL, CONFIG), SMALL) == (
        {"A": ("prefill", 3), "B": ("prefill", 1)}, {"A": ("decode", 1), "B": ("prefill", 1)},
        {"B": ("decode", 1), "C": ("prefill", 2)}, {"B": ("decode", 1)})
    assert stalled_tokens(mixed_phase(SMALL, CONFIG)) == 0


lists = st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(0, 20)),
                 min_size=2, max_size=5)


@settings(max_examples=60, deadline=None)
@given(lists, st.integers(4, 24), st.integers(1, 4))
def test_every_run_is_seated(requests, budget, cap):
    workload = Workload(tuple(toy_request(k, *values) for k, values in enumerate(requests)))
    config = EngineConfig(4, 32, budget, cap)
    steps = play(workload, config).steps
    for seating in (continuous_seating(steps, cap), static_seating(workload, config)):
        columns = list(zip(*seating.seats, strict=True))
        assert len(columns) == seating.steps == len(seating.arrived)
        names = [seat.request for row in seating.seats for seat in dict.fromkeys(row)
                 if seat and seat.kind == "work"]
        assert len(names) == len(set(names)) == len(requests)  # everyone has one slot, and works
        for column in columns:
            sitting = sum(seat not in (None, IDLE) for seat in column)
            assert column.count(IDLE) == max(0, cap - sitting)
    for step, column in zip(steps, zip(*continuous_seating(steps, cap).seats)):
        sitting = {seat.request: seat.kind for seat in column if seat and seat != IDLE}
        assert {name for name, kind in sitting.items() if kind == "work"} == set(step.names)
        assert {name for name, kind in sitting.items() if kind == "stall"} == set(step.stalled)


@pytest.mark.parametrize("budget", [6, 8, 12])
def test_shares_add_up_to_what_was_recorded(budget):
    trace = load(f"sched-b{budget}")
    shares = request_shares(trace.steps, trace.workload)
    for step, share in zip(trace.steps, shares, strict=True):
        assert sum(part.tokens for part in share.values()) == step.used
        assert {n for n, part in share.items() if part.kind == "stall"} == set(step.stalled)
    assert stalled_tokens(trace.steps) == sum(len(step.stalled) for step in trace.steps)
