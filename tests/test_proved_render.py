"""A render proves every trace that it draws, names all of them, and knows a stale film."""

import json
import shutil

import pytest
from rehearsal import rehearse

from scenes.stage import act_names
from studio import pipeline
from studio.deliver.verify import _verify_traces
from studio.errors import RenderError
from studio.render.order import Order
from studio.render.plan import RenderPlan
from studio.render.proofs import proved, traces_today
from traces import files, load, lock, verify, watching
from traces.files import DATA, dump
from traces.lock import LOCK, entry_of, read_lock, write_lock
from traces.schema import Event


@pytest.mark.parametrize("act", act_names())
def test_drawing_loads_no_trace_that_planning_did_not(act):
    with watching() as drawn:
        rehearse(act)
    assert drawn == RenderPlan.of(Order(act, "tiny")).loaded


def test_act_04_names_all_its_traces():
    assert list(traces_today(Order("act04", "tiny"))) == [
        "launch-timeline", "sched-b12", "sched-b6", "sched-b8"]


@pytest.fixture
def edited(tmp_path, monkeypatch):
    """The course's traces, sched-b8's first step cut to 7 of 8 tokens, sealed, the lock as well:
    what an edit would look like that a review did not see."""
    data = tmp_path / "data"
    shutil.copytree(DATA, data)
    for place in (files, lock, verify):
        monkeypatch.setattr(place, "DATA", data)
    trace = load(data / "sched-b8" / "trace.jsonl")
    first = next(e.n for e in trace.events if e.name == "schedule")
    events = [Event(e.n, e.name, {**e.fields, "batch": [["A", 0, 7]], "slots": [[[0, 7]]]}
                    if e.n == first else e.fields) for e in trace.events]
    path = dump(trace.path, trace.header, events)
    return data, path, trace.header


def test_an_edited_trace_is_refused_before_anything_is_drawn(edited, tmp_path, monkeypatch):
    data, path, header = edited
    monkeypatch.setattr(pipeline, "draw_segments", lambda *_: pytest.fail("drawn"))
    order = Order("act04", "tiny")
    with pytest.raises(RenderError, match=r"sched-b8.*lock\.json says"):
        pipeline.render([order], tmp_path / "out", 1, lambda *_: None)
    write_lock(data, {**read_lock(data / LOCK), "sched-b8": entry_of(header, path.read_bytes())})
    with pytest.raises(RenderError, match=r"sched-b8/trace\.jsonl: event \d+") as error:
        pipeline.render([order], tmp_path / "out", 1, lambda *_: None)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out" / "act04").exists()


def test_proofs_are_kept_and_found(tmp_path):
    names = RenderPlan.of(Order("act03", "tiny")).loaded
    found = proved(names, tmp_path)
    assert len(list(tmp_path.iterdir())) == len(names) == len(found)
    assert proved(names, tmp_path) == found
    assert found == {name: read_lock(DATA / LOCK)[name].sha256 for name in sorted(names)}


def test_a_film_of_other_traces_is_stale():
    order = Order("act04", "tiny")
    now = traces_today(order)
    assert _verify_traces(order, json.loads(json.dumps({"traces": now}))) == \
        f"{len(now)} traces: proved, and those of the film"
    assert {"sched-b6", "sched-b8", "launch-timeline"} <= {*now}
    for then in ({**now, "sched-b8": "0" * 64}, {k: v for k, v in now.items() if k != "sched-b8"}):
        with pytest.raises(RenderError, match="other traces than today's: sched-b8; render again"):
            _verify_traces(order, {"traces": then})
