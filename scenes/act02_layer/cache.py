"""Why K and V are kept, what one token's cost, and how fewer K/V heads make them cheaper."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, LaggedStart, Line
from manim import ReplacementTransform, RoundedRectangle, VGroup, VMobject
from manim.constants import LineJointType

from scenes.act02_layer.story import KIB
from scenes.act02_layer.thread import ROOM, closing_scene, travel
from scenes.kit import Grid, KvWall, Label, Readout, mix, paint, px, replace, ring
from scenes.lessons.kv_cache import head_groups
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["why_kept"]

KNOWN = 7  # tokens whose K and V exist, when the first new one comes
PITCH = 198  # px from token to token
CELL = (34, 14)  # px of the K or V of one head in one layer; NEAR, before the camera steps back
NEAR = (104, 14)
WALL, QUERIES = 190, 50  # px below the room's top: the wall's edge, the query heads


@beat(anchors=("layers/attention.py:63", "engine/model_runner.py:112"), variant="comparison",
      carries="scene map road", least={2: 44, 3: 32, 6: 48, 8: 55})
def why_kept(act: Act) -> None:
    # Tokens stand on the road, and over each its K and V.
    y = ROOM.at(0, 270, DOWN)[1]
    stores = [Grid([["K"], ["V"]], [["k"], ["v"]], (168, 126), 72, 0.4).move_to(
        (ROOM.left + px(100 + PITCH * k), y + px(10), 0), DOWN) for k in range(KNOWN + 2)]
    travel(act, "attention", y, 1, *stores[:KNOWN])
    query = _read(act, stores, KNOWN, ("query", "reads"))
    again = _read(act, stores, KNOWN + 1, ("next", ""), query)
    _wasted(act, stores, again)
    act.cue("keep")
    cache = ring(VGroup(*stores), "focus", 6, 16, 14)
    name = Label(act.label("cache"), 60, "focus", "semibold").next_to(cache, UP, buff=px(26))
    act.move(Create(cache), name, FadeOut(again[0], shift=DOWN * px(80)), pace=EASY)
    wall, total = _stack(act, stores[0])
    _shared(act, wall, total)
    closing_scene(act)


def _read(act: Act, stores: list[Grid], k: int, cues: tuple[str, str],
          before: tuple | None = None) -> tuple[Grid, VGroup]:
    """Token k's query reaches to the K and V of all tokens so far."""
    query = Grid([["Q"]], "q", (168, 110), 72, 0.45)
    query.move_to((stores[k].get_x(), ROOM.at(0, 62, DOWN)[1], 0))
    ways = VGroup(*(_way(query, store) for store in stores[:k + 1]))
    act.cue(cues[0])
    act.move(map(FadeOut, before or ()), FadeIn(stores[k], shift=LEFT * px(60)),
             FadeIn(query, shift=UP * px(40)), pace=BRISK)
    if cues[1]:
        act.cue(cues[1])
    rings = [ring(store, "q", 6) for store in stores[:k + 1]]
    act.move(LaggedStart(*map(Create, ways[::-1]), lag_ratio=0.12),
             LaggedStart(*map(Create, rings[::-1]), lag_ratio=0.12), pace=30)
    ways.add(*rings)
    return query, ways


def _way(query: Grid, store: Grid) -> VMobject:
    """From a query along a level below the road to the middle of a token's K and V."""
    start, end = query.get_top(), store.get_bottom()
    level = (start[1] + end[1]) / 2
    way = VMobject(stroke_width=6, stroke_color=paint("q"), joint_type=LineJointType.ROUND)
    return way.set_points_as_corners([start, (start[0], level, 0), (end[0], level, 0), end])


def _wasted(act: Act, stores: list[Grid], read: tuple[Grid, VGroup]) -> None:
    """Without a cache, all of them would be made again, one after another."""
    lost = [ring(store, "stop", 8) for store in stores]
    word = Label(act.label("again"), 60, "stop", "semibold").next_to(
        VGroup(*stores), UP, buff=px(46))
    act.cue("again")
    act.move(FadeOut(read[1]), (store.animate.set_opacity(0.15) for store in stores), pace=QUICK)
    act.move(word, LaggedStart(*(store.animate.set_opacity(1) for store in stores),
                               lag_ratio=0.2), LaggedStart(*map(Create, lost), lag_ratio=0.2),
             pace=36)
    act.move(map(FadeOut, lost), FadeOut(word), pace=QUICK)


def _wall(heads: int, layers: int, cell: tuple[float, float] = CELL) -> KvWall:
    return KvWall(heads, layers, cell, ROOM.at(0, -WALL, UP))


