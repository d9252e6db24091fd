"""Committed traces: proven, and what they tell."""

import pickle
from dataclasses import replace

import pytest

from traces import EngineConfig, TraceError, Workload, contrast, load, play, toy_request
from traces.__main__ import main
from traces.files import DATA, dump
from traces.schema import Event
from traces.seats import continuous_seating, stalled_tokens, static_seating
from traces.verify import all_traces, verify

SCHEDULED = [name for name in all_traces() if load(name).header.kind == "scheduling"]


@pytest.fixture(params=all_traces())
def name(request):
    return request.param


def test_every_trace_is_proven(name):
    assert verify(name).id == name


@pytest.mark.parametrize(("break_", "message"), [
    (lambda lines: [], "header: is not JSON"),
    (lambda lines: lines[:-3] + [""], "the last of"),
    (lambda lines: lines[:-1], "the last line is cut short"),
    (lambda lines: [*lines[:9], lines[9][:20], *lines[10:]], "event 9: is not JSON"),
    (lambda lines: [*lines[:9], *lines[10:]], "event 9: is numbered 10"),
    (lambda lines: [lines[0].replace("inference/1", "inference/2"), *lines[1:]],
     "header: schema 'visible-inference/2', this reader knows 'visible-inference/1'"),
    (lambda lines: [lines[0].replace('"scheduler-only"', '"heaven"'), *lines[1:]],
     "header: Invalid enum value 'heaven'"),
    (lambda lines: [*lines[:9], lines[9].replace(":", ": ", 1), *lines[10:]], "it was edited"),
    (lambda lines: [*lines[:9], "[" * 100_000, *lines[10:]], "event 9: is "),
    (lambda lines: ["{}", *lines[1:]], "header: schema None"),
])
def test_a_broken_file_is_one_line_and_exit_1(break_, message, tmp_path, capsys):
    lines = (DATA / "sched-b6" / "trace.jsonl").read_text().split("\n")
    path = tmp_path / "trace.jsonl"
    path.write_text("\n".join(break_(lines)))
    assert main(["verify", str(path)]) == 1
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1 and "Traceback" not in error


@pytest.mark.parametrize(("number", "field", "value", "message"), [
    (1, "num_blocks", 31, "num_blocks is 31 in the engine, 32 in the header"),
    ("schedule", "slots", [[[1, 6]]], "goes to slot 1, block × size + offset is 0"),
    ("sample", "kept", True, "a token of A is kept"),
    ("allocate", "taken", [0, 1, 2, 3], "needs 3 blocks"),
    ("step", "state", "0" * 12, "digest"),
    ("free", "released", [], "are held by nobody now"),
    ("publish", "overwrites", 3, "publish: overwrites 3, the map had None"),
])
def test_invariants_say_what_is_wrong(number, field, value, message, tmp_path):
    trace = load("sched-b6")
    n = number if isinstance(number, int) else next(e.n for e in trace.events if e.name == number)
    events = [Event(e.n, e.name, {**e.fields, field: value} if e.n == n else e.fields)
              for e in trace.events]
    with pytest.raises(TraceError) as error:
        verify(dump(tmp_path / "trace.jsonl", trace.header, events))
    assert error.value.event == n and message in str(error.value)


def test_the_command_line(capsys):
    assert main(["list"]) == 0 and "sched-b6" in capsys.readouterr().out
    assert main(["verify", "sched-b6", "sched-b8"]) == 0
    assert main(["verify", "shed-b6"]) == 2 and "sched-b6" in capsys.readouterr().err
    with pytest.raises(SystemExit) as usage:
        main(["prove"])
    assert usage.value.code == 2


def test_show_prints_every_trace(name, capsys):
    assert main(["show", name]) == 0
    out = capsys.readouterr().out
    assert "engine_commit: bb823b3" in out and name in out


@pytest.mark.parametrize("scheduled", SCHEDULED)
def test_states_chain_and_pickle(scheduled):
    trace = load(scheduled)
    assert [step.index for step in trace.steps] == list(range(len(trace.steps)))
    assert trace.states[1:] == tuple(step.after for step in trace.steps)
    assert pickle.loads(pickle.dumps(trace.steps)) == trace.steps


