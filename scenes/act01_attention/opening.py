"""The question, and the way from ids to rows of a table."""

from manim import LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act01_attention.matrices import integers
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, SHAPE, SMALL, STAGE, Grid, arrow, caption, carry, px, ring,
                        weight_arcs)
from scenes.stage import BRISK, QUICK, SLOW, Act, all_but, beat

__all__ = ["look_up", "the_question"]


@beat(header=False)
def the_question(act: Act) -> None:
    # Three tokens under the question, with room for the arcs above them.
    tokens = Grid([act.params.ids], "ink", (150, 110), 52).arrange(RIGHT, buff=px(240))
    arcs = weight_arcs(tokens, act.story.lesson.heads[0].weights[QUERY])
    room = arcs.copy().set_opacity(0)
    act.title_card(VGroup(tokens, room))
    # The last token gathers from both others, as strongly as it weighs them.
    for way in arcs.move_to(room):
        act.move(way)


@beat("layers/embed_head.py:38", least={2: 48})
def look_up(act: Act) -> None:
    # The ids and the table that they point into.
    lesson, ids = act.story.lesson.look_up, [[index] for index in act.params.ids]
    ids, table, x = (FRAME.place(integers(values), x=place, y=20) for values, place in
                     ((ids, -700), (lesson.table, -170), (lesson.x, 640)))
    names = [caption(grid, text, SHAPE) for grid, text in
             ((ids, "ids [3]"), (table, "E [6, 4]"), (x, "X [3, 4]"))]
    toy = caption(names[0], act.label("toy"), SMALL, gap=30).align_to(STAGE.at(side=LEFT), LEFT)
    rows = table.axis(range(table.shape[0]))
    act.move(ids, names[0], toy)
    act.move(table, rows, names[1])
    act.next_line()
    # Each id picks its row; a copy of it travels into X.
    act.move(names[2], pace=QUICK)
    for token, index in enumerate(act.params.ids):
        picked, copy = table.row(index), x.row(token)
        rings = VGroup(ring(ids.cell(token, 0)), ring(picked))
        act.move(arrow(ids.cell(token, 0).get_right(), rows[index].get_left()), rings, pace=BRISK)
        act.move(arrow(picked.get_right(), copy.get_left()), carry(picked, copy), pace=SLOW)
        act.move(FadeOut(rings), pace=QUICK)
    act.next_line()
    # What went in, and what came out.
    counts = [caption(name, act.label(key), 40, gap=40, role="focus")
              for name, key in ((names[0], "ints"), (names[2], "floats"))]
    act.move(FadeOut(toy), FadeIn(counts[0], shift=UP * px(10)), pace=BRISK)
    act.move(FadeIn(counts[1], shift=UP * px(10)), pace=BRISK)
    act.keep(x=x, leavers=all_but(act, x))
