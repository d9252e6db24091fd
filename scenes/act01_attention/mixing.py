"""The weights move to the tokens and mix their values; both heads share keys and values."""

from manim import DOWN, LEFT, RIGHT, UP, AnimationGroup, VGroup

from scenes.act01_attention.pieces import PLACES, large, put
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, Grid, Label, arrow, caption, come, in_turn, number, px, replace,
                        ring, weight_arcs, weight_grid)
from scenes.kit.base.motion import Flight, leave
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["mix", "shared_kv"]

VALUE = (140, 96)  # px of a cell of a value
FOOT = (-120, -222)  # px: heights of its two numbers
ANSWER = 815  # px: where the mix comes to stand
CARD = 0.76  # a head's table beside another's
SIDES = (-655, 655)  # px: the two heads
STORES = (-205, 205)  # px: a K and a V for each


@beat("layers/attention.py:67", carries="table heads tokens")
def mix(act: Act) -> None:
    # The asking token's row goes to the tokens: their arcs are as thick as they weigh.
    table, tokens = act.kept.table, act.kept.tokens
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    mark = ring(table.row(QUERY))
    act.move(mark, pace=BRISK)
    shares = [number(share, 48, "d", "semibold").move_to(FRAME.at(at, -32))
              for share, at in zip(written.weights[QUERY], PLACES)]
    act.cue("weights")
    act.move(in_turn((Flight(table.label(QUERY, c), share, None, "d", c)
                      for c, share in enumerate(shares)), 0.4), pace=VERY_SLOW)
    act.move(in_turn(weight_arcs(tokens, head.weights[QUERY]), 0.4), leave(mark), pace=EASY)
    # Under each token its value; scaled; and added up across the tokens.
    values = VGroup(*(VGroup(*(_cell(part, at, y) for part, y in zip(value, FOOT)))
                      for value, at in zip(head.v, PLACES)))
    act.cue("values")
    act.move(in_turn(values, 0.5), pace=SLOW)
    products = act.story.lesson.shown[0].mixes[QUERY].products
    act.cue("scale")
    act.move(in_turn([AnimationGroup(*(move for k, cell in enumerate(pair) for move in
                                       put(cell, text(products[k][c]), 48)))
                      for c, pair in enumerate(values)], 0.5), pace=VERY_SLOW)
    _add(act, values)
    act.keep(table=table)


def _cell(value: object, x: float, y: float, share: float = 0.24) -> VGroup:
    return Grid([[value]], "v", VALUE, 48, share)[0].move_to(FRAME.at(x, y))


def _add(act: Act, values: VGroup) -> None:
    """The scaled values are added up, number by number, over all keys."""
    written = act.story.heads[0]
    signs = VGroup(*(number(sign, 48, "muted").move_to(FRAME.at(x, y)) for y in FOOT
                     for sign, x in (("+", 255), ("+", 485), (written.equals[QUERY], 707))))
    output = VGroup(*(_cell(part, ANSWER, y, 0.5) for part, y in zip(written.output[QUERY], FOOT)))
    act.cue("add")
    act.move(signs, [cell[0] for cell in output], pace=EASY)
    act.move(in_turn((Flight(pair[k][1], cell[1], None, "v", c + 3 * k)
                      for c, pair in enumerate(values) for k, cell in enumerate(output)), 0.15),
             pace=VERY_SLOW)
    act.cue("keys")
    act.move(caption(values, act.label("second_sum"), 38, DOWN, 40, role="muted"), pace=EASY)
    act.cue("output")
    act.move(ring(output, buff=8), caption(output, act.label("output"), 44, UP, 40, role="v"),
             pace=EASY)


@beat("models/qwen3.py:80", carries="table")
def shared_kv(act: Act) -> None:
    # The table becomes a card; the second head's comes beside it.
    lesson, written, table = act.story.lesson.heads, act.story.heads, act.kept.table
    other = FRAME.place(weight_grid(written[1].weights, lesson[1].weights, (210, 150), 56).scale(
        CARD), x=SIDES[1], y=60)
    names = [Label(act.label("head", n=n), 48, weight="semibold").move_to(FRAME.at(at, 290))
             for n, at in enumerate(SIDES)]
    act.move(table.animate.scale(CARD).move_to(FRAME.at(SIDES[0], 60)), names[0], pace=SLOW)
    act.cue("card")
    act.move(other.boxes, names[1], pace=EASY)
    act.cue("own")
    act.move(in_turn(other.labels, 0.3), pace=SLOW)
    # A K and a V for each, or one for both.
    stores = [_store(act, at, 1) for at in STORES]
    ways = [arrow(store[k], card, "muted", 6) for store, card, k in
            ((stores[0], table, 0), (stores[1], other, 1))]
    ways = [arrow(stores[0].get_left(), table.get_right(), "muted", 4),
            arrow(stores[1].get_right(), other.get_left(), "muted", 4)]
    act.cue("store")
    act.move(in_turn(stores, 0.5), ways, pace=SLOW)
    one = _store(act, 0, 1.3)
    wide = [arrow(one.get_left(), table.get_right(), "muted", 10, 5),
            arrow(one.get_right(), other.get_left(), "muted", 10, 5)]
    for part in stores[0].get_family():
        part.set_z_index(part.z_index + 4)
    act.cue("merge")
    act.move([leave(way) for way in ways], stores[0].animate.become(one),
             stores[1].animate.move_to(FRAME.at(0, 60)), pace=VERY_SLOW)
    act.remove(*stores[1].get_family())
    act.move(wide, pace=EASY)
    act.cue("half")
    act.move(FRAME.place(Label(act.label("half"), 48, "focus", "semibold"), x=0, y=-170),
             pace=EASY)
    act.cue("gqa")
    act.move(FRAME.place(Label(act.label("gqa"), 64, weight="bold"), x=0, y=-300), pace=EASY)


def _store(act: Act, x: float, scale: float) -> VGroup:
    """A head's keys and values side by side, x px from the middle, under their names."""
    head = act.story.lesson.heads[0]
    grids = [Grid(values, role, (74, 100), 44) for values, role in ((head.k, "k"), (head.v, "v"))]
    both = VGroup(*grids).arrange(RIGHT, buff=px(22)).scale(scale).move_to(FRAME.at(x, 60))
    names = (Label(role.upper(), 48, role, "bold", mono=True).next_to(grid, UP, buff=px(26))
             for grid, role in zip(grids, "kv"))
    return both.add(*names)
