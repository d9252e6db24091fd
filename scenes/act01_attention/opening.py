"""The question, the place in the engine, and the way from ids to rows of a table."""

from manim import RIGHT, FadeOut, ReplacementTransform, VGroup

from scenes.act01_attention.matrices import integers, trail
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, SHAPE, SMALL, Grid, arrow, caption, carry, come, px, ring,
                        weight_arcs)
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["in_the_model", "look_up", "the_question"]


def tokens_in_a_row(act: Act) -> Grid:
    """The running example: three tokens, by their ids."""
    return Grid([act.params.ids], "ink", (150, 110), 52).arrange(RIGHT, buff=px(240))


@beat(header=False)
def the_question(act: Act) -> None:
    # Three tokens under the question, with room for the arcs above them.
    tokens = tokens_in_a_row(act)
    arcs = weight_arcs(tokens, act.story.lesson.heads[0].weights[QUERY])
    room = arcs.copy().set_opacity(0)
    act.title_card(VGroup(tokens, room))
    # The third token asks; the others answer, as strongly as it weighs them.
    act.cue("asks")
    act.move(ring(tokens[QUERY], buff=6), pace=BRISK)
    arcs.move_to(room)
    for way, cue in zip((arcs[0], arcs[1:]), ("who", "much")):
        act.cue(cue)
        act.move(way)


@beat()
def in_the_model(act: Act) -> None:
    # The engine as a map; this act plays in one of its nodes.
    engine = EngineMap({name: act.label(name) for name in (*NODES, "waiting", "running")})
    act.move(engine, pace=EASY)
    act.cue("model")
    act.move(engine.light("model"), pace=EASY)
    # Inside: the three tokens, and below the outlines of all that will be computed.
    tokens = FRAME.place(tokens_in_a_row(act).scale(1.5), y=40)
    names = [caption(cell, act.label("token", n=n)) for n, cell in enumerate(tokens)]
    act.cue("enter")
    act.move(engine.enter("model"), come(tokens), [come(name) for name in names], pace=SLOW)
    act.cue("trail")
    way = trail(act)
    act.move(way, pace=SLOW)
    act.keep(tokens=tokens, trail=way)


@beat("layers/embed_head.py:38", carries="tokens trail")
def look_up(act: Act) -> None:
    # The ids become a column; the table that they point into appears beside them.
    lesson, ids = act.story.lesson.look_up, [[index] for index in act.params.ids]
    way = act.kept.trail
    ids, table, x = (FRAME.place(integers(values), x=place, y=15) for values, place in
                     ((ids, -700), (lesson.table, -130), (lesson.x, 650)))
    names = [caption(grid, text, SHAPE) for grid, text in
             ((ids, "ids [3]"), (table, "E [6, 4]"), (x, "X [3, 4]"))]
    act.move(ReplacementTransform(act.kept.tokens, ids), pace=SLOW)
    act.move(names[0], caption(names[0], act.label("toy"), SMALL, gap=24), pace=QUICK)
    act.cue("table")
    rows = table.axis(range(table.shape[0]))
    act.move(table, names[1])
    act.cue("rows")
    act.move(rows)
    # Each id picks its row; a copy of it travels into X.
    rings = None
    for token, (index, cue) in enumerate(zip(act.params.ids, ("first", "second", "third"))):
        picked, copy = table.row(index), x.row(token)
        gone, rings = rings, VGroup(ring(ids.cell(token, 0)), ring(picked))
        act.cue(cue)
        act.move(arrow(ids.cell(token, 0).get_right(), rows[index].get_left()), rings,
                 FadeOut(gone) if gone else None, pace=QUICK)
        act.move(arrow(picked.get_right(), copy.get_left()), carry(picked, copy), pace=SLOW)
    act.cue("copied")
    act.move(FadeOut(rings), names[2], ring(x, buff=6), way.take("ids", ids.boxes),
             way.take("X", x.boxes), pace=SLOW)
    act.keep(x=x, trail=way)