def test_act_04_tells_its_story():
    """What the act says of its workload, at each of the three budgets."""
    steps = {}
    for budget in (6, 8, 12):
        trace = load(f"sched-b{budget}")
        run, config = trace.steps, trace.config
        static = contrast.static_batching(trace.workload, config)
        steps[budget] = len(run)
        assert len(static) > len(run)
        seatings = static_seating(trace.workload, config), continuous_seating(run, 3)
        assert seatings[0].idle > seatings[1].idle
        assert stalled_tokens(run) >= 2
        assert sum(bool(s.arrived and s.before.running and s.stalled) for s in run) >= 2
        first = contrast.first_token_steps(run)
        assert all(contrast.first_token_steps(static)[name] >= first[name] for name in first)
    assert steps[6] > steps[8] > steps[12]
    cut = [part for step in load("sched-b6").steps for part in step.scheduled if part.is_chunk]
    assert {part.request for part in cut} == {"A", "C"}


def test_preempted_blocks_are_found_again_or_lost():
    steps = load("preemption-b4").steps
    victims = [name for step in steps for name in step.preempted]
    back = {a.request: len(a.hit) for step in steps for a in step.allocated
            if not a.appended and a.request in victims}
    assert victims == ["D", "C"] and back == {"D": 0, "C": 2}
    assert contrast.recomputed_tokens(steps) > 0


def test_the_prefix_cache_hits_the_later_copy_until_it_is_retaken():
    trace = load("prefix-cache-b4")
    hits = {a.request: a.hit for s in trace.steps for a in s.allocated if not a.appended}
    table = {name: trace.steps[0].planned[name].block_table for name in "AB"}
    assert not set(table["A"]) & set(table["B"])  # same step, same prefix: two copies
    assert [p.overwrites for p in trace.steps[0].published] == [None, None, *table["A"][:2]]
    assert hits["C"] == table["B"][:2]
    assert hits["D"] == table["B"][:1]  # its last block is full, known, and not reused
    late = next(step for step in trace.steps if "F" in step.arrived)
    assert hits["F"] == () and late.before["A"].block_table[:2] == table["A"][:2]


def test_a_block_lives_its_whole_life():
    trace = load("prefix-cache-b4")
    lives = {block: life(trace, block) for block in range(trace.config.num_blocks)}
    whole = ["free", "filling", "full", "shared", "full", "hittable", "full", "hittable",
             "filling"]
    assert any(path[:len(whole)] == whole for path in lives.values())


def life(trace, block):
    """The moments of a physical block, as act 05 names them."""
    moments = []
    for state in (s for step in trace.steps for s in (step.before, step.planned, step.after)):
        pool = state.pool
        held = {0: "hittable" if pool.hittable(block) else "free",
                1: "filling" if pool.hash[block] is None else "full"}
        moment = held.get(pool.refs[block], "shared")
        if moments[-1:] != [moment]:
            moments.append(moment)
    return moments


def test_mixed_phases_use_the_budget_better():
    trace = load("sched-b6")
    mixed = contrast.mixed_phase(trace.workload, trace.config)
    assert any(step.phase == "mixed" for step in mixed)
    assert all(step.used <= 6 for step in mixed)
    assert len(mixed) < len(trace.steps)


@pytest.mark.parametrize("run", [contrast.mixed_phase, contrast.static_batching,
                                 lambda workload, config: play(workload, config).steps])
def test_every_policy_serves_everyone(run):
    workload = Workload((toy_request(0, 9, 3), toy_request(1, 4, 1, 30), toy_request(2, 7, 5, 2)))
    steps = run(workload, EngineConfig(4, 16, 5, 2))
    assert set(contrast.finish_steps(steps)) == set("ABC")
    for request in workload.requests:
        produced = sum(step.produced.count(request.name) for step in steps)
        assert produced == request.max_tokens


@pytest.mark.parametrize(("cap", "budget", "together", "prefill", "decode"), [
    (3, 6, False, 9, 0), (1, 6, False, 11, 50), (2, 6, False, 11, 14), (3, 4, False, 16, 5),
    (3, 6, True, 12, 5)])
def test_a_stall_is_not_a_full_step(cap, budget, together, prefill, decode):
    """Decodes that wait for a prefill, and those that max_num_seqs leaves out, told apart."""
    workload = load("sched-b6").workload
    if together:
        workload = Workload(tuple(replace(r, arrival=0) for r in workload.requests))
    missed = contrast.missed_tokens(play(workload, EngineConfig(4, 32, budget, cap)).steps)
    assert missed == {"prefill": prefill, "decode": decode, "mixed": 0}


def test_mixed_steps_cut_at_most_one_prompt():
    steps = contrast.mixed_phase(load("sched-b6").workload, EngineConfig(4, 32, 5, 5))
    prompt = {r.name: len(r.prompt) for r in load("sched-b6").workload.requests}
    cut = [[name for name, start, count in step.parts if start + count < prompt[name]]
           for step in steps]
    assert max(map(len, cut)) == 1
