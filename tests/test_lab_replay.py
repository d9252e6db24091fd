"""The lab's replay in the browser against the reference model: every step's record is the same.

`CASES=20000 pytest tests/test_lab_replay.py -s` plays more workloads, and says how fast.
"""

import json
import os
import random
import time
from collections import Counter
from pathlib import Path

import pytest
from lab_cases import case, happenings, random_case, record
from rendered_house import chromium

from traces import EngineConfig, Request, Workload, load, play, toy_request

TEMPLATES = Path(__file__).parent.parent / "studio/deliver/templates"
CASES = int(os.environ.get("CASES", "3000"))
LEAST = {"preemption": 500, "stuck": 100, "hit": 1000, "shared block": 400, "overwrite": 150,
         "cut": 700, "computed again": 500, "stall": 800, "one sequence a step": 400,
         "over the cap": 300, "idle engine": 500}


@pytest.fixture(scope="module")
def replay():
    """replay(cases) plays them in the browser: (records, seconds)."""
    context = chromium().new_context()
    page = context.new_page()
    for name in ("pool.js", "replay.js"):
        page.add_script_tag(path=TEMPLATES / name)

    def run(cases):
        text = page.evaluate("""text => { const cases = JSON.parse(text), start = performance.now();
            const played = cases.map(({ requests, config }) => Replay.play(requests, config));
            return JSON.stringify([played, (performance.now() - start) / 1000]); }""",
                             json.dumps(cases))  # as text: Playwright takes objects apart slowly
        return json.loads(text)

    yield run
    context.close()


def test_every_step_of_thousands_of_workloads_is_the_reference_models(replay):
    dice, seen, seconds = random.Random(4), Counter(), Counter()
    for first in range(0, CASES, 500):
        chosen = [random_case(dice) for _ in range(min(500, CASES - first))]
        started = time.perf_counter()
        traces = [play(*each, allow_stuck=True) for each in chosen]
        seconds["Python"] += time.perf_counter() - started
        records, took = replay([case(*each) for each in chosen])
        seconds["JavaScript"] += took
        for (workload, config), trace, found in zip(chosen, traces, records, strict=True):
            assert found == record(trace, workload, config), case(workload, config)
            seen += happenings(trace, config)
    print("\n", {who: f"{CASES / took:,.0f} cases a second" for who, took in seconds.items()}, seen)
    assert {what: seen[what] for what, least in LEAST.items()
            if seen[what] < least * CASES // 3000} == {}


@pytest.mark.parametrize("name", ["sched-b6", "sched-b8", "sched-b12", "preemption-b4",
                                  "prefix-cache-b4", "stuck-b4"])
def test_what_the_real_scheduler_did_is_what_the_browser_replays(replay, name):
    trace = load(name)
    (found,), _ = replay([case(trace.workload, trace.config)])
    wanted = record(trace, trace.workload, trace.config)
    assert found == wanted and wanted["steps"]


def test_the_comparison_sees_a_changed_replay(replay):
    """A request that says another max_tokens than the reference played: not the same record."""
    one = Workload((toy_request(0, 5, 3), Request("B", (1, 2, 3), 2, 4)))
    other = Workload((toy_request(0, 5, 3), Request("B", (1, 2, 3), 2, 5)))
    config = EngineConfig(4, 8, 6, 2)
    (found,), _ = replay([case(other, config)])
    assert found != record(play(one, config), one, config)
    assert found == record(play(other, config), other, config)
