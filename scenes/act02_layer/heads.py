"""What a group of query heads shares, and what the cache costs."""

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Create,
    FadeIn,
    LaggedStart,
    Transform,
    TransformFromCopy,
    VGroup,
)

from scenes.act02_layer.story import KIB, MIB
from scenes.kit import (
    BODY,
    FIGURE,
    LEAD,
    STAGE,
    FactorChain,
    Grid,
    HeadTree,
    Label,
    Lattice,
    Part,
    ScaleBar,
    number,
    px,
    ring,
)
from scenes.lessons.kv_cache import CacheSize
from scenes.stage import BLINK, BRISK, EASY, QUICK, Act, beat

__all__ = ["cache_sizes", "kv_bytes", "shared_heads"]


@beat(anchors="models/qwen3.py:80", variant="sharing")
def shared_heads(act: Act) -> None:
    # Query heads over the K/V heads that they read.
    groups = act.story.groups
    tree = HeadTree(groups.kv_of, (min(240, 1350 / groups.query_heads - 30), 104), 30, 140, 44)
    tree.move_to(STAGE.at(130, 90, DOWN), DOWN)
    tags = [_row_name(act, key, part)
            for key, part in (("queries", tree.queries), ("stores", tree.stores))]
    act.move(_heading(act, "toy_heads"), tree.queries, tags[0], pace=BRISK)
    act.move(tree.stores, tags[1], pace=BRISK)
    for members in groups.members:
        act.move((Create(tree.ways[q]) for q in members),
                 pace=max(BLINK, 48 // len(groups.members)))
    act.next_line()
    # K and V are stored once a group; what a head computes with them is its own.
    shared = groups.group_size > 1
    once = Label(act.label("once" if shared else "each"), 34, "focus")
    act.move(VGroup(*(ring(store, buff=8) for store in tree.stores)),
             once.next_to(tree.stores, DOWN, buff=px(44)))
    if shared:
        act.rest(27)
        _own_results(act, tree)


def _heading(act: Act, key: str, x: float = 0) -> Label:
    """What a part of the stage shows, over it."""
    return Label(act.label(key), 32, weight="semibold").move_to(STAGE.at(x, -20, UP + LEFT), LEFT)


def _row_name(act: Act, key: str, row: VGroup) -> Label:
    return Label(act.label(key), LEAD, "muted").move_to([STAGE.left, row.get_y(), 0], LEFT)


def _own_results(act: Act, tree: HeadTree) -> None:
    """Over each query head what it does not share: its scores, weights and output."""
    rows = VGroup()
    for k, key in enumerate(("scores", "weights", "output")):
        rows.add(VGroup(*(Grid([[f"{key[0]}{q}"]], "q", (box.width / px(1), 46), 30)
                          .next_to(box, UP, buff=px(24 + 58 * k))
                          for q, box in enumerate(tree.queries))))
        act.move(_row_name(act, key, rows[k]), LaggedStart(
            *(FadeIn(grid, shift=UP * px(16)) for grid in rows[k]), lag_ratio=0.2))
    own = Label(act.label("own_results"), 34, "q").next_to(rows, UP, buff=px(28))
    act.move(own, VGroup(*(ring(VGroup(*column), "q", 4, 6) for column in zip(*rows))))


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
    rows = [_cache_row(act, k, size) for k, size in enumerate(act.story.sizes)]
    act.move(_heading(act, "toy"), pace=QUICK)
    for tag, tree, *_ in rows:
        act.move(tag, FadeIn(tree, shift=RIGHT * px(16)), pace=EASY)
    act.next_line()
    # Every K/V head becomes its share of a token's bytes.
    act.move(_heading(act, "per_token", 890), pace=QUICK)
    for _, tree, bar, amount, _ in rows:
        n = len(tree.stores)
        act.move((TransformFromCopy(half[0], bar.boxes[n * v + j])
                  for j, store in enumerate(tree.stores) for v, half in enumerate(store)), pace=21)
        act.move(bar.labels, amount, pace=BLINK)
    act.next_line()
    # The smaller a token's bytes, the more tokens fit.
    act.move(LaggedStart(*(FadeIn(fit, shift=UP * px(10)) for *_, fit in rows), lag_ratio=0.5),
             pace=30)


def _cache_row(act: Act, k: int, size: CacheSize) -> tuple:
    """Name, tree, bar of a token's bytes, their amount, and how many tokens would fit."""
    many, *_ = act.params.compare
    count, y = size.groups.kv_heads, -165 - 228 * k
    tree = HeadTree(size.groups.kv_of, (580 / many - 8, 50), 8, 56, 0)
    tree.move_to(STAGE.at(250, y, UP + LEFT), LEFT)
    kind = "MHA" if size.groups.group_size == 1 else "MQA" if count == 1 else "GQA"
    tag = VGroup(number(kind, 36, weight="semibold"), Label(act.label(kind), 28),
                 Label(act.label("kv_count", n=count), 28))
    tag.arrange(DOWN, buff=px(24), aligned_edge=LEFT).move_to(STAGE.at(0, y, UP + LEFT), LEFT)
    parts = [Part(size.bytes_per_token / 2 / count, role, role.upper())
             for role in "kv" for _ in range(count)]
    bar = ScaleBar(parts, 700 / act.story.sizes[0].bytes_per_token, 70)
    bar.move_to(STAGE.at(890, y + 30, UP + LEFT), LEFT)
    amount = number(f"{size.bytes_per_token / KIB:g} KiB", FIGURE).next_to(bar, RIGHT, buff=px(26))
    fit = Label(act.label("fit", n=size.tokens), BODY, "muted")
    return tag, tree, bar, amount, fit.next_to(bar, DOWN, buff=px(32)).align_to(bar, LEFT)
