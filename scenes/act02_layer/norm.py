"""RMSNorm: why a row is normalised, and how, by hand."""

from itertools import pairwise

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, GrowFromEdge, Rectangle, VGroup

from scenes.act02_layer.thread import CHIPS, chip, look
from scenes.geometry import Region
from scenes.kit import BODY, LEAD, Formula, Grid, Label, NamedRows, Row, gather, in_turn
from scenes.kit import mix, number, paint, px
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, all_but, beat

__all__ = ["rms_norm"]

UNIT = 74  # px of a row's size 1
# Rows of the norm's computation: shown digits, role.
NORM = {"x": (0, "ra"), "squares": (0, "ink"), "normalised": (2, "ink"), "weight": (1, "d"),
        "output": (2, "ra")}


@beat(anchors="layers/layernorm.py:23", carries="stream")
def rms_norm(act: Act) -> None:
    # One row, what one layer adds to it, and its size as a bar after each addition.
    room, growth = look(act, "norm1").room, act.story.growth
    added = [after - before for before, after in pairwise(growth)]
    places = room.columns(*[1] * 5, 2.2, gap=40)
    rows = [_column(row, name, place) for row, name, place in zip(
        (growth[0], added[0], growth[1], added[1], growth[2]), ("x", "a", "x+a", "m", "x+a+m"),
        places)]
    bars = [_bar(size, rows[2 * k]) for k, size in enumerate(act.story.row_sizes)]
    name = Label(act.label("size"), LEAD, "muted").next_to(bars[0], UP, buff=px(20))
    signs = [number(sign, 48, "muted").move_to((a[0].get_right() + b[0].get_left()) / 2)
             for (a, b), sign in zip(pairwise(rows), "+=+=")]
    act.move(rows[0], pace=QUICK)
    act.cue("start")
    act.move(bars[0], name, pace=EASY)
    for k, cue in enumerate(("grow", "more")):
        act.cue(cue)
        act.move(signs[2 * k], FadeIn(rows[2 * k + 1], shift=UP * px(30)), pace=BRISK)
        act.move(signs[2 * k + 1], rows[2 * k + 2], pace=BRISK)
        act.move(GrowFromEdge(bars[k + 1][0], DOWN), bars[k + 1][1], pace=BRISK)
    _saturate(act, places[-1])
    # A copy of the last one, from a column to a line, is brought to size 1.
    act.cue("copy")
    last, lines = rows[-1][0], _norm_rows(act)
    x = lines.grids[0]
    gone = all_but(act, act.kept.stream, last)
    formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 66)
    formula.next_to(lines.grids[3], RIGHT, buff=px(80)).shift(DOWN * px(36))
    act.move(map(FadeOut, gone), lines.names[0], formula,
             (cell.animate.become(place) for cell, place in zip(last, x)), pace=SLOW)
    act.remove(last)
    act.add(x)
    _by_hand(act, lines, formula)


def _column(row: np.ndarray, name: str, place: Region) -> VGroup:
    """A row of numbers, upright, over its name; the name is that of its tile on the stream."""
    tile = place.place(chip(name), DOWN, 0, 6)
    role = CHIPS[name[0]]
    grid = Grid([[text(shown(v, 0))] for v in row], role, (150, 56), 36)
    return VGroup(grid.next_to(tile, UP, buff=px(14)), tile)


def _bar(size: str, row: VGroup) -> VGroup:
    """The row's size as a bar on top of it, and written."""
    bar = Rectangle(width=px(150), height=px(UNIT * float(size)), stroke_width=2,
                    stroke_color=paint("ra"), fill_color=mix("ra", 0.6), fill_opacity=1)
    bar.next_to(row[0], UP, buff=px(12))
    return VGroup(bar, number(size, 36, weight="semibold").next_to(bar, UP, buff=px(12)))


def _saturate(act: Act, room: Region) -> None:
    # Ten times as large scores: softmax gives all to one.
    act.cue("all")
    for (scores, shares), part in zip(act.story.saturation, room.rows(1, 1, gap=20)):
        head = number(act.label("saturates", row=scores), 32).move_to(part.at(0, -50, UP))
        bars = VGroup(*(Rectangle(width=px(90), height=px(max(4, 110 * float(share))),
                                  stroke_width=0, fill_color=paint("e"), fill_opacity=1)
                        for share in shares)).arrange(RIGHT, buff=px(60), aligned_edge=DOWN)
        bars.next_to(part.at(0, 20, DOWN), UP, buff=px(30))
        names = [number(share, 32).next_to(bar, DOWN, buff=px(14))
                 for bar, share in zip(bars, shares)]
        act.move(head, (GrowFromEdge(bar, DOWN) for bar in bars), names, pace=SLOW)


def _norm_rows(act: Act) -> NamedRows:
    """The norm's rows, one below the other."""
    norm = act.story.norm
    rows = NamedRows([Row(act.label(f"norm_{key}"),
                          [text(shown(v, digits)) for v in getattr(norm, key)], role)
                      for key, (digits, role) in NORM.items()], (176, 82), 42, 36)
    return rows.put(2, act.kept.stream.room.at(270, -6, LEFT))


def _by_hand(act: Act, rows: NamedRows, formula: Formula) -> None:
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
             in_turn([gather([a, size], b, layer=2 * k) for k, (a, b) in enumerate(
                 zip(x.labels, normalised.labels))], 0.8),
             pace=SLOW)
    act.cue("weight")
    act.move(FadeIn(weight, shift=UP * px(16)), rows.names[3])
    act.move(rows.computed(4, 2, 3), pace=EASY)
    # What the numbers leave out of the rule.
    act.cue("eps")
    guard = Label(act.label("epsilon"), BODY, "muted").next_to(formula, DOWN, buff=px(14))
    act.move(guard.align_to(formula, LEFT), pace=EASY)
