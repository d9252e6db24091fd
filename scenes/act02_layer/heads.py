"""What a group of query heads shares, and what the cache costs."""

from manim import DOWN, LEFT, RIGHT, UP, Create, FadeIn, LaggedStart, Transform, VGroup

from scenes.act02_layer.story import KIB, MIB
from scenes.kit import LEAD, STAGE, CacheRow, FactorChain, HeadTree, Label, Lattice, number, px
from scenes.kit import ring
from scenes.stage import BLINK, BRISK, EASY, QUICK, Act, beat

__all__ = ["cache_sizes", "kv_bytes", "shared_heads"]


@beat(anchors="models/qwen3.py:80", variant="sharing")
def shared_heads(act: Act) -> None:
    # Query heads over the K/V heads that they read.
    groups = act.story.groups
    tree = HeadTree(groups.kv_of, (min(240, 1350 / groups.query_heads - 30), 104), 30, 140, 44)
    tree.move_to(STAGE.at(130, 90, DOWN), DOWN)
    act.move(_heading(act, "toy_heads"), tree.queries, _row_name(act, "queries", tree.queries),
             pace=BRISK)
    act.move(tree.stores, _row_name(act, "stores", tree.stores), pace=BRISK)
    for members in groups.members:
        act.move((Create(tree.ways[q]) for q in members),
                 pace=max(BLINK, 48 // len(groups.members)))
    act.next_line()
    # K and V are stored once a group.
    once = Label(act.label("once" if groups.group_size > 1 else "each"), 34, "focus")
    act.move(VGroup(*(ring(store, buff=8) for store in tree.stores)),
             once.next_to(tree.stores, DOWN, buff=px(44)))
    if groups.group_size == 1:
        return
    # What a head computes with them is its own: scores, weights, output.
    act.rest(27)
    rows = VGroup()
    for k, key in enumerate(("scores", "weights", "output")):
        rows.add(tree.results(key[0], k))
        act.move(_row_name(act, key, rows[k]), LaggedStart(
            *(FadeIn(cell, shift=UP * px(16)) for cell in rows[k]), lag_ratio=0.2))
    act.move(Label(act.label("own_results"), 34, "q").next_to(rows, UP, buff=px(28)),
             VGroup(*(ring(VGroup(*column), "q", 4, 6) for column in zip(*rows))))


def _heading(act: Act, key: str, x: float = 0) -> Label:
    """What a part of the stage shows, over it."""
    return Label(act.label(key), 32, weight="semibold").move_to(STAGE.at(x, -20, UP + LEFT), LEFT)


def _row_name(act: Act, key: str, row: VGroup) -> Label:
    return Label(act.label(key), LEAD, "muted").move_to([STAGE.left, row.get_y(), 0], LEFT)


@beat(anchors=("engine/model_runner.py:112", "config.py:22"), least={1: 54})
def kv_bytes(act: Act) -> None:
    # Factor by factor to the bytes of one token.
    kv = act.story.kv
    names, factors = zip(*kv.factors)
    chain = FactorChain([act.label("kv_" + name.replace(" ", "_")) for name in names], factors,
                        ["ink", "d", "k", "e", "ink"], "B")
    chain.shift(STAGE.at(0, -190, UP) - chain.cells.get_center())
    act.move(chain.factor(0), pace=BRISK)
    for k in range(1, len(factors)):
        act.move(chain.factor(k), pace=BRISK)
        act.move(chain.multiply(k))
    token = number(f"= {kv.per_token / KIB:g} KiB", 44, "focus", "bold")
    token.next_to(chain.totals[-1], DOWN, buff=px(40))
    act.move(FadeIn(token, shift=DOWN * px(12)), pace=BRISK)
    act.next_line()
    # One cell is a token's K and V over all layers; a block has 256 of them.
    block = Lattice(kv.block_size, 64, 1490 / 64)
    block.move_to([chain.cells.get_left()[0], STAGE.at(0, 110, DOWN)[1], 0], LEFT)
    name = Label(act.label("block"), 32).next_to(block, UP, buff=px(30)).align_to(block, LEFT)
    act.move(block, name)
    filled = block.fill(1)
    act.move(FadeIn(filled, target_position=token), pace=EASY)
    whole = number(f"{kv.per_block / MIB:g} MiB", 64, "focus", "bold")
    whole.next_to(block, UP, buff=px(30)).align_to(block, RIGHT)
    act.move(Transform(filled, block.fill(kv.block_size)), pace=39)
    act.move(whole, pace=BRISK)


@beat(anchors="engine/model_runner.py:112")
def cache_sizes(act: Act) -> None:
    # Three ways to group the same query heads.
    sizes = act.story.sizes
    rows = [CacheRow(size.groups.kind, [act.label(size.groups.kind),
                                        act.label("kv_count", n=size.groups.kv_heads)],
                     size.groups.kv_of, size.bytes_per_token, 700 / sizes[0].bytes_per_token,
                     f"{size.bytes_per_token / KIB:g} KiB", act.label("fit", n=size.tokens))
            .shift(STAGE.at(0, -165 - 228 * k, UP + LEFT)) for k, size in enumerate(sizes)]
    act.move(_heading(act, "toy"), pace=QUICK)
    for row in rows:
        act.move(row.tag, FadeIn(row.tree, shift=RIGHT * px(16)), pace=EASY)
    act.next_line()
    # Every K/V head becomes its share of a token's bytes.
    act.move(_heading(act, "per_token", 890), pace=QUICK)
    for row in rows:
        act.move(row.weigh(), pace=21)
        act.move(row.bar.labels, row.amount, pace=BLINK)
    act.next_line()
    # The smaller a token's bytes, the more tokens fit.
    act.move(LaggedStart(*(FadeIn(row.fits, shift=UP * px(10)) for row in rows), lag_ratio=0.5),
             pace=30)
