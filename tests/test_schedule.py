"""What workers are told: every frame of every beat once, in runs cut where the encoder restarts."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.render import schedule
from studio.render.messages import DrawRun
from studio.render.plan import Job
from studio.render.store import Store
from studio.stream.encoder import RESTART_SECONDS


class Known:
    """Snapshots that are all known."""

    def __init__(self, *_):
        pass

    def known(self, last):
        return [f"snapshot {k}" for k in range(last + 1)]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(autouse=True, scope="module")
def known():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "Snapshots", Known)
        yield


@given(st.lists(st.integers(1, 1300), min_size=1, max_size=14), st.integers(1, 128),
       st.sampled_from([30, 60]))
def test_every_frame_is_given_once_however_many_workers_there_are(root, counts, limit, fps):
    plan = SimpleNamespace(
        order=SimpleNamespace(fps=fps), frames=counts.__getitem__,
        keys=SimpleNamespace(segment=lambda beat, snapshot: f"{beat} {snapshot}"))
    job = Job(plan, tuple(range(len(counts))))
    tasks, given_out = schedule.Schedule(job, Store(root)), {}
    while tasks.has_task:
        task = tasks.next_task(tasks.frames_left // (2 * limit))
        assert isinstance(task, DrawRun) and len(task.frames) > 0
        assert task.frames.start == given_out.get(task.beat, 0)
        stop = task.frames.stop
        assert stop == counts[task.beat] or stop % (RESTART_SECONDS * fps) == 0
        given_out[task.beat] = stop
    assert given_out == dict(enumerate(counts)) and tasks.frames_left == 0
