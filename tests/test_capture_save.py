"""Capture writes whole or not at all, says in one line what cannot be, and what changed."""

import errno
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from capture import engine, everything
from capture import save as saving
from capture.__main__ import main
from capture.everything import Everything, record_all
from capture.gpu.guards import Refusal, check_model
from capture.gpu.models import model_of
from capture.recording import Recording
from capture.save import save
from capture.scenarios import Scenario
from traces import TraceError, load
from traces.differences import differences
from traces.files import DATA
from traces.lock import LOCK, read_lock
from traces.schema import Event


def recording(name):
    trace = load(name)
    return Recording(trace.header, trace.events)


def content(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_is_saved_is_what_was_recorded_and_locked(tmp_path):
    paths = save([recording("preemption-gpu"), recording("preemption-gpu-times")], tmp_path)
    assert [path.read_bytes() for path in paths] == [
        (DATA / path.parent.name / "trace.jsonl").read_bytes() for path in paths]
    assert read_lock(tmp_path / LOCK) == {
        name: read_lock(DATA / LOCK)[name] for name in ("preemption-gpu", "preemption-gpu-times")}
    save([recording("sched-b6")], tmp_path)
    assert len(read_lock(tmp_path / LOCK)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "lock.json", "preemption-gpu", "preemption-gpu-times", "sched-b6"]


def broken(which):
    """A recording whose last event was lost, or that no file can hold."""
    header, events = recording("sched-b6")
    if which == "unproved":
        return Recording(header, events[:-1])
    if which == "not finite":
        return Recording(header, (*events[:-1], Event(0, "step", {"step": float("inf")})))
    return Recording(replace(header, provenance={**header.provenance, "model": "\ud800"}), events)


@pytest.mark.parametrize("which", ["unproved", "not finite", "not Unicode"])
def test_one_that_cannot_be_proved_leaves_all_as_it_was(which, tmp_path):
    save([recording("sched-b8")], tmp_path)
    before = content(tmp_path)
    with pytest.raises(TraceError) as error:
        save([recording("sched-b12"), broken(which)], tmp_path)
    assert "sched-b6" in str(error.value) and "\n" not in str(error.value)
    assert content(tmp_path) == before and not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("step", ["dump", "write_lock"])
def test_a_full_disk_leaves_all_as_it_was(step, tmp_path, monkeypatch):
    save([recording("sched-b8"), recording("sched-b6")], tmp_path)
    before = content(tmp_path)

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saving, step, full)
    with pytest.raises(TraceError, match="cannot be written: No space left"):
        save([recording("sched-b12"), recording("sched-b6")], tmp_path)
    assert content(tmp_path) == before and not list(tmp_path.glob(".*"))


def test_a_folder_in_a_trace_s_place_undoes_the_others(tmp_path):
    (tmp_path / "sched-b6" / "trace.jsonl").mkdir(parents=True)
    with pytest.raises(TraceError, match="is a folder"):
        save([recording("sched-b12"), recording("sched-b6")], tmp_path)
    assert content(tmp_path) == {}


def scenario(monkeypatch, module, name="sched-b6"):
    """A scenario that hands back a committed trace, the only one there is."""
    one = Scenario(name, "again", lambda job: [recording(name)])
    monkeypatch.setattr(module, "scenarios", lambda: {name: one})


@pytest.mark.parametrize("place", ["a file", "below a file"])
def test_an_out_that_cannot_be_is_one_line(place, tmp_path, monkeypatch, capsys):
    from capture import __main__ as command

    scenario(monkeypatch, command)
    (tmp_path / "file").write_text("")
    out = tmp_path / "file" if place == "a file" else tmp_path / "file" / "deeper"
    assert main(["sched-b6", "--out", str(out)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "cannot be written" in error


def test_every_source_of_the_engine_is_in_the_fingerprint(tmp_path):
    for name in ("engine/scheduler.py", "sampling_params.py", "layers/sampler.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
        first = engine._fingerprint(tmp_path)
        path.write_text("x = 2\n")
        assert engine._fingerprint(tmp_path) != first


def test_gpu_scenarios_take_the_sources_that_are_named(tmp_path, monkeypatch, capsys):
    """NANOVLLM_SRC decides what `import nanovllm` finds, and other sources are refused."""
    package = tmp_path / "nanovllm"
    for name in engine._FILES:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text("")
    monkeypatch.setenv("NANOVLLM_SRC", str(tmp_path))
    assert main(["token-journey", "--out", str(tmp_path / "out")]) == 1
    assert "not those of the frozen commit" in capsys.readouterr().err
    monkeypatch.setattr(engine, "_FINGERPRINT", engine._fingerprint(package))
    monkeypatch.setattr("sys.path", ["elsewhere"])
    engine.use_sources()
    import sys
    from importlib.machinery import PathFinder
    assert Path(PathFinder.find_spec("nanovllm", sys.path).submodule_search_locations[0]) == package


def test_all_says_what_changed_against_the_lock(tmp_path, monkeypatch, capsys):
    """Recorded in processes of their own; here two scenarios stand for all, one of them broken."""
    known = {"sched-b6": Scenario("sched-b6", "", lambda job: []),
             "sched-b8": Scenario("sched-b8", "", lambda job: []),
             "overhead": Scenario("overhead", "", lambda job: [], model=""),
             "tensor-parallel": Scenario("tensor-parallel", "", lambda job: [], gpus=2)}

    def record(one, model, order):
        if one.name == "sched-b8":
            return False, ["sched-b8: no engine"]
        path = order.out / one.name / "trace.jsonl"
        path.parent.mkdir(parents=True)
        shutil.copyfile(DATA / one.name / "trace.jsonl", path)
        return True, [str(path)]

    monkeypatch.setattr(everything, "scenarios", lambda: known)
    monkeypatch.setattr(everything, "_record", record)
    monkeypatch.setattr(everything, "gpu_count", lambda: 0)
    assert record_all(Everything(None, None, tmp_path)) == 1
    out = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1) for line in out[:3]] == [
        ["sched-b6", "as locked"], ["sched-b8", "failed: sched-b8: no engine"],
        ["tensor-parallel", "left out: 2 GPU needed, 0 found"]]
    assert out[3] == "1 of 2 recorded; failed: sched-b8"


def test_differences_keep_facts_and_measured_numbers_apart():
    old = load("sampling")
    assert differences(old, old) == []
    events = [Event(e.n, e.name, {**e.fields, **({"tail": 0.5} if e.name == "draws" else {}),
                                  **({"ids": [1]} if e.n == 2 else {})}) for e in old.events]
    header = replace(old.header, provenance={**old.header.provenance, "weights": "own@0"})
    assert differences(old, replace(old, header=header, events=tuple(events))) == [
        "provenance.weights 'trained-tiny' → 'own@0'", "other facts in 1 events, first 'ids' of "
        "event 2", "other measured numbers in 12 events"]


def test_a_checkpoint_of_one_s_own_has_its_own_name(tmp_path):
    assert model_of(tmp_path, "trained-tiny", "qwen3-0.6b") == "tiny"
    assert model_of(tmp_path, "seeded-random", "qwen3-0.6b") == "qwen3-0.6b"
    assert model_of(tmp_path / "Qwen3-0.6B", "Qwen3-0.6B@0123456789ab", "tiny") == "Qwen3-0.6B"
    with pytest.raises(Refusal, match="kept in float16"):
        check_model({"model_type": "qwen3", "dtype": "float16"}, tmp_path)
