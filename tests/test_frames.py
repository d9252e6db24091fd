"""Frames: as many as planned, the same twice, the same however many workers draw them."""

import manim
import pytest
from studio_house import BEATS, build, calls, script

from studio.draw import player


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
    assert len(films) == 1 + len(BEATS)
    for name in films:
        assert (one / name).read_bytes() == (three / name).read_bytes()
    assert "frames at 60 a second" in done[2][1]


COUNT = """
import sys, tempfile
from studio.drawing import draw
from studio.render.order import Order
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


SAME = """
import sys
from studio.drawing import compare
from studio.render.order import Order
print(*(compare(Order("act01", "tiny", 60), index)[2] for index in range(int(sys.argv[1]))))
"""


def test_pictures_are_those_of_manims_own_renderer(house):
    assert script(house, SAME, str(len(BEATS))).split() == ["0"] * len(BEATS)


RUNS = """
import sys, tempfile
from pathlib import Path
from studio.draw.player import Player
from studio.render.messages import DrawRun
from studio.render.order import Order
from studio.render.plan import RenderPlan
from studio.render.schedule import join_runs
from studio.render.snapshots import Snapshots
from studio.render.worker import RunRecorder
from studio.stream import encoder
from studio.stream.mp4 import Part, read_payload
encoder.RESTART_SECONDS = 1
plan, root = RenderPlan.of(Order("act01", "tiny")), Path(tempfile.mkdtemp())
player, snapshots, found = Player(plan.order, root / "media"), Snapshots(root, plan.keys), []
last, count = 2, plan.frames(2)
for name, runs in (("whole", [range(count)]),
                   ("cut", [range(90, count), range(30), range(30, 90)])):
    parts = {}
    for run in runs:
        folder = root / f"{name}-{run.start}"
        recorder = RunRecorder(plan, DrawRun(last, run), folder, lambda _: None)
        snapshots.draw(player, last, recorder.select, recorder.on_picture, recorder.stop)
        recorder.finish()
        parts[run.start] = Part(folder, len(run))
    folder = join_runs([parts[start] for start in sorted(parts)], plan.order.fps)
    held = read_payload(folder / "film.mp4")
    pictures = {p.name: p.read_bytes() for p in folder.glob("*.png")}
    found.append((held.digest, held.sizes, held.pts, held.keyframes, pictures))
print(found[0] == found[1], found[0][2] == list(range(count)), sorted(found[0][4]), count > 120)
"""


def test_a_beat_drawn_in_runs_is_the_same_to_the_bit(house):
    assert script(house, RUNS).strip() == "True True ['first.png', 'last.png'] True"


RESTORED = """
import hashlib, tempfile
from pathlib import Path
from studio.draw.beats import all_frames
from studio.draw.content_hash import content_hash
from studio.draw.player import Player
from studio.render.order import Order
from studio.render.plan import RenderPlan
from studio.render.snapshots import Snapshots
from studio.render.sources import module_digest
plan = RenderPlan.of(Order("act01", "tiny"))
root, shown = Path(tempfile.mkdtemp()), {}
def take(beat, frame, pixels, repeat, boxes):
    shown.setdefault(beat, hashlib.sha256()).update(pixels.tobytes())
def digests():
    found = {beat: sha.hexdigest() for beat, sha in shown.items()}
    shown.clear()
    return found
last = len(plan.plan.beats)
player, snapshots = Player(plan.order, root / "media"), Snapshots(root, plan.keys)
for index in range(last):
    snapshots.draw(player, index, all_frames, take)
played, known = digests(), snapshots.known(last)
ends = []
for index in reversed(range(last)):
    Snapshots(root, plan.keys).draw(player, index, all_frames, take)
    ends.append(content_hash(player.snapshot(), module_digest))
print(played == digests(), ends[::-1] == known[1:], len(known) == last + 1)
"""


def test_a_restored_beat_shows_and_leaves_what_a_played_one_does(house):
    assert script(house, RESTORED).split() == ["True"] * 3


def test_another_manim_is_refused(monkeypatch):
    player.require_pinned_manim()
    monkeypatch.setattr(manim, "__version__", "0.23.0")
    with pytest.raises(RuntimeError, match=r"0\.23\.0.*0\.22"):
        player.require_pinned_manim()
