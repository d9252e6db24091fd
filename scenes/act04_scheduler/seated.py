"""Seats under the floor: who holds one, and for how long; and those in which nobody sits."""

from itertools import groupby

from manim import LEFT, RoundedRectangle, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import Packing, number, paint, px
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.theme import mix
from traces.seats import IDLE, Seating

__all__ = ["SEAT", "empty_seats", "held_seats"]

SEAT = 40  # px: a seat's height


def held_seats(packing: Packing, run: Seating) -> VGroup:
    """A bar for each request, as long as it holds a seat, with its letter at its start."""
    bars = VGroup()
    for row, seats in enumerate(run.seats):
        names = [seat.request if seat else "" for seat in seats]
        for name, each in groupby(range(run.steps), names.__getitem__):
            if name:
                first, *_ = steps = [*each]
                bars.add(_bar(packing, row, first, steps[-1], name))
    return bars


def _bar(packing: Packing, row: int, first: int, last: int, name: str) -> VGroup:
    shelf = packing.shelf
    width = shelf.pitch * (last - first) + shelf.width
    box = RoundedRectangle(corner_radius=px(SEAT * 0.3), width=px(width), height=px(SEAT),
                           stroke_width=2.5, stroke_color=paint(ROLES[name]),
                           fill_color=mix(ROLES[name], 0.22), fill_opacity=1)
    box.move_to((shelf.under(first, row, SEAT) + shelf.under(last, row, SEAT)) / 2)
    letter = number(name, 32, "ink", "bold").set_z_index(1).move_to(box)
    if width > 3 * SEAT:
        letter.align_to(box, LEFT).shift((px(14), 0, 0))
    return VGroup(box, letter)


def empty_seats(packing: Packing, run: Seating) -> VGroup:
    """Hatched marks, step after step, where a seat is free."""
    shelf = packing.shelf
    return VGroup(*(Hatch(px(shelf.width), px(SEAT)).move_to(shelf.under(k, row, SEAT))
                    for k in range(run.steps) for row, seats in enumerate(run.seats)
                    if seats[k] == IDLE))
