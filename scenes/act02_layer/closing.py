"""The small replays beside the closing lines."""

from collections.abc import Iterator
from typing import Any

from manim import LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act02_layer.thread import chip
from scenes.geometry import Region
from scenes.kit import Part, RotaryPairs, ScaleBar, arrow, number, px
from scenes.stage import Act

__all__ = ["kept", "turned", "two_corrections"]


def two_corrections(act: Act, room: Region) -> Iterator[Any]:
    """A row on its stream; two results rise and are added."""
    y = room.at(0, -54, UP)[1]
    line = arrow([room.left, y, 0], [room.right, y, 0], "ink", 0, 6)
    x = chip("x").move_to([room.left + px(80), y, 0])
    places = [room.left + share * room.width for share in (0.42, 0.78)]
    results = [chip(name).scale(0.8).move_to([place, y - px(88), 0])
               for name, place in zip("am", places)]
    yield VGroup(line, x, *results)
    for result, name, place in zip(results, ("x+a", "x+a+m"), places):
        total = chip(name).move_to([place, y, 0])
        yield x.animate.next_to(total, LEFT, buff=px(10))
        yield [FadeOut(x), FadeOut(result, shift=UP * px(30)), FadeIn(total)]
        x = total


def turned(act: Act, room: Region) -> Iterator[Any]:
    """The rigid wedge: q and k turn on alike."""
    one, two = act.story.rope.products
    planes = RotaryPairs(one.query.frequencies[:1], room.height / px(2) - 4, 2.45)
    planes.move_to(room.center)
    spokes = planes.point(one.query.turned, one.key.turned)
    angles = planes.angles()
    yield VGroup(planes, *spokes, *angles)
    shift = two.query.position - one.query.position
    yield planes.turn(shift, shift, angles)


def kept(act: Act, room: Region) -> Iterator[Any]:
    """The bytes of one token for each number of K/V heads."""
    sizes = act.story.sizes
    unit = (room.width / px(1) - 190) / sizes[0].bytes_per_token
    places = room.inset(left=16, top=8, bottom=8).rows(1, 1, 1, gap=12)
    bars = [ScaleBar([Part(size.bytes_per_token / 2, role) for role in "kv"], unit, 36)
            .move_to(place.at(0, 0, LEFT), LEFT)
            for size, place in zip(sizes, places)]
    names = [number(f"{act.story.facts[f'size_{k}']} KiB", 32).next_to(bar, RIGHT, buff=px(20))
             for k, bar in enumerate(bars)]
    yield VGroup(bars[0], names[0])
    for bar, name in zip(bars[1:], names[1:]):
        yield VGroup(bar, name)
