"""What a trace could be deceived by, each once: files, names, sizes, runs, and what is refused."""

import json
import os
import shutil
import threading

import pytest
from trace_house import copied, one_line

from traces import (
    EngineConfig,
    Request,
    TraceError,
    Workload,
    WorkloadError,
    load,
    play,
    toy_request,
)
from traces.__main__ import main
from traces.files import DATA, MAX_BYTES, dump
from traces.lock import LOCK, read_lock, write_lock
from traces.schema import Event, Header
from traces.verify import verify


def edited(name, folder, edit):
    """The same with its first line changed as text."""
    path = copied(name, folder)
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    path.write_text(edit(first) + "\n" + rest, encoding="utf-8", errors="surrogatepass")
    return path


@pytest.mark.parametrize(("old", "new", "message"), [
    ('"block_size":4', '"block_size":1e999', "1e999 is not a number"),
    ('"block_size":4', '"block_size":NaN', "NaN is not a number"),
    ('"python -m capture sched-b6"', '"\\ud800"', "Expected `str` matching"),
    ('"kind":"scheduling"', '"kind":"a.b"', "Expected `str` matching"),
    ('"kind":"scheduling"', '"kind":"."', "Expected `str` matching"),
    ('"block_size":4', '"block_size":' + "[" * 981 + "]" * 981, "nested too deeply|edited|header"),
    ('"gpu":null', '"gpu":3598049616', "Expected `str | null`, got `int`"),
    ('"engine_commit":"bb', '"engine_commit":"cc', "engine_commit"),
    ('"weights":"none"', '"weights":"of another model"', "weights"),
    ('"origin":', '"more":1,"origin":', "unknown field `more`"),
    ('"id":"sched-b6"', '"id":"../sched-b6"', "Expected `str` matching")])
def test_a_header_that_is_none_is_one_line(old, new, message, tmp_path, capsys):
    path = edited("sched-b6", tmp_path, lambda first: first.replace(old, new, 1))
    found = one_line(path, capsys)
    assert any(part in found for part in message.split("|")), found


def test_a_size_is_looked_at_before_reading(tmp_path, capsys):
    path = tmp_path / "trace.jsonl"
    with path.open("wb") as file:
        file.truncate(8 << 30)  # a hole: nothing is written
    assert f"more than {MAX_BYTES}" in one_line(path, capsys)


def test_what_is_no_file_is_not_waited_for(tmp_path, capsys):
    (tmp_path / "folder" / "trace.jsonl").mkdir(parents=True)
    assert "Is a directory" in one_line(tmp_path / "folder" / "trace.jsonl", capsys)
    os.mkfifo(tmp_path / "pipe.jsonl")
    found = []
    reader = threading.Thread(target=lambda: found.append(main(
        ["verify", str(tmp_path / "pipe.jsonl")])), daemon=True)
    reader.start()
    reader.join(20)
    assert found == [1]


