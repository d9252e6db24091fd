"""Journeys and draws as the scenes read them are those recorded."""

import pytest

from traces import load
from traces.draws import draws_after
from traces.journey import Journey

JOURNEYS = ("token-journey", "token-journey-romeo", "token-journey-morrow", "token-journey-news")


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_journeys_states_are_those_recorded(name):
    journey = Journey(load(name))
    counters = []
    for k, step in enumerate(journey.steps):
        before, planned, computed, after = journey.states(k)
        for state, recorded in ((planned, step["before"]), (after, step["after"])):
            assert (state.num_tokens, state.num_cached, state.scheduled) == (
                recorded["known"], recorded["cached"], recorded["scheduled"])
        assert before.num_cached + planned.scheduled == computed.num_cached == before.num_tokens
        assert after.tokens == (*computed.tokens, step["sampled"])
        counters += [(state.num_tokens, state.num_cached) for state in (before, after)]
    assert counters[1:-1:2] == counters[2::2]  # each step goes on from the one before
    assert len(journey.slots) == len(journey.ids) == len(journey.texts)
    assert journey.slots[-1] is None and len(set(journey.slots)) == len(journey.slots)


def test_draws_are_counted_among_all_tokens():
    trace = load("sampling")
    prompt = next(e for e in trace.events if e.name == "row")["prompt"]
    drawn = draws_after(trace, prompt, 1.04)
    assert drawn.temperature == 1.0 and drawn.total == trace.header.workload["draws"]
    ids = list(drawn.counts)[:3]
    shares = drawn.shares(ids)
    assert sum(shares) == pytest.approx(1)
    assert [round(s * drawn.total) for s in shares[:3]] == [drawn.counts[i] for i in ids]
