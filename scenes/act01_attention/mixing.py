"""The weights move to the tokens and mix their values; both heads share keys and values."""

from manim import (DOWN, LEFT, RIGHT, UP, AnimationGroup, DashedVMobject, RoundedRectangle,
                   VGroup)

from scenes.act01_attention.pieces import CELL, NEAR, PLACES, SIZE, settle, tokens_in
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, Grid, Label, arrow, caption, come, in_turn, number, paint, put_all,
                        px, ring, weight_arcs, weight_grid)
from scenes.kit.base.motion import Flight, leave
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["mix", "shared_kv"]

VALUE = (140, 90)  # px of a cell of a value
FOOT = (-150, -244)  # px: heights of its two numbers
HIGH = 40  # px: where the tokens make room for them
ANSWER = 814  # px: where the mix comes to stand
CARD = 0.72  # a head's table beside another's
SIDES = (-330, 330)  # px: the two heads


@beat("layers/attention.py:67", least={3: 38},
      carries="table heads tokens arcs")
def mix(act: Act) -> None:
    # The asking token's row goes to the tokens: their arcs are as thick as they weigh.
    table, tokens = act.kept.table, act.kept.tokens
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    mark = ring(table.row(QUERY))
    places = [(at, HIGH) for at in PLACES]
    act.move(mark, settle(act, tokens, places, NEAR), act.kept.arcs.animate.become(
        weight_arcs(tokens_in(act, places, NEAR), head.weights[QUERY])), pace=EASY)
    shares = [number(share, 48, "d", "semibold").move_to(FRAME.at(at, -66))
              for share, at in zip(written.weights[QUERY], PLACES)]
    act.cue("weights")
    flights = [Flight(table.label(QUERY, c), share, px(-192), "d", c)
               for c, share in enumerate(shares)]
    act.move(flights.pop(), pace=EASY)
    act.cue("other")
    act.move(in_turn(reversed(flights), 0.4), leave(mark), pace=SLOW)
    # Under each token its value; scaled; and added up across the tokens.
    values = VGroup(*(VGroup(*(_cell(part, at, y) for part, y in zip(value, FOOT)))
                      for value, at in zip(head.v, PLACES)))
    act.cue("values")
    act.move(in_turn(values, 0.5), pace=SLOW)
    products = act.story.lesson.shown[0].mixes[QUERY].products
    act.cue("scale")
    act.move(in_turn([AnimationGroup(*put_all(pair, [text(part[c]) for part in products], 48))
                      for c, pair in enumerate(values)], 0.5), pace=VERY_SLOW)
    _add(act, values)
    act.keep(table=table)


def _cell(value: object, x: float, y: float, share: float = 0.24) -> VGroup:
    return Grid([[value]], "v", VALUE, 48, share)[0].move_to(FRAME.at(x, y))


def _add(act: Act, values: VGroup) -> None:
    """The scaled values are added up, number by number, over all keys."""
    written = act.story.heads[0]
    signs = VGroup(*(number(sign, 48, "muted").move_to(FRAME.at(x, y)) for y in FOOT
                     for sign, x in (("+", 262), ("+", 487), (written.equals[QUERY], 707))))
    output = VGroup(*(_cell(part, ANSWER, y, 0.5) for part, y in zip(written.output[QUERY], FOOT)))
    act.cue("add")
    act.move(signs, [cell[0] for cell in output], pace=BRISK)
    act.move(in_turn((Flight(pair[k][1], cell[1], px(sum(FOOT) / 2), "v", c + 3 * k)
                      for c, pair in enumerate(values) for k, cell in enumerate(output)), 0.1),
             pace=SLOW)
    act.cue("keys")
    act.move(caption(values, act.label("second_sum"), 38, DOWN, 40, role="muted"), pace=EASY)
    act.cue("output")
    act.move(ring(output, buff=8), caption(output, act.label("output"), 40, UP, 36, role="v")
             .align_to(output, RIGHT), pace=EASY)


@beat("models/qwen3.py:80", carries="table")
def shared_kv(act: Act) -> None:
    # The table becomes a card; the second head's comes beside it.
    lesson, written, table = act.story.lesson.heads, act.story.heads, act.kept.table
    cards = [FRAME.place(weight_grid(one.weights, head.weights, CELL, SIZE).scale(CARD), x=x, y=165)
             for one, head, x in zip(written, lesson, SIDES)]
    names = [caption(card, act.label("head", n=n), 48, side, 36, weight="semibold")
             for n, (card, side) in enumerate(zip(cards, (LEFT, RIGHT)))]
    act.move(table.animate.become(cards[0]), names[0], pace=SLOW)
    act.cue("card")
    act.move(cards[1].boxes, names[1], pace=EASY)
    act.cue("own")
    act.move(in_turn(cards[1].labels, 0.3), pace=SLOW)
    # A K and a V for each, or one for both.
    stores = [_store(act, x) for x in SIDES]
    ways = [arrow(store[0].get_top(), card.get_bottom(), "muted", 8, 5)
            for store, card in zip(stores, cards)]
    act.cue("store")
    act.move(in_turn(stores, 0.5), in_turn(ways, 0.5), pace=VERY_SLOW)
    freed = DashedVMobject(stores[1][0].copy().set_fill(opacity=0).set_stroke(paint("focus"), 4),
                           num_dashes=50)
    act.cue("merge")
    act.move(leave(stores[1], LEFT * px(300)), come(freed), ways[1].animate.become(arrow(
        stores[0][0].get_top(), cards[1].get_bottom(), "muted", 8, 5)), pace=VERY_SLOW)
    act.cue("half")
    act.move(FRAME.place(Label(act.label("cache"), 44, weight="semibold"), x=-730, y=-250),
             stores[0][0].animate.set_stroke(paint("ink"), 5), pace=EASY)
    act.cue("room")
    act.move(Label(act.label("half"), 44, "focus", "semibold").move_to(freed), pace=EASY)
    act.cue("gqa")
    act.move([FRAME.place(Label(act.label(key), 44, weight="semibold"), x=730, y=y)
              for key, y in (("gqa_a", -218), ("gqa_b", -282))], pace=EASY)


def _store(act: Act, x: float) -> VGroup:
    """One frame round a head's keys and values, x px from the middle: the frame, then the rest."""
    head = act.story.lesson.heads[0]
    grids = [Grid(values, role, (82, 66), 44) for values, role in ((head.k, "k"), (head.v, "v"))]
    VGroup(*grids).arrange(RIGHT, buff=px(36)).move_to(FRAME.at(x, -270))
    names = (Label(role.upper(), 48, role, "bold", mono=True).next_to(grid, UP, buff=px(16))
             for grid, role in zip(grids, "kv"))
    inside = VGroup(*grids, *names)
    frame = RoundedRectangle(corner_radius=px(16), width=inside.width + px(36),
                             height=inside.height + px(32), stroke_width=3,
                             stroke_color=paint("muted")).move_to(inside)
    return VGroup(frame, *inside)
