"""The whole road in one view, and the small replays beside the closing lines."""

from collections.abc import Iterator
from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart
from manim import ReplacementTransform, RoundedRectangle, VGroup, VMobject

from scenes.act02_layer.thread import layer_row, row_of
from scenes.geometry import Region
from scenes.kit import STAGE, Detour, Grid, KvWall, Label, Road, RotaryPairs, arrow, cross, mix
from scenes.kit import number, paint, px, replace, ring
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["REPLAYS", "the_road"]

SUMS = 960, 1570  # px from the road's left end
NORM = 1245  # px: the second street's norm
SMALL = 0.72  # of its size is a row, so that the whole road has room
CANDIDATES = 7  # anonymous cells for the next token


@beat(anchors=("models/qwen3.py:157", "layers/layernorm.py:28"), carries="scene map road",
      least={1: 46, 2: 64, 3: 38, 4: 32})
def the_road(act: Act) -> None:
    # The camera steps back: the small map grows to the whole road of one layer.
    norm = act.label("stop_norm")
    road = Road([Detour(355, SUMS[0], [(norm, 450, 145), (act.label("attention"), 648, 205)]),
                 Detour(1155, SUMS[1], [(norm, NORM, 145), (act.label("mlp"), 1452, 190)])],
                STAGE, 240, 300, size=40)
    small = act.kept.map
    row = row_of(act.story.growth[0], size=SMALL).move_to(road.at(6), LEFT).set_z_index(5)
    act.cue("back")
    act.move(FadeOut(act.kept.scene, scale=0.4), FadeOut(small.dot), FadeOut(small.tag),
             FadeOut(small.road.line), ReplacementTransform(act.kept.road, road.line),
             (ReplacementTransform(old, new) for old, new in zip(
                 (*small.road.ways, *small.road.sums), (*road.ways, *road.sums))), pace=27)
    act.move(road.stops, row, pace=BRISK)
    act.cue("a")
    row = _correct(act, road, 0, row, "e")
    kernel = _one_kernel(act, road, row)
    act.cue("m")
    row = _correct(act, road, 1, row, "d", kernel)
    _all_layers(act, road, row)


def _one_kernel(act: Act, road: Road, row: Grid) -> list:
    """The sum and the norm behind it are one kernel: a way to memory and back falls away."""
    norm = road.stops[1][0]
    x, y = road.at(SUMS[0])[0], road.at(NORM)[0]
    high = road.level + px(180)
    memory = Label(act.label("memory"), 52, weight="semibold").move_to(((x + y) / 2, high, 0))
    up = VMobject(stroke_width=6, stroke_color=paint("muted")).set_points_as_corners(
        [(x, row.get_top()[1] + px(14), 0), (x, high, 0), memory.get_left() + LEFT * px(24)])
    over = VMobject(stroke_width=6, stroke_color=paint("muted")).set_points_as_corners(
        [memory.get_right() + RIGHT * px(24), (y, high, 0), (y, road.level + px(60), 0)])
    down = arrow((y, road.level + px(60), 0), norm.get_top() + UP * px(10), "muted", 0, 6)
    area = VGroup(row.copy(), norm.copy())
    frame = ring(area, "focus", 6, 24, 18)
    act.cue("fuse")
    act.move(Create(frame), pace=SLOW)
    act.cue("kernel")
    name = Label(act.label("kernel"), 52, "focus", "semibold").next_to(frame, DOWN, buff=px(28))
    act.move(name, pace=BRISK)
    act.cue("memory")
    act.move(memory, LaggedStart(*map(Create, (up, over, down)), lag_ratio=0.6), pace=EASY)
    struck = cross(memory, width=10).set_z_index(6)
    act.cue("saves")
    act.move(Create(struck), pace=BRISK)
    return [frame, name, memory, up, over, down, struck]


def _correct(act: Act, road: Road, k: int, row: Grid, role: str, stale: list = ()) -> Grid:
    """The row reaches sum k while its correction rises there; the sum."""
    size, work, place = SMALL + 0.06 * k, road.stops[k][-1], road.at(SUMS[k])
    growth = act.story.growth[k:k + 2]
    result = row_of(act.story.added[k], role, size, beside=growth).set_z_index(5)
    result.move_to(place + DOWN * px(30 + 76 * size))
    same = row_of(growth[0], size=size, beside=(growth[1], act.story.added[k]))
    same.move_to(place).set_z_index(5)
    act.move(map(FadeOut, stale), (old.animate.become(new) for old, new in zip(row, same)),
             work[0].animate.set_stroke(paint("focus"), 6), FadeIn(
                 result, target_position=work, scale=0.4), FadeOut(road.sums[k][1]),
             FadeIn(road.sums[0][1]) if k else None, pace=24)
    whole = row_of(growth[1], size=size, beside=(growth[0], act.story.added[k]))
    whole.move_to(place).set_z_index(5)
    act.move(FadeOut(result, target_position=row), map(replace, row.labels, whole.labels),
             (old.animate.become(new) for old, new in zip(row.boxes, whole.boxes)),
             work[0].animate.set_stroke(paint("muted"), 3), pace=15)
    act.remove(*row.get_family())
    act.add(whole)
    return whole


