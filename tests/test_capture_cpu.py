"""The recorder around the engine's real scheduler on a CPU: it changes nothing and says so."""

import subprocess
import sys
from pathlib import Path

import pytest

from capture.__main__ import main
from capture.cpu import observe, record
from capture.drive import drive
from capture.engine import CpuEngine, EngineUnavailable, find_sources, parts
from capture.recorder import Recorder
from capture.scenarios import memory, scheduling
from traces import EngineConfig, Workload, WorkloadError, load, toy_request
from traces.verify import verify

try:
    parts()
    MISSING = ""
except EngineUnavailable as error:
    MISSING = str(error)
needs_engine = pytest.mark.skipif(bool(MISSING), reason=MISSING or "present")

ON_CPU = [scenario.name for scenario in (*memory.SCENARIOS, *scheduling.SCENARIOS)]
WORKLOAD = Workload((toy_request(0, 9, 4), toy_request(1, 5, 3, arrival=1)))
CONFIG = EngineConfig(block_size=4, num_blocks=6, max_num_batched_tokens=6, max_num_seqs=2)


@needs_engine
@pytest.mark.parametrize("name", ON_CPU)
def test_recording_again_gives_the_committed_trace(name, tmp_path):
    assert main([name, "--out", str(tmp_path)]) == 0
    again, committed = verify(tmp_path / name / "trace.jsonl"), load(name)
    assert again.events == committed.events
    assert again.header.workload == committed.header.workload
    assert again.header.config == committed.header.config


@needs_engine
def test_the_engine_is_left_as_it_was():
    engine, sequence = CpuEngine(WORKLOAD, CONFIG), parts().Sequence
    before = sequence.block_size, sequence.counter
    with engine.sized():
        kept = set(vars(engine.scheduler)), set(vars(engine.scheduler.block_manager))
        with Recorder(engine.scheduler, "AB"):
            assert "schedule" in vars(engine.scheduler)
            drive(WORKLOAD, engine.add, engine.step, engine.busy)
        assert (set(vars(engine.scheduler)), set(vars(engine.scheduler.block_manager))) == kept
    assert (sequence.block_size, sequence.counter) == before
    assert "nanovllm" not in sys.modules


@needs_engine
def test_wrappers_are_removed_when_the_run_fails():
    engine = CpuEngine(WORKLOAD, CONFIG)
    with pytest.raises(ZeroDivisionError), Recorder(engine.scheduler, "AB"):
        _ = 1 / 0
    assert "schedule" not in vars(engine.scheduler)


@needs_engine
def test_bare_and_observed_runs_must_agree(monkeypatch):
    shifted = iter(range(2))  # the second run, the observed one, answers other tokens
    plain = CpuEngine._sample

    def start(self, workload, config, init=CpuEngine.__init__):
        init(self, workload, config)
        self.shift = next(shifted)

    monkeypatch.setattr(CpuEngine, "__init__", start)
    monkeypatch.setattr(CpuEngine, "_sample", lambda self, seq: plain(self, seq) + self.shift)
    with pytest.raises(RuntimeError, match="other tokens than the bare one"):
        observe(WORKLOAD, CONFIG)


@needs_engine
def test_slots_that_the_engine_prepared_replace_the_planned_ones():
    engine = CpuEngine(WORKLOAD, CONFIG)
    with engine.sized(), Recorder(engine.scheduler, "AB") as recorder:
        engine.add(WORKLOAD["A"])
        engine.scheduler.schedule()
        recorder.observe_slots([40, 41, 42, 7, 8, 30])
    plan = recorder.events()[-1]
    assert plan.name == "schedule" and plan["slots"] == [[[40, 3], [7, 2], [30, 1]]]


@needs_engine
def test_a_request_larger_than_the_pool_is_refused_before_it_runs():
    with pytest.raises(WorkloadError, match="needs 10 blocks"):
        record(Workload((toy_request(0, 9, 30),)), CONFIG, "x")


def test_without_the_engine_there_is_one_line_and_exit_1(monkeypatch, tmp_path):
    monkeypatch.setenv("NANOVLLM_SRC", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="NANOVLLM_SRC"):
        find_sources()
    root = Path(__file__).parents[1]
    run = subprocess.run([sys.executable, "-m", "capture", "sched-b6", "--out", str(tmp_path)],
                         cwd=root, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and "NANOVLLM_SRC" in run.stderr
    assert list(tmp_path.iterdir()) == []


def test_other_sources_than_the_frozen_ones_are_refused(monkeypatch, tmp_path):
    for name in ("engine/scheduler", "engine/block_manager", "engine/sequence",
                 "sampling_params"):
        path = tmp_path / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise SystemExit('ran')\n")
    monkeypatch.setenv("NANOVLLM_SRC", str(tmp_path))
    parts.cache_clear()
    with pytest.raises(EngineUnavailable, match="not those of the frozen commit"):
        parts()
    parts.cache_clear()


def test_list_and_unknown_names(capsys):
    assert main(["list"]) == 0
    assert set(ON_CPU) <= {line.split()[0] for line in capsys.readouterr().out.splitlines()}
    assert main(["shed-b6"]) == 2
    assert "sched-b6" in capsys.readouterr().err