def test_a_name_that_no_file_can_have_is_wrong_usage(capsys):
    for name in ("x" * 5000, "a\0b", ""):
        assert main(["verify", name]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_in_a_trace_s_place_stops_nobody_else(tmp_path, monkeypatch, capsys):
    from traces import files, lock
    from traces import verify as module

    copied("sched-b6", tmp_path)
    (tmp_path / "foo" / "trace.jsonl").mkdir(parents=True)
    write_lock(tmp_path, {"sched-b6": read_lock(DATA / LOCK)["sched-b6"],
                          "gone": read_lock(DATA / LOCK)["sched-b8"]})
    for place in (files, lock, module):
        monkeypatch.setattr(place, "DATA", tmp_path)
    assert main(["verify"]) == 1
    out, err = capsys.readouterr()
    assert "ok  sched-b6" in out and "foo" in err and "gone" in err and err.count("\n") == 2
    assert main(["list"]) == 1 and "sched-b6" in capsys.readouterr().out


def sealed(folder, trace, events, **header):
    """A trace with other events, sealed, in a folder without a lock."""
    fields = {name: getattr(trace.header, name) for name in Header.__dataclass_fields__}
    return dump(folder / "trace.jsonl", Header(**{**fields, **header}), events)


def test_slots_far_outside_the_pool_take_no_memory(tmp_path):
    trace = load("sched-b6")
    events = [Event(e.n, e.name, {**e.fields, "slots": [[[0, 10**9], [0, 6 - 10**9]]]})
              if e.name == "schedule" and e["step"] == 0 else e for e in trace.events]
    with pytest.raises(TraceError, match="schedule: Expected `int` >= 1"):
        verify(sealed(tmp_path, trace, events))
    events[[e.name for e in events].index("schedule")].fields["slots"][0] = [[0, 10**9]]
    with pytest.raises(TraceError, match="are outside the pool"):
        verify(sealed(tmp_path, trace, events))


def test_a_far_end_is_not_played_to(tmp_path):
    """max_tokens and blocks of a million, and a run that says it is stuck: it is not."""
    workload = Workload((toy_request(0, 3, 10**6),))
    config = EngineConfig(10**6, 1, 16, 2)
    head = load("stuck-b4").header
    events = [Event(0, "engine", config.json()),
              Event(0, "add", {"step": 0, "request": "A", "prompt": 3, "max_tokens": 10**6}),
              Event(0, "stuck", {"step": 0})]
    path = dump(tmp_path / "trace.jsonl", Header(
        head.id, head.kind, head.origin, head.provenance, config.json(), workload.json()), events)
    with pytest.raises(TraceError, match="is not stuck: something could be scheduled"):
        verify(path)


def test_too_many_blocks_for_its_events_are_refused(tmp_path):
    trace = load("sched-b6")
    config = {**trace.header.config, "num_blocks": 10**6}
    events = [Event(e.n, e.name, {**e.fields, "num_blocks": 10**6}) if e.name == "engine" else e
              for e in trace.events]
    with pytest.raises(TraceError, match="too large to be folded"):
        verify(sealed(tmp_path, trace, events, config=config))


def test_a_stuck_run_may_leave_a_request_that_never_came(tmp_path):
    workload = Workload((toy_request(0, 9, 12), toy_request(1, 3, 2, arrival=50)))
    run = play(workload, EngineConfig(4, 4, 16, 4), allow_stuck=True)
    head = load("stuck-b4").header
    path = dump(tmp_path / "trace.jsonl", Header(
        head.id, head.kind, head.origin, head.provenance, run.header.config,
        run.header.workload), run.events)
    assert verify(path).stuck


def test_a_request_too_large_on_paper_may_end_early():
    asked = Request("A", (1, 2, 3), max_tokens=10, outputs=(7,))
    run = play(Workload((asked,), 7), EngineConfig(4, 2, 16, 4))
    assert run.last["A"].generated == (7,)
    with pytest.raises(WorkloadError, match="needs 3 blocks of 4, the pool has 2"):
        play(Workload((asked,)), EngineConfig(4, 2, 16, 4))


def test_a_copy_in_another_folder_is_refused_by_path_and_by_id(tmp_path, monkeypatch):
    from traces import files, lock

    path = copied("sched-b6", tmp_path)
    shutil.move(path.parent, tmp_path / "sched-b8")
    for place in (files, lock):
        monkeypatch.setattr(place, "DATA", tmp_path)
    monkeypatch.chdir(tmp_path)
    for name in (tmp_path / "sched-b8" / "trace.jsonl", "sched-b8/trace.jsonl", "sched-b8"):
        with pytest.raises(TraceError, match="does not match its folder"):
            load(name)


def test_a_field_twice_or_a_space_is_no_trace(tmp_path, capsys):
    from traces.schema import digest

    path = copied("sched-b6", tmp_path)
    first, *lines, last = path.read_text(encoding="utf-8").split("\n")
    lines[3] = lines[3].replace('"n":4,', '"n":9,"n":4,')
    header = json.loads(first)
    header["end"]["sha256"] = digest(header, lines)
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=False)
    path.write_text("\n".join([text, *lines, last]), encoding="utf-8")
    assert "event 4: is not written as capture writes it" in one_line(path, capsys)
