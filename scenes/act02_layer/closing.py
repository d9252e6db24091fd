"""The whole road in one view, and the small replays beside the closing lines."""

from collections.abc import Iterator
from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, ReplacementTransform
from manim import RoundedRectangle, VGroup

from scenes.act02_layer.thread import layer_row, row_of
from scenes.geometry import Region
from scenes.kit import STAGE, Detour, Grid, KvWall, Road, RotaryPairs, mix, number, paint
from scenes.kit import px, replace
from scenes.stage import BRISK, EASY, QUICK, Act, beat

__all__ = ["kept", "the_road", "turned", "two_corrections"]

SUMS = 830, 1480  # px from the road's left end


@beat(anchors="models/qwen3.py:157", carries="scene map road", least={1: 50, 2: 60})
def the_road(act: Act) -> None:
    # The camera steps back: the small map grows to the whole road of one layer.
    road = Road([Detour(380, SUMS[0], [(act.label("attention"), 605, 420)]),
                 Detour(SUMS[0] + 160, SUMS[1], [(act.label("mlp"), 1235, 340)])],
                STAGE, 200, 350)
    small = act.kept.map
    row = row_of(act.story.growth[0]).move_to(road.at(10), LEFT).set_z_index(5)
    act.cue("back")
    act.move(FadeOut(act.kept.scene, scale=0.4), FadeOut(small.dot), FadeOut(small.tag),
             FadeOut(small.road.line), ReplacementTransform(act.kept.road, road.line),
             (ReplacementTransform(old, new) for old, new in zip(
                 (*small.road.ways, *small.road.sums), (*road.ways, *road.sums))), pace=30)
    act.move(road.stops, row, pace=BRISK)
    for k, (cue, role) in enumerate((("a", "e"), ("m", "d"))):
        act.cue(cue)
        row = _correct(act, road, k, row, role)
    _all_layers(act, road, row)


def _all_layers(act: Act, road: Road, row: Grid) -> None:
    # One of all layers: the road closes to a slab among others, and the row goes on.
    act.cue("one")
    layers, door = layer_row(act)
    layers[0].set_stroke(paint("focus"))
    place = layers.get_left() + RIGHT * px(275)
    seen = [part for part in road.family_members_with_points() if part is not road.sums[1][1]]
    act.move(ReplacementTransform(door, layers[0]), FadeOut(
        VGroup(*seen), target_position=layers[0], scale=0.1),
        row.boxes.animate.move_to(place), (FadeOut(label, shift=place - row.get_center())
                                           for label in row.labels), pace=20)
    act.cue("all")
    act.move(LaggedStart(*map(FadeIn, layers[1:]), lag_ratio=0.06),
             row.boxes.animate.move_to((STAGE.right - px(275), layers.get_y(), 0)), pace=30)
    # As many scores as the vocabulary has words: act 03 goes on from there.
    bar = RoundedRectangle(corner_radius=px(10), width=STAGE.width, height=px(110),
                           stroke_width=3, stroke_color=paint("ra"), fill_color=mix("ra", 0.2),
                           fill_opacity=1).move_to(layers).set_z_index(2)
    count = number(f"{act.story.widths.vocabulary:,}", 76, weight="bold").move_to(bar)
    act.cue("scores")
    act.move(layers.animate.set_opacity(0.2), ReplacementTransform(VGroup(*row.boxes), bar),
             pace=EASY)
    act.move(count.set_z_index(3), pace=QUICK)


def _correct(act: Act, road: Road, k: int, row: Grid, role: str) -> Grid:
    """The row reaches sum k while its correction rises there; the sum."""
    work = road.stops[k][0]
    result = row_of(act.story.added[k], role).scale(0.5).move_to(work).set_z_index(2)
    place = road.at(SUMS[k])
    act.move(row.animate.move_to(place), work[0].animate.set_stroke(paint("focus"), 6),
             result.animate.scale(2).move_to(place + DOWN * px(104)), FadeOut(road.sums[k][1]),
             FadeIn(road.sums[0][1]) if k else None, pace=24)
    whole = row_of(act.story.growth[k + 1]).move_to(place).set_z_index(5)
    act.move(FadeOut(result, target_position=row), map(replace, row.labels, whole.labels),
             (old.animate.become(new) for old, new in zip(row.boxes, whole.boxes)),
             work[0].animate.set_stroke(paint("muted"), 3), pace=12)
    act.remove(*row.get_family())
    act.add(whole)
    return whole


def two_corrections(act: Act, room: Region) -> Iterator[Any]:
    """A row on its road; two results rise and are added."""
    road = Road([Detour(262, 350), Detour(420, 545)], room, 40, 90)
    growth, added = act.story.growth, act.story.added
    row = row_of(growth[0], "ra", 0.66).move_to(road.at(6), LEFT).set_z_index(5)
    yield VGroup(road, row)
    for k, (role, x) in enumerate((("e", 350), ("d", 545))):
        result = row_of(added[k], role, 0.66).move_to(road.at(x, True)).set_z_index(5)
        whole = row_of(growth[k + 1], "ra", 0.66).move_to(road.at(x)).set_z_index(5)
        yield [FadeIn(result), row.animate.move_to(whole), FadeOut(road.sums[k][1]),
               FadeIn(road.sums[0][1]) if k else None]
        yield [FadeOut(result, target_position=row), *(
            old.animate.become(new) for old, new in zip(row.boxes, whole.boxes)), *(
            part for pair in zip(row.labels, whole.labels) for part in replace(*pair))]
        act.remove(*row.get_family())
        act.add(whole)
        row = whole


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
    """The wall of one token's K and V narrows with the K/V heads."""
    story = act.story
    top, layers = room.at(-95, -6, UP), story.widths.layers
    cell = (18, room.height / px(1) / layers - 0.8)
    shown = [(size.groups.kv_heads, story.facts[f"size_{k}"]) for k, size in enumerate(story.sizes)]
    shown = [shown[0], shown[-1], (story.widths.kv_heads, story.facts["kib"])]
    walls = [KvWall(heads, layers, cell, top) for heads, _ in shown]
    names = [number(f"{kib} KiB", 40, weight="semibold").move_to(
        room.at(-20, 0, RIGHT), RIGHT) for _, kib in shown]
    yield VGroup(walls[0], names[0])
    for k in (1, 2):
        yield [ReplacementTransform(walls[k - 1].columns, walls[k].columns),
               ReplacementTransform(walls[k - 1].rows, walls[k].rows),
               *replace(names[k - 1], names[k])]
