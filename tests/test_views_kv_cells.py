"""The cells of the KV cache are the twin of a recorded request's counters."""

import pytest
from manim import Scene, tempconfig
from manim.animation.animation import prepare_animation

from scenes.views.engine_loop import STAGES, EngineLoop
from scenes.views.kv_cells import CachedToken, KvCells
from traces import load
from traces.draws import draws_after
from traces.journey import Journey

JOURNEYS = ("token-journey", "token-journey-romeo", "token-journey-morrow", "token-journey-news")


def cells_of(journey, first=0):
    tokens = map(CachedToken, journey.texts[first:], journey.ids[first:], journey.slots[first:])
    return KvCells(list(tokens), first, ["token", "id", "KV cache", "slot"], "", "no K, V yet")


def settle(scene, animations):
    """Take animations to their end without drawing."""
    for animation in map(prepare_animation, animations):
        animation._setup_scene(scene)
        animation.begin()
        animation.finish()
        animation.clean_up_from_scene(scene)


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


@pytest.mark.parametrize("name, first", [(JOURNEYS[0], 0), (JOURNEYS[1], 10)])
def test_what_is_seen_is_what_the_request_holds(name, first):
    journey = Journey(load(name))
    with tempconfig({"dry_run": True, "verbosity": "ERROR"}):
        scene, cells = Scene(), cells_of(journey, first)
        for step in range(len(journey.steps)):
            for state in journey.states(step):
                settle(scene, cells.to(state))
                seen = set(scene.get_mobject_family_members())
                for k, (head, stored, empty) in enumerate(
                        zip(cells.heads, cells.stored, cells.empty)):
                    token = first + k
                    assert (head in seen) == (token < state.num_tokens)
                    assert (stored in seen) == (token < state.num_cached)
                    awaited = state.num_cached <= token < state.num_tokens
                    assert (empty in seen) == (awaited and token >= state.num_prompt)
                assert cells.to(state) == []


def test_a_state_may_lie_before_the_one_shown():
    """A preempted request loses K and V and keeps its tokens."""
    journey = Journey(load(JOURNEYS[0]))
    with tempconfig({"dry_run": True, "verbosity": "ERROR"}):
        scene, cells = Scene(), cells_of(journey)
        late, early = journey.states(3)[3], journey.states(0)[0]
        for state in (late, early):
            settle(scene, cells.to(state))
            seen = set(scene.get_mobject_family_members())
            assert [head in seen for head in cells.heads].count(True) == state.num_tokens
            assert [part in seen for part in cells.stored].count(True) == state.num_cached


@pytest.mark.parametrize("name", JOURNEYS)
def test_the_stages_put_out_what_was_recorded(name):
    journey = Journey(load(name))
    loop = EngineLoop(["?"] * len(STAGES))
    for k, step in enumerate(journey.steps):
        outputs = loop.outputs(journey, k, "tokens")
        lines = [[getattr(line, "text", None) for line in output] for output in outputs]
        assert lines[2][1] == f"[1, {journey.trace.header.config['vocab_size']}]"
        assert lines[3][1] == f"id {step['sampled']}"
        assert lines[4] == [f"known {len(journey.prompt['ids']) + k}→{step['after']['known']}",
                            f"cached {step['before']['cached']}→{step['after']['cached']}"]
        for output, node in zip(outputs, loop.nodes):
            assert output.get_top()[1] < node.get_bottom()[1]


def test_draws_are_counted_among_all_tokens():
    trace = load("sampling")
    prompt = next(e for e in trace.events if e.name == "row")["prompt"]
    drawn = draws_after(trace, prompt, 1.04)
    assert drawn.temperature == 1.0 and drawn.total == trace.header.workload["draws"]
    ids = list(drawn.counts)[:3]
    shares = drawn.shares(ids)
    assert sum(shares) == pytest.approx(1)
    assert [round(s * drawn.total) for s in shares[:3]] == [drawn.counts[i] for i in ids]
