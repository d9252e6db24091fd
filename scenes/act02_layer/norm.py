"""RMSNorm: why a row is normalised, and how, by hand."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, Rectangle, VGroup

from scenes.act02_layer.thread import look
from scenes.kit import BODY, LEAD, Formula, Grid, Label, NamedRows, Row, gather, in_turn, mix
from scenes.kit import number, paint, px
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, SLOW, Act, beat

__all__ = ["rms_norm"]

UNIT = 100  # px of a row's size 1
# Rows of the norm's computation: shown digits, role.
NORM = {"x": (0, "ra"), "squares": (0, "ink"), "normalised": (2, "ink"), "weight": (1, "d"),
        "output": (2, "ra")}


@beat(anchors="layers/layernorm.py:23", carries="stream")
def rms_norm(act: Act) -> None:
    # One row after each addition, and its size as a bar.
    room, growth, sizes = look(act, "norm1").room, act.story.growth, act.story.row_sizes
    steps = []
    for row, size, place in zip(growth, sizes, room.columns(*[1] * len(growth), gap=40)):
        grid = place.place(Grid([[text(shown(v, 0))] for v in row], "ra", (150, 58), 36), DOWN)
        bar = Rectangle(width=px(150), height=px(UNIT * float(size)), stroke_width=2,
                        stroke_color=paint("ra"), fill_color=mix("ra", 0.6), fill_opacity=1)
        bar.next_to(grid, UP, buff=px(14))
        steps.append(VGroup(grid, bar, number(size, 36, weight="semibold")
                            .next_to(bar, UP, buff=px(14))))
    name = Label(act.label("size"), LEAD, "muted").next_to(steps[0][2], UP, buff=px(24))
    act.cue("start")
    act.move(steps[0], name, pace=EASY)
    act.cue("grow")
    act.move(in_turn(steps[1:], 0.7), pace=94)
    # The last one, from a column to a line; a copy of it is brought to size 1.
    act.cue("copy")
    last, rows = steps[-1][0], _norm_rows(act)
    x = rows.grids[0]
    act.move(map(FadeOut, (*steps[:-1], *steps[-1][1:], name)), rows.names[0],
             (cell.animate.become(place) for cell, place in zip(last, x)), pace=SLOW)
    act.remove(last)
    act.add(x)
    _by_hand(act, rows)


def _norm_rows(act: Act) -> NamedRows:
    """The norm's rows, one below the other."""
    norm = act.story.norm
    rows = NamedRows([Row(act.label(f"norm_{key}"),
                          [text(shown(v, digits)) for v in getattr(norm, key)], role)
                      for key, (digits, role) in NORM.items()], (160, 78), 40, 34)
    return rows.put(2, act.kept.stream.room.at(270, -14, LEFT))


def _by_hand(act: Act, rows: NamedRows) -> None:
    # Its size: the root of the mean of its squares.
    x, squares, normalised, weight, _ = rows.grids
    mean = Label(act.label("mean"), 46).next_to(squares, RIGHT, buff=px(80))
    root = Label(act.label("root"), 46, "focus").next_to(normalised, RIGHT, buff=px(80))
    size = number(significant(act.story.norm.root), 52, "focus", "semibold")
    size.next_to(root, RIGHT, buff=px(24))
    act.cue("square")
    act.move(rows.computed(1, 0), pace=BRISK)
    act.cue("mean")
    act.move(gather(squares.labels, mean), pace=SLOW)
    act.cue("root")
    act.move(gather([mean], VGroup(root, size)), pace=EASY)
    # Every number is divided by it and multiplied by its own weight.
    act.cue("divide")
    act.move(normalised.boxes, rows.names[2],
             (gather([a, size], b, layer=2 * k)
              for k, (a, b) in enumerate(zip(x.labels, normalised.labels))), pace=SLOW)
    act.cue("weight")
    act.move(FadeIn(weight, shift=UP * px(16)), rows.names[3])
    act.move(rows.computed(4, 2, 3), pace=EASY)
    # The rule, with what the numbers leave out.
    act.cue("eps")
    formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 66)
    formula.next_to(weight, RIGHT, buff=px(80)).shift(DOWN * px(36))
    guard = Label(act.label("epsilon"), BODY, "muted").next_to(formula, DOWN, buff=px(14))
    act.move(FadeIn(formula, shift=UP * px(12)), guard.align_to(formula, LEFT), pace=EASY)
