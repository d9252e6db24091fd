"""The question, the way into the model, and the rows that the ids take from a table."""

from manim import LEFT, RIGHT, UP, FadeOut, VGroup

from scenes.act01_attention.pieces import large, settle, tokens_in
from scenes.act01_attention.story import QUERY
from scenes.kit import FRAME, Grid, caption, in_turn, px, ring, token, weight_arcs
from scenes.kit.base.motion import come, leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["look_up", "the_question"]

CELL = (130, 100)  # px of a cell of E and X


@beat(header=False)
def the_question(act: Act) -> None:
    # Three tokens under the question, with room for the arcs above them.
    tokens = VGroup(*map(token, act.params.ids)).arrange(RIGHT, buff=px(240))
    arcs = weight_arcs(tokens, act.story.lesson.heads[0].weights[QUERY])
    room = arcs.copy().set_opacity(0)
    act.title_card(VGroup(tokens, room))
    # The third token asks; the others answer, as strongly as it weighs them.
    act.cue("asks")
    act.move(ring(tokens[QUERY][0], buff=8, corner=28), pace=BRISK)
    arcs.move_to(room)
    for way, cue in zip((arcs[0], arcs[1:]), ("who", "much")):
        act.cue(cue)
        act.move(way)


@beat("layers/embed_head.py:38")
def look_up(act: Act) -> None:
    # The engine as a map; this act plays in one of its nodes, where the three tokens wait.
    engine = EngineMap({name: act.label(name) for name in (*NODES, "waiting", "running")})
    act.move(engine, pace=EASY)
    act.cue("model")
    act.move(engine.light("model"), pace=EASY)
    tokens = tokens_in(act, [(420 * k, -10) for k in (-1, 0, 1)], 260)
    act.cue("enter")
    act.move(engine.enter("model"), [come(one) for one in tokens], pace=SLOW + QUICK)
    # They step aside in a column; the table that their ids point into comes beside them.
    lesson = act.story.lesson.look_up
    table, x = (FRAME.place(large(values, cell=CELL), x=at, y=-45) for values, at in
                ((lesson.table, -150), (lesson.x, 610)))
    ids = [caption(one, act.label("id"), 56, gap=40, mono=True) for one in tokens]
    act.cue("ids")
    act.move(in_turn(ids, 0.7), pace=48)
    names = table.axis(range(table.shape[0]), LEFT, size=44)
    act.cue("table")
    act.move(settle(act, tokens, [(-760, 110 - 155 * k) for k in range(3)], 130),
             [leave(label) for label in ids], pace=EASY)
    act.move(in_turn(table.rows, 0.25), in_turn(names, 0.25), caption(
        table, "E", 64, UP, 28, mono=True), pace=VERY_SLOW)
    places = x.boxes.copy().set_fill(opacity=0)
    act.move(places, pace=QUICK)
    _take_rows(act, tokens, table, x)
    name = caption(x, "X", 64, UP, 28, mono=True)
    act.remove(places)
    act.cue("copied")
    act.move(name, ring(x, buff=6), pace=EASY)
    act.keep(tokens=tokens, x=x, x_name=name)


def _take_rows(act: Act, tokens: VGroup, table: Grid, x: Grid) -> None:
    """Each token goes to its row, and takes a copy of it along into X."""
    mark = None
    for n, (index, cue) in enumerate(zip(act.params.ids, ("first", "second", "third"))):
        picked = table.row(index)
        beside = picked.get_left() + LEFT * px(80)
        gone, mark = mark, ring(picked)
        act.cue(cue)
        act.move(tokens[n].animate.move_to(beside), mark, FadeOut(gone) if gone else None,
                 pace=BRISK)
        copy = picked.copy().set_z_index(4)
        for _, label in copy:
            label.set_z_index(5)
        act.add(copy)
        goal = x.row(n)
        tokens[n].set_z_index(6)
        tokens[n][1].set_z_index(7)
        small = token(index, 84).set_z_index(6).next_to(goal, LEFT, buff=px(30))
        act.move(copy.animate.move_to(goal), tokens[n].animate.become(small), leave(mark), pace=27)
        mark = None
        act.remove(copy)
        act.add(goal)
