"""On the way: no label crosses another, nothing hangs on no word, the stage is never bare."""

import tempfile

import numpy as np
import pytest
from manim import DOWN, RIGHT, VGroup
from test_layout import box, opacity, overlaps, shapes

from scenes.geometry import px
from scenes.kit import Grid, Label, number
from scenes.kit.base.motion import Flight
from scenes.stage import LANGUAGES, act_names
from studio.pacing import FILLED, LATE, STILL, measure
from studio.render.order import Order

BARE = 0.002  # share of the stage's pixels that a beat change leaves inked at least
HANDOVER = 24  # frames of a beat in which it takes over from the one before


def crossing(mobjects):
    """Sentences about labels that stand on top of each other, an opaque shape between aside."""
    drawn = shapes(type("Picture", (), {"mobjects": mobjects}))
    labels = [m for m in drawn if isinstance(m, Label) and opacity(m) > 0.35]
    boxes = {m: box(m) for m in drawn}
    yield from overlaps(labels, hidden=lambda below, above: any(
            drawn.index(below) < k < drawn.index(above) and not isinstance(cover, Label)
            and cover.get_fill_opacity() > 0.9 and _covers(boxes[cover], boxes[below],
                                                           boxes[above])
            for k, cover in enumerate(drawn)))


def _covers(cover, *two):
    """Whether a box holds what two others share."""
    left, bottom = np.max([b[:2] for b in two], axis=0)
    right, top = np.min([b[2:] for b in two], axis=0)
    slack = px(3)
    return (cover[0] <= left + slack and cover[1] <= bottom + slack
            and cover[2] >= right - slack and cover[3] >= top - slack)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", act_names())
def test_labels_never_cross_and_the_stage_is_never_bare(name, language):
    """Every third frame of every movement, drawn small."""
    from studio.draw.player import Player

    order = Order(name, "tiny", None, language, "dark")
    beats, found = order.planned().beats, {}
    with tempfile.TemporaryDirectory() as media:
        player = Player(order, media)
        player.start()
        for index, beat in enumerate(beats):
            def want(_, start, count):
                return range(start + -start % 3, start + count, 3) if count > 1 else [start]

            def take(_, frame, pixels, repeat, boxes, beat=beat, index=index):
                for fault in crossing(player.act.mobjects):
                    found.setdefault(f"{beat.name}: {fault}", frame)
                bare = ink(pixels) < BARE
                if bare and frame < HANDOVER and index and beats[index - 1].header:
                    found.setdefault(f"{beat.name}: the stage is bare", frame)

            player.play(index, want, take)
    assert not found, "\n".join(f"{fault} (frame {frame})" for fault, frame in found.items())


def ink(pixels):
    """The share of the stage's pixels that differ from the ground; RGB(A) [h, w, 3 or 4]."""
    height = pixels.shape[0]
    stage = pixels[height // 6:int(0.86 * height), :, :3].astype(int)
    return (np.abs(stage - pixels[0, 0, :3].astype(int)).max(axis=2) > 24).mean()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", act_names())
def test_what_moves_moves_while_it_is_said(name, language):
    order = Order(name, "tiny", None, language, "dark")
    settled = {beat.name for beat in order.planned().beats if beat.header} - {"remember"}
    for pace in measure(order):
        if pace.beat in settled:
            assert pace.still <= STILL, f"{pace.beat} stands still for {pace.still:.1f} s"
            assert pace.filled >= FILLED, f"{pace.beat} fills {pace.filled:.0%} of the stage"
        assert pace.late <= LATE, f"{pace.beat}: [{pace.cue}] is {pace.late:.1f} s late"


def test_the_checks_see_a_crossing_and_a_pill_hides_one():
    grid, far = Grid([[1, 2]], "q", (120, 90), 48), number(7, 48).shift(3 * DOWN)
    assert not [*crossing([grid, far])]
    on_top = number(5, 48).move_to(grid.label(0, 1))
    assert any("'5'" in fault for fault in crossing([grid, on_top]))
    flight = Flight(far, VGroup(number(7, 60).move_to(grid.label(0, 1).get_center() + RIGHT * 0.1)))
    flight.begin()
    flight.interpolate(1)
    assert not [*crossing([grid, flight.mobject])]


def test_a_bare_stage_has_no_ink():
    ground = np.full((144, 256, 3), 20, np.uint8)
    assert ink(ground) == 0
    ground[60:80, 40:200] = 200
    assert ink(ground) > BARE