def _stack(act: Act, store: Grid) -> tuple[KvWall, VGroup]:
    # One token's K and V in one head; then in all heads, in all layers: the bytes grow along.
    w, top = act.story.widths, ROOM.at(0, -WALL, UP)
    one = VGroup(*(Grid([[f"{role.upper()} {w.head_dim}"]], role, (700, 392), 140, 0.35)
                   for role in "kv"))
    one.arrange(RIGHT, buff=0).move_to(top, UP)
    bytes_ = w.head_dim * w.itemsize
    work = Readout(f"{w.head_dim} × {w.itemsize} B = {bytes_} B", 60, anchor=(0, 0, 0))
    work.move_to(ROOM.at(0, -95, UP))
    gone = all_but(act, act.kept.map, store)
    act.cue("one")
    act.move(FadeOut(gone), FadeOut(store[1]), pace=QUICK)
    act.move(ReplacementTransform(store[0], one[0]), pace=EASY)
    act.cue("dim")
    act.move(work, pace=BRISK)
    act.cue("two")
    bytes_ *= 2
    act.move(FadeIn(one[1], shift=RIGHT * px(60)), work.to(f"{bytes_ // 2} B × 2 = {bytes_} B"),
             pace=BRISK)
    row, wall = (_wall(w.kv_heads, 1, (NEAR[0], 392)),
                 _wall(w.kv_heads, w.layers, NEAR))
    bytes_ *= w.kv_heads
    act.cue("heads")
    act.move(ReplacementTransform(one, row),
             work.to(f"{bytes_ // w.kv_heads} B × {w.kv_heads} = {bytes_ // KIB} KiB"),
             pace=SLOW)
    act.cue("layers")
    act.move(ReplacementTransform(row.columns, wall.columns), FadeIn(wall.rows),
             work.to(f"{bytes_ // KIB} KiB × {w.layers} = {act.story.facts['kib']} KiB"), pace=SLOW)
    act.cue("kib")
    total = Readout(f"{act.story.facts['kib']} KiB", 72, "focus", "bold", anchor=(0, 0, 0))
    total.move_to(work)
    act.move(replace(work, total), pace=BRISK)
    act.move(total.animate.scale(1.5), pace=EASY)
    return wall, total


class _Sharing(VGroup):
    """Query heads above a wall, each with a thread to the K/V head that it reads."""

    def __init__(self, act: Act, queries: int, heads: int) -> None:
        groups = head_groups(queries, heads)
        width = min(100.0, ROOM.width / px(1) / queries)
        self.queries = VGroup(*(RoundedRectangle(
            corner_radius=px(10), width=px(width - 14), height=px(70), stroke_width=3,
            stroke_color=paint("q"), fill_color=mix("q", 0.4), fill_opacity=1)
            for _ in range(queries))).arrange(RIGHT, buff=px(14))
        self.queries.move_to(ROOM.at(0, -QUERIES, UP))
        self.wall = _wall(heads, act.story.widths.layers)
        self.threads = VGroup(*(Line(query.get_bottom(), self.wall.door(kv), stroke_width=4,
                                     color=paint("q")) for query, kv in zip(
                                         self.queries, groups.kv_of)))
        note = act.label("kv_count_one") if heads == 1 else act.label("kv_count", n=heads)
        self.tag = VGroup(Label(act.label(groups.kind), 44, weight="semibold"),
                           Label(note, 44, "muted")).arrange(DOWN, buff=px(36))
        self.tag.move_to(ROOM.at(170, 260, DOWN + LEFT))
        super().__init__(self.queries, self.threads, self.wall, self.tag)


def _shared(act: Act, wall: KvWall, total: Readout) -> None:
    """The wall widens and narrows with the number of K/V heads."""
    w, sizes = act.story.widths, act.story.sizes
    steps = [_Sharing(act, size.groups.query_heads, size.groups.kv_heads) for size in sizes]
    side = ROOM.at(-170, 260, DOWN + RIGHT)
    act.cue("first")
    act.move(ReplacementTransform(wall, steps[0].wall), total.animate.scale(2 / 3).move_to(side),
             steps[0].queries, pace=EASY)
    act.move(total.to(f"{act.story.facts['size_0']} KiB"), pace=QUICK)
    act.cue("own")
    act.move(LaggedStart(*map(Create, steps[0].threads), lag_ratio=0.1), steps[0].tag,
             pace=42)
    for k, cue in ((1, "second"), (2, "third")):
        act.cue(cue)
        _regroup(act, steps[k - 1], steps[k], total, act.story.facts[f"size_{k}"])
    last = steps[-1]
    act.cue("price")
    act.move(last.threads.animate.set_color(paint("focus")), pace=EASY)
    act.cue("worse")
    act.move(Create(ring(last.wall, "focus", 6, 8)), pace=EASY)
    own = _Sharing(act, w.query_heads, w.kv_heads)
    stale = all_but(act, act.kept.map, last.queries, last.threads, last.wall, last.tag, total)
    act.cue("choice")
    act.move(FadeOut(stale), pace=QUICK)
    _regroup(act, last, own, total, act.story.facts["kib"])


def _regroup(act: Act, old: _Sharing, new: _Sharing, total: Readout, kib: object) -> None:
    """Other K/V heads for the query heads: columns merge or part, threads follow."""
    act.move(ReplacementTransform(old.queries, new.queries),
             ReplacementTransform(old.threads, new.threads),
             ReplacementTransform(old.wall.columns, new.wall.columns),
             ReplacementTransform(old.wall.rows, new.wall.rows),
             replace(old.tag, new.tag), total.to(f"{kib} KiB"), pace=26)
