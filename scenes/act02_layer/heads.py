"""Why K and V are kept, what they cost, and how fewer K/V heads make them cheaper."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, FadeOut, Line, Transform, VGroup

from scenes.act02_layer.story import KIB, MIB
from scenes.act02_layer.thread import look
from scenes.kit import BODY, LEAD, CacheRow, FactorChain, Grid, Label, Lattice, TokenStrip, in_turn
from scenes.kit import number, paint, px, ring
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["cache_sizes", "kv_bytes", "why_kept"]

KNOWN = 7  # tokens whose K and V exist, when the first new one comes
FACTOR_CUES = ("layers", "heads", "dim", "bytes")


@beat(anchors="layers/attention.py:63", carries="stream")
def why_kept(act: Act) -> None:
    # Tokens, and under each its K and V.
    room = look(act, "attend").room
    tokens = TokenStrip(KNOWN, "c" * KNOWN + "dd", "ra", 110, 90)
    tokens.move_to(room.at(0, -230, UP))
    stores = [Grid([["K"], ["V"]], [["k"], ["v"]], (120, 84), 38).next_to(cell, DOWN, buff=px(36))
              for cell in tokens]
    act.move(tokens[:KNOWN], stores[:KNOWN], pace=EASY)
    # A new token's query reads all of them; so does the next one's.
    queries, ways = [], []
    for k, cues in ((KNOWN, ("query", "reads")), (KNOWN + 1, ("next", "again"))):
        query = Grid([["Q"]], "q", (120, 84), 38).next_to(tokens[k], UP, buff=px(30))
        act.cue(cues[0])
        act.move(tokens[k], stores[k], query, pace=BRISK)
        if k == KNOWN:
            act.cue("reads")
        lines = VGroup(*(Line(query.get_left() if store is not stores[k] else query.get_bottom(),
                              cell.get_top(), stroke_width=4, color=paint("q"))
                         for cell, store in zip(tokens[:k], stores)))
        act.move(in_turn(map(Create, lines), 0.25), pace=SLOW if k > KNOWN else 45)
        queries.append(query)
        ways.append(lines)
    # Without a memory they would be computed each time.
    act.cue("again")
    lost = VGroup(*(ring(store, "stop", 5, 6) for store in stores[:KNOWN + 1]))
    wasted = Label(act.label("again"), LEAD, "stop").next_to(lost, DOWN, buff=px(24))
    act.move(FadeOut(VGroup(*ways)), Create(lost), wasted, pace=EASY)
    act.cue("keep")
    cache = ring(VGroup(*stores), "focus", 5, 14)
    name = Label(act.label("cache"), LEAD, "focus").next_to(cache, DOWN, buff=px(24))
    act.move(FadeOut(lost), FadeOut(wasted), pace=QUICK)
    act.move(Create(cache), name, pace=EASY)
    act.cue("gone")
    act.move((FadeOut(query, shift=UP * px(30)) for query in queries), pace=EASY)
    act.keep(store=stores[0])


@beat(anchors=("engine/model_runner.py:112", "config.py:22"), carries="stream store")
def kv_bytes(act: Act) -> None:
    # Factor by factor to the bytes of one token.
    kv, room = act.story.kv, look(act, "attend").room
    names, factors = zip(*kv.factors)
    chain = FactorChain([act.label("kv_" + name.replace(" ", "_")) for name in names], factors,
                        ["ink", "d", "k", "e", "ink"], "B", gap=150)
    chain.shift(room.at(0, -140, UP) - chain.cells.get_center())
    act.cue("two")
    act.move(FadeOut(act.kept.store, target_position=chain.cells[0]), chain.factor(0), pace=BRISK)
    for k, cue in enumerate(FACTOR_CUES, 1):
        act.cue(cue)
        act.move(chain.factor(k), pace=QUICK)
        act.move(chain.multiply(k), pace=EASY)
    act.cue("kib")
    token = number(f"= {kv.per_token / KIB:g} KiB", 46, "focus", "bold")
    token.next_to(chain.totals[-1], DOWN, buff=px(36))
    act.move(FadeIn(token, shift=DOWN * px(12)), pace=BRISK)
    # One cell is a token's K and V over all layers; a block has 256 of them.
    block = Lattice(kv.block_size, 64, 1650 / 64)
    block.move_to([chain.cells.get_left()[0], room.at(0, 60, DOWN)[1], 0], LEFT)
    name = Label(act.label("block"), 32).next_to(block, UP, buff=px(30)).align_to(block, LEFT)
    act.cue("block")
    act.move(block, name)
    filled = block.fill(1, "k")
    act.move(FadeIn(filled, target_position=token), pace=BRISK)
    act.move(Transform(filled, block.fill(kv.block_size, "k")), pace=39)
    act.cue("mib")
    whole = number(f"{kv.per_block / MIB:g} MiB", 60, "focus", "bold")
    whole.next_to(block, UP, buff=px(28)).align_to(block, RIGHT)
    act.move(whole, pace=BRISK)


@beat(anchors="engine/model_runner.py:110", variant="comparison", carries="stream")
def cache_sizes(act: Act) -> None:
    # Three ways to group the same query heads.
    sizes, room = act.story.sizes, look(act, "attend").room
    rows = [CacheRow(size.groups.kind, [act.label(size.groups.kind),
                                        act.label("kv_count", n=size.groups.kv_heads)],
                     size.groups.kv_of, size.bytes_per_token, 690 / sizes[0].bytes_per_token,
                     f"{size.bytes_per_token / KIB:g} KiB", act.label("fit", n=size.tokens))
            .shift(room.at(0, -95 - 190 * k, UP + LEFT)) for k, size in enumerate(sizes)]
    for row, cue in zip(rows, ("first", "second", "third")):
        act.cue(cue)
        act.move(row.tag, FadeIn(row.tree, shift=RIGHT * px(16)), pace=EASY)
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
