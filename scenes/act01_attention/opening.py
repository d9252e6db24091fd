"""The question, the way into the model, and the rows that the ids take from a table."""

from manim import RIGHT, UP, Transform, VGroup, linear

from scenes.act01_attention.pieces import large, tokens_in, words_of
from scenes.act01_attention.story import QUERY
from scenes.kit import FRAME, Grid, caption, in_turn, number, px, ring, token, weight_arcs
from scenes.kit.base.motion import Flight, come, dim, leave
from scenes.stage import BRISK, EASY, QUICK, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["look_up", "the_question"]

CELL = (130, 100)  # px of a cell of E and X
NARROW, GUTTER = 0.55, -60  # of a row that flies; px: between the table and the tokens
EVEN = 0.3  # of an arc while nobody has weighed anything yet
ROWS = (55, -45, -145)  # px: heights of the rows of X


@beat(header=False)
def the_question(act: Act) -> None:
    # A sentence of three tokens under the question, with room for the arcs above them.
    tokens = VGroup(*(token(word, 160) for word in words_of(act))).arrange(RIGHT, buff=px(300))
    arcs = weight_arcs(tokens, [EVEN] * 3)
    room = arcs.copy().set_opacity(0)
    act.title_card(VGroup(tokens, room))
    # The third token asks; the others may answer, how strongly is not known yet.
    act.cue("asks")
    act.move(ring(tokens[QUERY][0], buff=8, corner=44), pace=BRISK)
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
    others = [station for name, station in engine.stations.items() if name != "model"]
    act.move(engine.light("model"), [dim(part, 0.75) for part in (*others, engine.ways)],
             pace=EASY)
    tokens = tokens_in(act, [(460 * k, 40) for k in (-1, 0, 1)], 260)
    for box, label in tokens:
        box.set_z_index(6)
        label.set_z_index(7)
    act.cue("enter")
    act.move(engine.enter("model"), [come(one) for one in tokens], pace=33)
    # Each has a number, its id, which points into a table.
    shown = VGroup(*(number(index, 72).move_to(FRAME.at(460 * k + 44, -190))
                   for k, index in zip((-1, 0, 1), act.params.ids)))
    kind = [number("id", 64, "muted").move_to(FRAME.at(460 * k - 36, -190)) for k in (-1, 0, 1)]
    act.cue("ids")
    act.move(in_turn([VGroup(*pair) for pair in zip(kind, shown)], 0.7), pace=48)
    lesson = act.story.lesson.look_up
    table, x = (FRAME.place(large(values, cell=CELL), x=at, y=-45) for values, at in
                ((lesson.table, -510), (lesson.x, 580)))
    ids = VGroup(*(number(index, 52).move_to(FRAME.at(108, y))
                   for index, y in zip(act.params.ids, ROWS)))
    act.cue("table")
    goals = tokens_in(act, [(232, y) for y in ROWS], 84)
    act.move(leave(VGroup(*kind, *shown)), in_turn(
        [Transform(tokens[n], goals[n]) for n in (2, 1, 0)], 0.35), pace=42)
    names = table.axis(range(table.shape[0]), RIGHT, size=44)
    places = x.boxes.copy().set_fill(opacity=0)
    act.move(ids, in_turn(table.rows, 0.25), in_turn(names, 0.25), places, caption(
        table, "E", 64, UP, 28, mono=True), pace=30)
    _take_rows(act, ids, names, table, x)
    name = caption(x, "X", 64, UP, 28, mono=True)
    act.remove(places)
    act.cue("copied")
    act.move(name, ring(x, buff=6), pace=EASY)
    act.keep(tokens=tokens, x=x, x_name=name)


def _take_rows(act: Act, ids: VGroup, names: VGroup, table: Grid, x: Grid) -> None:
    """Each id goes to its row; a copy of that comes back into X, under the tokens."""
    for n, (index, cue) in enumerate(zip(act.params.ids, ("first", "second", "third"))):
        picked, goal = table.row(index), x.row(n)
        mark = ring(picked)
        act.cue(cue)
        act.move(Flight(ids[n], names[index]), leave(ids[n]), mark, pace=BRISK)
        copy = picked.copy().set_z_index(4)
        for _, label in copy:
            label.set_z_index(5)
        act.move(copy.animate.scale(NARROW).move_to((px(GUTTER), picked.get_y(), 0)), leave(mark),
                 pace=BRISK)
        act.move(copy.animate(rate_func=linear).set_y(goal.get_y()), pace=QUICK)
        act.move(copy.animate.scale(1 / NARROW).move_to(goal), pace=BRISK)
        act.remove(copy)
        act.add(goal)
