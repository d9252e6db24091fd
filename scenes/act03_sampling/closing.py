"""The closing lines' small replays: gaps that change, a race, a token that gets its K and V."""

from manim import DOWN, LEFT, RIGHT, FadeIn, FadeOut, VGroup

from scenes.act03_sampling.rows import ROLES
from scenes.kit import Bars, Chip, KVCell, Race, Slot, place, px

__all__ = ["replays"]


def gaps(act, room):
    """The same five tokens at three temperatures."""
    story = act.story
    rows = [story.shares(heat, 5)[:5] for heat in story.heats]
    most = max(map(max, rows))
    bars = Bars(story.lanes[:5], rows[1], roles=ROLES[:5], length=470, thickness=28,
                pitch=42, size=30, full=most)
    room.place(bars, LEFT)
    yield bars
    for row in (rows[0], rows[2]):
        yield bars.to(row)


def race(act, room):
    """The race that is lost by the favourite, once more."""
    story, drawn = act.story, act.story.contest.second
    lanes = sorted({0, 1, 2, min(drawn.winner, len(story.lanes) - 1)})[:4]
    names = [story.lanes[k] for k in lanes]
    distances = [float(drawn.exponentials[k]) for k in lanes]
    roles = [ROLES[k] for k in lanes]
    limit = max(max(distances), 0.5)
    small = Race(names, distances, limit, roles, 440, 58, 30, 15)
    room.place(small, LEFT)
    yield small
    yield small.run([float(story.contest.field[k]) for k in lanes],
                    float(drawn.times[drawn.winner]))


def newest(act, room):
    """The newest token: an id over an empty place, then its K and V."""
    journey = act.story.journey
    texts = journey.texts[journey.known - 2:journey.known + 2]
    chips = VGroup(*(Chip(text, "c" if k < 3 else "k", "ra", 34, 70)
                     for k, text in enumerate(texts))).arrange(RIGHT, buff=px(14))
    cells = VGroup(*(KVCell(Slot.CACHED, 76).next_to(chip, DOWN, buff=px(16)) for chip in chips))
    chips[2].turn("k")
    hole = place(76, 76, "focus").move_to(cells[2])
    yield room.place(VGroup(chips[:3], cells[:2], hole), LEFT)
    shift = hole.get_center() - cells[2].get_center()
    cells[2:].shift(shift)
    chips[3].next_to(chips[2], RIGHT, buff=px(14))
    cells[3].next_to(chips[3], DOWN, buff=px(16))
    hole2 = place(76, 76, "focus").move_to(cells[3])
    yield [FadeOut(hole), FadeIn(cells[2]), *chips[2].to("c")]
    yield [FadeIn(chips[3]), FadeIn(hole2)]


replays = (gaps, race, newest)
