"""Ghosts are measured on the written film, against what is drawn for it."""

import json
import shutil

import av
import pytest
from rendered_house import rendered_house
from studio_house import BEATS, script

from studio.deliver.rendered import read
from studio.ghosts import MOST, VISIBLE, WORST, Ghosts
from studio.stream.mp4 import Part, join

MEASURE = """
import json, sys
from pathlib import Path
from studio.ghosts import measure_ghosts
from studio.render.order import Order
if __name__ == "__main__":
    order = Order("act01", "tiny", theme=sys.argv[2])
    found = measure_ghosts(Path(sys.argv[1]), order, range(len(order.planned().beats)))
    print(json.dumps({name: [each.shares, each.errors] for name, each in found.items()}))
"""


def measured(film, theme="dark"):
    told = json.loads(script(rendered_house()[0], MEASURE, str(film), theme))
    return {name: Ghosts(shares, errors) for name, (shares, errors) in told.items()}


@pytest.mark.parametrize(("variant", "theme"), [("act01", "dark"), ("act01.light", "light")])
def test_settled_pictures_of_a_film_hold_nothing_of_what_is_gone(variant, theme):
    rendered = read(rendered_house()[1] / variant)
    found = measured(rendered.folder / rendered.names.film, theme)
    assert list(found) == list(BEATS)
    settled = sum(len(each.shares) for each in found.values())
    assert settled > rendered.sheet["total_frames"] // 2
    worst = Ghosts.of_all(found.values())
    assert max(worst.shares) <= MOST and max(worst.errors) <= WORST, str(worst)


def test_a_film_that_kept_something_is_found(tmp_path):
    """The beats' films joined with one replaced by another beat's pictures."""
    rendered = read(rendered_house()[1] / "act01")
    clips = {beat["name"]: rendered.folder / beat["clip"] for beat in rendered.beats}
    frames = {beat["name"]: beat["frames"] for beat in rendered.beats}
    wrong = tmp_path / "wrong.mp4"
    shutil.copyfile(clips["remember"], wrong)
    with av.open(str(wrong)) as film:
        count = film.streams.video[0].frames
    assert count >= frames["opening"]
    parts = [Part(wrong, count), *(Part(clips[name], frames[name]) for name in BEATS[1:])]
    join(parts, tmp_path / "film.mp4", rendered.fps)
    found = measured(tmp_path / "film.mp4")["opening"]
    assert not found.passes and max(found.errors) > WORST


def test_what_counts_as_a_ghost():
    none, few = Ghosts([MOST], [WORST]), Ghosts([MOST + 1e-4, 0], [VISIBLE + 1, 0])
    assert none.passes and not few.passes
    assert not Ghosts([0.0], [WORST + 1]).passes
    assert "2 settled frames" in str(few) and str(Ghosts()) == "no settled frame"
