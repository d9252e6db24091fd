"""The lock that names the recorded traces, the proofs of their bytes, and who loads what."""

import shutil

import pytest
from trace_house import copied, one_line

from traces import TraceError, digests, load, prove, watching
from traces.files import DATA, dump
from traces.lock import LOCK, read_lock
from traces.schema import Event
from traces.verify import all_traces


@pytest.mark.parametrize(("edit", "message"), [
    (lambda text: text.replace('"NVIDIA H200"', '"NVIDIA A100"'), "gpu is 'NVIDIA H200'"),
    (lambda text: text.replace('{"sha256":"', '{"sha256":"0', 1), "is no lock"),
    (lambda text: "{", "is no lock"), (lambda text: text.replace("throughput", "th"), "not in")])
def test_a_lock_that_says_otherwise_is_one_line(edit, message, tmp_path, capsys):
    path = copied("throughput", tmp_path)
    text = (DATA / LOCK).read_text(encoding="utf-8")
    (tmp_path / LOCK).write_text(edit(text), encoding="utf-8")
    assert message in one_line(path, capsys)


def test_the_committed_lock_holds_every_trace():
    assert list(read_lock(DATA / LOCK)) == all_traces()
    assert not [path for path in DATA.glob("*/*") if path.name != "trace.jsonl"]


def test_a_proof_is_kept_by_digest_and_given_anew_for_other_bytes(tmp_path, monkeypatch):
    import traces.verify as module

    kept = tmp_path / "proofs"
    path = copied("sched-b8", tmp_path)
    proof = prove(path, kept)
    assert (proof.id, proof.events) == ("sched-b8", len(load(path).events))
    monkeypatch.setattr(module, "verify", lambda name: pytest.fail("proved again"))
    assert prove(path, kept) == proof
    monkeypatch.undo()
    file, = kept.iterdir()
    file.write_text("{")  # a damaged proof is none
    assert prove(path, kept) == proof
    trace = load(path)
    events = [e if e.n != 5 else Event(5, e.name, {**e.fields, "token": 7}) for e in trace.events]
    dump(path, trace.header, events)
    with pytest.raises(TraceError):
        prove(path, kept)
    assert len(list(kept.iterdir())) == 1


def test_a_proof_of_times_is_given_anew_when_the_run_beside_them_changed(tmp_path):
    copied("preemption-gpu", tmp_path)
    times = copied("preemption-gpu-times", tmp_path)
    prove(times, tmp_path / "proofs")
    shutil.copyfile(DATA / "prefix-cache-gpu" / "trace.jsonl",
                    tmp_path / "preemption-gpu" / "trace.jsonl")
    with pytest.raises(TraceError):
        prove(times, tmp_path / "proofs")


def test_who_watches_is_told_what_is_loaded(tmp_path):
    with watching() as outer:
        load("sched-b6")
        with watching() as inner:
            load("sched-b8")
            prove("sampling", tmp_path)
            prove("sampling", tmp_path)
    load("sched-b12")
    assert inner == {"sched-b8", "sampling"} and outer == inner | {"sched-b6"}
    assert digests(inner, tmp_path) == {
        name: read_lock(DATA / LOCK)[name].sha256 for name in sorted(inner)}
