"""Frames: as many as planned, the same twice, the same however many workers draw them."""

import pytest
from studio_house import build, calls, script


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    return build(tmp_path_factory.mktemp("house"))


def test_films_do_not_depend_on_the_number_of_workers(house, tmp_path):
    one, three = tmp_path / "one", tmp_path / "three"
    base = ["act01", "--quality", "tiny", "--fps", 60]
    done = calls(house, [*base, "--jobs", 1, "--out", one], [*base, "--jobs", 3, "--out", three],
                 ["verify", "act01", "--out", three])
    assert [code for code, _, _ in done] == [0, 0, 0], done
    films = sorted(path.relative_to(one) for path in one.rglob("act01*.mp4"))
    assert len(films) == 4
    for name in films:
        assert (one / name).read_bytes() == (three / name).read_bytes()
    assert "frames at 60 a second" in done[2][1]


COUNT = """
import sys, tempfile
from studio.manim022 import draw
from studio.order import Order
rate = int(sys.argv[1])
order = Order("act01", "tiny", rate)
planned, counts = order.planned(), {}
def take(beat, frame, pixels, repeat, boxes):
    assert frame == counts.get(beat, 0), (beat, frame)
    counts[beat] = frame + repeat
with tempfile.TemporaryDirectory() as media:
    draw(order, range(len(planned.beats)), take, media)
print(counts == {beat.name: beat.frames(rate) for beat in planned.beats})
"""


@pytest.mark.parametrize("rate", ["30", "60"])
def test_every_beat_draws_its_planned_frames(house, rate):
    assert script(house, COUNT, rate).strip() == "True"
