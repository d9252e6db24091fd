"""The question, the way into the model, and the rows that the ids take from a table."""

from manim import LEFT, RIGHT, UP, Transform, VGroup, linear

from scenes.act01_attention.pieces import large, settle, tokens_in, words_of
from scenes.act01_attention.story import QUERY
from scenes.kit import FRAME, Grid, caption, in_turn, number, px, ring, token, weight_arcs
from scenes.kit.base.motion import Flight, come, dim, leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import NODES, EngineMap

__all__ = ["look_up", "the_question"]

CELL = (118, 100)  # px of a cell of E and X
NARROW, GUTTER = 0.5, 143  # of a row that flies; px: between E and X
EVEN = 0.3  # of an arc while nobody has weighed anything yet
ROWS = (80, -45, -170)  # px: heights of the tokens beside E
GROWN = 1.9  # X, once it is alone


@beat(header=False)
def the_question(act: Act) -> None:
    # A sentence of three tokens under the question, with room for the arcs above them.
    tokens = VGroup(*(token(word, 160) for word in words_of(act))).arrange(RIGHT, buff=px(410))
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
    act.cue("bet")
    act.move(ring(tokens[1][0], "d", buff=8, corner=44), [
        dim(part, 0.7) for part in (arcs[0], arcs[2], tokens[0])], pace=EASY)


@beat("layers/embed_head.py:38", least={3: 50})
def look_up(act: Act) -> None:
    tokens = _enter(act)
    # Each has a number, its id, which points into a table.
    shown, kind = (VGroup(*(number(text, size, role).move_to(FRAME.at(460 * k + x, -190))
                            for k, text in zip((-1, 0, 1), texts)))
                   for texts, size, role, x in ((act.params.ids, 72, "ink", 44),
                                                (["id"] * 3, 64, "muted", -36)))
    act.cue("ids")
    act.move(in_turn([VGroup(*pair) for pair in zip(kind, shown)], 0.7), pace=48)
    lesson = act.story.lesson.look_up
    table, x = (FRAME.place(large(values, cell=CELL), x=at, y=-45) for values, at in
                ((lesson.table, -250), (lesson.x, 560)))
    ids = VGroup(*(number(index, 60).move_to(FRAME.at(-690, y))
                   for index, y in zip(act.params.ids, ROWS)))
    goals = tokens_in(act, [(-815, y) for y in ROWS], 92)
    act.cue("table")
    act.move(leave(VGroup(kind, shown)), pace=QUICK)
    act.move(in_turn([Transform(*both, path_arc=-0.3) for both in zip(tokens, goals)], 0.5),
             pace=VERY_SLOW)
    names = table.axis(range(table.shape[0]), LEFT, size=44)
    places = x.boxes.copy().set_fill(opacity=0)
    title = caption(table, "E", 64, UP, 28, mono=True)
    act.move(ids, in_turn(table.rows, 0.25), in_turn(names, 0.25), places, title, pace=30)
    _take_rows(act, ids, names, table, x)
    # The rows that came together, alone, each beside its token.
    act.remove(places)
    home = x.copy().scale(GROWN).move_to(FRAME.at(95, -45))
    name = caption(home, "X", 72, UP, 30, mono=True)
    act.cue("copied")
    act.move(leave(VGroup(table, names, title, ids)), pace=QUICK)
    act.move(x.animate.scale(GROWN).move_to(home), settle(
        act, tokens, [(-500, -45 + GROWN * CELL[1] * (1 - n)) for n in range(3)], 140), pace=SLOW)
    act.move(name, pace=BRISK)
    act.keep(tokens=tokens, x=x, x_name=name)


def _enter(act: Act) -> VGroup:
    """The map of the engine, the way into its model, and the tokens, which wait there."""
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
    return tokens


def _take_rows(act: Act, ids: VGroup, names: VGroup, table: Grid, x: Grid) -> None:
    """Each id goes to its row; a copy of that goes on into X."""
    for n, (index, cue) in enumerate(zip(act.params.ids, ("first", "second", "third"))):
        picked, goal = table.row(index), x.row(n)
        mark = ring(picked)
        act.cue(cue)
        act.move(Flight(ids[n], names[index]), mark, pace=BRISK)
        copy = picked.copy().set_z_index(4)
        for _, label in copy:
            label.set_z_index(5)
        act.move(copy.animate.scale(NARROW).move_to((px(GUTTER), picked.get_y(), 0)), leave(mark),
                 pace=BRISK)
        act.move(copy.animate(rate_func=linear).set_y(goal.get_y()), pace=QUICK)
        act.move(copy.animate.scale(1 / NARROW).move_to(goal), pace=BRISK)
        act.remove(copy)
        act.add(goal)
