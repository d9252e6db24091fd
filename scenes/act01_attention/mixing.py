"""The weights answer the question and mix the values; both heads share keys and values."""

from manim import (DOWN, LEFT, RIGHT, UP, DashedVMobject, RoundedRectangle, Transform,
                   VGroup)

from scenes.act01_attention.pieces import CELL, LIFT, SIZE, WIDE, settle, tokens_in
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, Grid, Label, arrow, caption, come, in_turn, number, paint, px,
                        ring, weight_arcs, weight_grid)
from scenes.kit.base.motion import Flight, dim, leave, replace
from scenes.lessons.rounding import text
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["mix", "shared_kv", "who_matters"]

VALUE = (190, 108)  # px of a cell of a value
COLUMNS = (-640, -213, 213, 640)  # px: the three tokens and the answer, alone on the stage
HIGH, UNDER, FOOT = 72, -46, (-160, -268)  # px: heights of tokens, weights and values
TALL = 132  # px of a token there
CARD = 0.72  # a head's table beside another's
LIFTED = 175  # px: how far they move up when keys and values come
SIDES = (-330, 330)  # px: the two heads


@beat("layers/attention.py:67", carries="table heads tokens arcs", variant="verdict")
def who_matters(act: Act) -> None:
    # The guess of the beginning, and the asking token's weights under those whom they are of.
    table, tokens, written = act.kept.table, act.kept.tokens, act.story.heads[0].weights[QUERY]
    weights, top = act.story.lesson.heads[0].weights[QUERY], _top(act)
    wait = [cell for r in range(QUERY) for cell in table.row(r)]
    act.move([dim(cell, 0.7) for cell in wait], pace=EASY)
    mark = ring(tokens[1][0], buff=8, corner=36)
    act.cue("guess")
    act.move(mark, pace=EASY)
    shares = [number(share, 56, "d", "semibold").move_to(FRAME.at(at, -146))
              for share, at in zip(written, WIDE)]
    flights = [Flight(table.label(QUERY, c), share, table.row(QUERY).get_top()[1], "d", c)
               for c, share in enumerate(shares)]
    thick = weight_arcs(tokens_in(act, [(at, LIFT) for at in WIDE]), weights)
    act.cue("winner")
    act.move(flights[top], act.kept.arcs[top].animate.become(thick[top]),
             Transform(mark, ring(tokens[top][0], buff=8, corner=36)), pace=SLOW)
    act.cue("others")
    rest = [c for c in (2, 1, 0) if c != top]
    act.move(in_turn([flights[c] for c in rest], 0.4),
             [act.kept.arcs[c].animate.become(thick[c]) for c in rest], pace=VERY_SLOW)
    act.keep(shares=VGroup(*shares))


def _top(act: Act) -> int:
    """Whom the asking token weighs most."""
    return int(act.story.lesson.heads[0].weights[QUERY].argmax())


@beat("layers/attention.py:67", carries="tokens arcs shares")
def mix(act: Act) -> None:
    # The tokens take the stage; under each its value.
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    tokens, places = act.kept.tokens, [(at, HIGH) for at in COLUMNS[:QUERY + 1]]
    act.cue("grow")
    act.move(settle(act, tokens, places, TALL), act.kept.arcs.animate.become(
        weight_arcs(tokens_in(act, places, TALL), head.weights[QUERY])),
        [share.animate.move_to(FRAME.at(at, UNDER)) for share, at in zip(
            act.kept.shares, COLUMNS)], pace=VERY_SLOW)
    values = VGroup(*(VGroup(*(_cell(part, at, y) for part, y in zip(value, FOOT)))
                      for value, at in zip(head.v, COLUMNS)))
    output = VGroup(*(_cell(part, COLUMNS[-1], y, 0.5)
                      for part, y in zip(written.output[QUERY], FOOT)))
    places = VGroup(*(box.copy().set_fill(opacity=0) for box, _ in output))
    act.cue("values")
    act.move(in_turn(values, 0.5), places, pace=SLOW)
    # Scaled; and added up across the tokens, number by number.
    act.cue("scale")
    _scale(act, values)
    between = [(a + b) / 2 for a, b in zip(COLUMNS, COLUMNS[1:])]
    signs = [number(sign, 60, "muted").move_to(FRAME.at(x, y)) for sign, x in zip(
        ("+", "+", written.equals[QUERY]), between) for y in FOOT]
    act.cue("add")
    act.move(in_turn(signs, 0.3), pace=EASY)
    act.move(in_turn(output, 0.4), pace=EASY)
    act.remove(places)
    across = ring(VGroup(*(pair[0] for pair in values)), buff=6)
    act.cue("keys")
    act.move(across, caption(values, act.label("second_sum"), 40, DOWN, 26, role="muted"),
             pace=EASY)
    act.cue("output")
    act.move(replace(across, ring(output, buff=8)), caption(
        output, act.label("output"), 48, UP, 32, role="v", weight="semibold"),
        [dim(part, 0.5) for part in (*values, *signs, act.kept.arcs)], pace=EASY)
    act.keep(output=output)


def _scale(act: Act, values: VGroup) -> None:
    """Each key's weight flies into one part of its value, then the other: products come of them."""
    for key, (pair, share) in enumerate(zip(values, act.kept.shares)):
        parts = [text(part[key]) for part in act.story.lesson.shown[0].mixes[QUERY].products]
        news = [number(part, 60).move_to(cell[0]).set_z_index(1) for part, cell in zip(parts, pair)]
        for cell, new in zip(pair, news):
            act.move(leave(old := cell[1]), Flight(share, new, None, "d"), pace=QUICK)
            cell.remove(old)
            cell.add(new)


def _cell(value: object, x: float, y: float, share: float = 0.24) -> VGroup:
    return Grid([[value]], "v", VALUE, 60, share)[0].move_to(FRAME.at(x, y))


@beat("models/qwen3.py:80", carries="output")
def shared_kv(act: Act) -> None:
    # The first head's weights as a card; the second head's come beside it.
    lesson, written = act.story.lesson.heads, act.story.heads
    cards = [FRAME.place(weight_grid(one.weights, head.weights, CELL, SIZE).scale(CARD), x=x, y=-10)
             for one, head, x in zip(written, lesson, SIDES)]
    names = [caption(card, act.label("head", n=n), 48, side, 36, weight="semibold")
             for n, (card, side) in enumerate(zip(cards, (LEFT, RIGHT)))]
    act.move(leave(act.kept.output), come(cards[0]), come(names[0]), pace=EASY)
    act.cue("card")
    act.move(cards[1].boxes, names[1], pace=EASY)
    act.cue("own")
    act.move(in_turn(cards[1].labels, 0.3), pace=SLOW)
    # A K and a V for each, or one for both.
    stores = [_store(act, x) for x in SIDES]
    act.cue("store")
    act.move(VGroup(*cards, *names).animate.shift(UP * px(LIFTED)), pace=BRISK)
    ways = [arrow(store[0].get_top(), card.get_bottom(), "muted", 8, 5)
            for store, card in zip(stores, cards)]
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
