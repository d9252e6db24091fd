"""What workers are told: every frame of every beat once, in runs cut at whole pieces."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.render import pool
from studio.stream.encoder import PIECE


class Known:
    """States that are all known."""

    def __init__(self, *_):
        pass

    def known(self, last):
        return [f"state {k}" for k in range(last + 1)]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return tmp_path_factory.mktemp("store")


@pytest.fixture(autouse=True, scope="module")
def known():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "States", Known)
        yield


@given(st.lists(st.integers(1, 1300), min_size=1, max_size=14), st.integers(1, 128),
       st.sampled_from([30, 60]))
def test_every_frame_is_given_once_however_many_workers_there_are(root, counts, limit, fps):
    bench = SimpleNamespace(
        root=root, order=SimpleNamespace(fps=fps), frames=counts.__getitem__,
        keys=SimpleNamespace(segment=lambda place, digest: f"{place} {digest}"))
    job, given_out = pool.Job(bench, list(range(len(counts)))), {}
    while job.has_work:
        kind, place, run = job.next(job.left // (2 * limit))
        assert kind == "draw" and len(run) > 0
        assert run.start == given_out.get(place, 0)
        assert run.stop == counts[place] or run.stop % (PIECE * fps) == 0
        given_out[place] = run.stop
    assert given_out == dict(enumerate(counts)) and job.left == 0
