"""Why K and V are kept, what they cost, and how fewer K/V heads make them cheaper."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, VGroup, VMobject

from scenes.act02_layer.story import KIB
from scenes.act02_layer.thread import look
from scenes.kit import BODY, LEAD, CacheRow, FactorChain, Grid, Label, TokenStrip, arrow, gather
from scenes.kit import in_turn, number, paint, px, ring
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["cache_sizes", "why_kept"]

KNOWN = 7  # tokens whose K and V exist, when the first new one comes
FACTOR_CUES = ("two", "layers", "heads", "dim", "bytes")


@beat(anchors=("layers/attention.py:63", "engine/model_runner.py:112"), carries="stream")
def why_kept(act: Act) -> None:
    # Tokens, and under each its K and V.
    room = look(act, "attend").room
    tokens = TokenStrip(KNOWN, "c" * KNOWN + "dd", "ra", 120, 80)
    tokens.move_to(room.at(0, -20, UP), UP)
    stores = [Grid([["K"], ["V"]], [["k"], ["v"]], (130, 88), 40).next_to(cell, DOWN, buff=px(30))
              for cell in tokens]
    act.move(tokens[:KNOWN], stores[:KNOWN], pace=EASY)
    # A new token's query reads all of them; so does the next one's.
    read: list[VGroup] = []
    for k, cues in ((KNOWN, ("query", "reads")), (KNOWN + 1, ("next", "again"))):
        query = Grid([["Q"]], "q", (130, 80), 40).next_to(stores[k], DOWN, buff=px(116))
        act.cue(cues[0])
        act.move(map(FadeOut, read), tokens[k], stores[k], query, pace=BRISK)
        if k == KNOWN:
            act.cue("reads")
        ways = VGroup(*(_way(query, store) for store in stores[:k + 1]))
        act.move(in_turn(map(FadeIn, ways[::-1]), 0.25), pace=SLOW)
        read = [query, ways]
    # Without a memory they would be computed each time.
    act.cue("again")
    lost = VGroup(*(ring(store, "stop", 5, 6) for store in stores[:KNOWN + 1]))
    wasted = Label(act.label("again"), LEAD, "stop").next_to(lost[:KNOWN], DOWN, buff=px(80))
    act.move(FadeOut(ways), Create(lost), wasted, pace=EASY)
    act.cue("keep")
    cache = ring(VGroup(*stores), "focus", 5, 14)
    name = Label(act.label("cache"), LEAD, "focus").next_to(cache, DOWN, buff=px(40))
    act.move(FadeOut(lost), FadeOut(wasted), pace=QUICK)
    act.move(Create(cache), name, pace=EASY)
    act.cue("gone")
    act.move(FadeOut(query, shift=DOWN * px(30)), pace=EASY)
    _bytes(act, stores[0])


def _way(query: Grid, store: Grid) -> VGroup:
    """From a query, through the gutter below the cache, up to one token's K and V."""
    start, end = query.get_top(), store.get_bottom()
    turn = (start[1] + end[1]) / 2
    bend = VMobject(stroke_width=4, stroke_color=paint("q")).set_points_as_corners(
        [start, [start[0], turn, 0], [end[0], turn, 0]])
    # The frame says that both are read, K as well as V.
    return VGroup(bend, arrow([end[0], turn, 0], end, "q", 4, 4), ring(store, "q", 4, 2))


def _bytes(act: Act, store: Grid) -> None:
    # Factor by factor to the bytes of one token.
    kv, stream = act.story.kv, act.kept.stream
    names, factors = zip(*kv.factors)
    chain = FactorChain([act.label("kv_" + name.replace(" ", "_")) for name in names], factors,
                        ["ink", "d", "k", "e", "ink"], "B", gap=150)
    chain.shift(stream.room.at(0, -345, UP) - chain.cells.get_center())
    act.cue("one")
    gone = all_but(act, stream, store)
    corner = stream.room.at(80, -90, UP + LEFT)
    name = Label(act.label("per_token"), 46).move_to(corner, LEFT).shift(RIGHT * px(90))
    act.move(map(FadeOut, gone), store.animate.scale(0.7).move_to(corner), name, pace=EASY)
    for k, cue in enumerate(FACTOR_CUES):
        act.cue(cue)
        act.move(chain.factor(k), pace=QUICK)
        if k:
            act.move(FadeIn(chain.totals[k], shift=RIGHT * px(60)), pace=EASY)
    act.cue("kib")
    whole = number(f"= {kv.per_token / KIB:g} KiB", 64, "focus", "bold")
    act.move(gather([chain.totals[-1]], whole.next_to(name, RIGHT, buff=px(40))), pace=EASY)


@beat(anchors="engine/model_runner.py:110", variant="comparison", carries="stream")
def cache_sizes(act: Act) -> None:
    # Three ways to group the same query heads.
    sizes, room = act.story.sizes, look(act, "attend").room
    rows = [CacheRow(size.groups.kind, [act.label(size.groups.kind),
                                        act.label("kv_count", n=size.groups.kv_heads)],
                     size.groups.kv_of, size.bytes_per_token, 690 / sizes[0].bytes_per_token,
                     f"{size.bytes_per_token / KIB:g} KiB", act.label("fit", n=size.tokens))
            .shift(room.at(0, -95 - 190 * k, UP + LEFT)) for k, size in enumerate(sizes)]
    act.move((row.tag for row in rows), pace=QUICK)
    for row, cue in zip(rows, ("first", "second", "third")):
        act.cue(cue)
        act.move(FadeIn(row.tree, shift=RIGHT * px(16)), pace=EASY)
    # Every K/V head becomes its share of a token's bytes.
    act.cue("weigh")
    for row in rows:
        act.move(row.weigh(), pace=15)
        act.move(row.bar.labels, row.amount, pace=BLINK)
    # The smaller a token's bytes, the more tokens fit.
    act.cue("fit")
    act.move(in_turn([FadeIn(row.fits, shift=UP * px(10)) for row in rows], 0.5), pace=30)
    # The price of sharing, and what the model chose.
    act.cue("price")
    act.move((way.animate.set_color(paint("focus")) for way in rows[-1].tree.ways),
             ring(rows[-1].tree.stores, "focus", 4, 5), pace=SLOW)
    act.cue("worse")
    less = Label(act.label("sees_less"), BODY, "focus")
    act.move(less.next_to(rows[-1].amount, RIGHT, buff=px(60)), pace=EASY)
    act.cue("choice")
    w = act.story.widths
    mine = [row for row, size in zip(rows, sizes)
            if (size.groups.query_heads, size.groups.kv_heads) == (w.query_heads, w.kv_heads)]
    target = mine[0].tree if mine else rows[0].tag
    name = Label(act.label("choice"), BODY, "focus", "semibold")
    name.next_to(mine[0].fits if mine else rows[-1].fits, RIGHT, buff=px(40))
    act.move(ring(target, "focus", 5, 8) if mine else None, name, pace=EASY)