def _all_layers(act: Act, road: Road, row: Grid) -> None:
    # One of all layers: the road closes to a slab among others, and the row goes on.
    act.cue("one")
    layers, door = layer_row(act)
    layers[0].set_stroke(paint("focus"))
    place = layers.get_left() + RIGHT * px(275)
    gone = road.sums[1][1].get_family()
    seen = [part for part in road.family_members_with_points() if part not in gone]
    act.move(ReplacementTransform(door, layers[0]), FadeOut(
        VGroup(*seen), target_position=layers[0], scale=0.1),
        row.boxes.animate.move_to(place), (FadeOut(label, shift=place - row.get_center())
                                           for label in row.labels), pace=EASY)
    act.cue("all")
    act.move(LaggedStart(*map(FadeIn, layers[1:]), lag_ratio=0.06),
             row.boxes.animate.move_to((STAGE.right - px(275), layers.get_y(), 0)), pace=36)


def two_corrections(act: Act, room: Region) -> Iterator[Any]:
    """A row on its road; two results rise from their streets and are added."""
    streets = (290, 690), (970, 1440)
    road = Road([Detour(*street) for street in streets], room, 240, 250)
    growth, added, above = act.story.growth, act.story.added, UP * px(100)
    row = row_of(growth[0]).move_to(road.at(6) + above, LEFT).set_z_index(5)
    yield VGroup(road, row)
    for k, (role, (start, end)) in enumerate(zip("ed", streets)):
        result = row_of(added[k], role).move_to(road.at((start + end) / 2, True)).set_z_index(5)
        whole = row_of(growth[k + 1]).move_to(road.at(end) + above).set_z_index(5)
        yield [FadeIn(result), row.animate.move_to(whole)]
        yield [FadeOut(result, target_position=road.sums[k]), *(
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
    top, layers = room.at(-230, -6, UP), story.widths.layers
    cell = (38, room.height / px(1) / layers - 0.8)
    shown = [(size.groups.kv_heads, story.facts[f"size_{k}"]) for k, size in enumerate(story.sizes)]
    shown = [shown[0], shown[-1], (story.widths.kv_heads, story.facts["kib"])]
    walls = [KvWall(heads, layers, cell, top) for heads, _ in shown]
    names = [number(f"{kib} KiB", 90, weight="semibold").move_to(
        room.at(-20, 0, RIGHT), RIGHT) for _, kib in shown]
    yield VGroup(walls[0], names[0])
    for k in (1, 2):
        yield [ReplacementTransform(walls[k - 1].columns, walls[k].columns),
               ReplacementTransform(walls[k - 1].rows, walls[k].rows),
               *replace(names[k - 1], names[k])]


def which(act: Act, room: Region) -> Iterator[Any]:
    """As many scores as the vocabulary has tokens; which comes next is not told here."""
    bar = RoundedRectangle(corner_radius=px(10), width=room.width, height=px(150),
                           stroke_width=3, stroke_color=paint("ra"), fill_color=mix("ra", 0.2),
                           fill_opacity=1).move_to(room.at(0, 130))
    count = number(f"{act.story.widths.vocabulary:,}", 96, weight="bold").move_to(bar)
    yield VGroup(bar, count)
    cells = VGroup(*(RoundedRectangle(
        corner_radius=px(14), width=px(180), height=px(180), stroke_width=3,
        stroke_color=paint("ra"), fill_color=mix("ra", 0.3), fill_opacity=1)
        for _ in range(CANDIDATES))).arrange(RIGHT, buff=px(80)).move_to(room.at(0, -140))
    yield LaggedStart(*(FadeIn(VGroup(cell, number("?", 96, weight="bold").move_to(cell)),
                               shift=DOWN * px(120)) for cell in cells), lag_ratio=0.2)


REPLAYS = two_corrections, turned, kept, which
