"""A beat that is drawn leaves what a beat that is passed over leaves, in every act."""

import pytest
from studio_house import ROOT, script

from scenes.stage import act_names

LEFT = """
import sys, tempfile
from pathlib import Path
from studio.render.keys import CacheKeys
from studio.draw.content_hash import content_hash
from studio.draw.player import Player
from studio.render.order import Order
from studio.render.sources import module_digest
from studio.render.snapshots import Snapshots
order = Order(sys.argv[1], "tiny")
planned, root = order.planned(), Path(tempfile.mkdtemp())
player = Player(order, root / "media")
snapshots = Snapshots(root, CacheKeys(order, planned))
for _ in snapshots.reach(player, len(planned.beats)):
    pass
passed = snapshots.known(len(planned.beats))
player.start()
drawn = [content_hash(player.snapshot(), module_digest)]
for index in range(len(planned.beats)):
    player.play(index, lambda _, start, count: range(start, start + count, 5), lambda *_: None)
    drawn.append(content_hash(player.snapshot(), module_digest))
names = ["start", *(beat.name for beat in planned.beats)]
print(len(passed) == len(names), [n for n, a, b in zip(names, passed, drawn) if a != b])
"""


@pytest.mark.parametrize("act", act_names())
def test_drawing_a_beat_leaves_what_passing_over_it_leaves(act):
    assert script(ROOT, LEFT, act).strip() == "True []"
