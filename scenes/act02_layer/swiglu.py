"""SwiGLU: one token through the MLP, number by number."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.kit import (
    BODY,
    NOTE,
    STAGE,
    Formula,
    Grid,
    Label,
    ProductLine,
    arrow,
    elementwise,
    number,
    px,
    ring,
    shape_text,
)
from scenes.lessons.layer import Swiglu, shown_swiglu
from scenes.lessons.rounding import factor_texts, text
from scenes.stage import BRISK, QUICK, SLOW, STEADY, Act, beat

__all__ = ["swiglu"]

CELL = (62, 58)  # px of a cell with a whole number
EFFECTS = {"shrink": lambda gate: 0 < gate < 1, "amplify": lambda gate: gate > 1,
           "flip": lambda gate: gate < 0}


@beat(anchors="models/qwen3.py:113")
def swiglu(act: Act) -> None:
    # Three tokens; one of them is followed.
    one, written = act.story.mlp[0], shown_swiglu(act.story.mlp[0])
    x = _grid([token.x for token in act.story.mlp]).move_to(STAGE.at(0, 150, DOWN + LEFT), LEFT)
    name = number(f"X {shape_text(x.shape)}", NOTE).next_to(x, UP, buff=px(24))
    act.move(x, name, pace=BRISK)
    act.move(ring(x.row(0)), pace=QUICK)
    wide, matrix = _widen(act, one, x)
    act.next_line()
    act.move(FadeOut(matrix), pace=BRISK)
    gate, silu, up, gated, beside = _gate(act, one, wide, x)
    beside.append(_effects(act, one, (silu, up, gated)))
    act.next_line()
    # Back to four numbers; the other tokens go this way by themselves.
    y = Grid([list(map(text, shown_swiglu(token).mix.totals)) for token in act.story.mlp], "ink",
             (106, 58), 32).move_to([STAGE.right, x.get_y(), 0], RIGHT)
    w = _grid(one.down_weight, "ink", (106, 54)).next_to(y, UP, buff=px(40))
    down = number(f"down_proj {shape_text(w.shape)}", NOTE).next_to(w, UP, buff=px(24))
    act.move(w, down, map(FadeOut, (gate, silu, up, *beside)))
    column = _largest(written.mix.totals)
    line = ProductLine(factor_texts(written.mix.weights, one.down_weight[:, column]),
                       text(written.mix.totals[column]), 34,
                       equals="=" if written.mix.exact else "≈")
    line.next_to(gated, UP, buff=px(120)).align_to(STAGE.at(0, 0, LEFT), LEFT)
    focus = _work_out(act, line, gated, w, y, column, (36, STEADY))
    act.move(FadeOut(focus), ring(y.row(0)), _rest(y, column), pace=BRISK)
    _others(act, x, y)


def _grid(rows: Sequence[Sequence], roles: str | list[str] = "ink",
          cell: tuple[float, float] = CELL) -> Grid:
    return Grid([list(map(text, row)) for row in rows], roles, cell, 32)


def _largest(values: Sequence) -> int:
    """Where the value of most weight stands."""
    return max(range(len(values)), key=lambda k: abs(values[k]))


def _work_out(act: Act, line: ProductLine, x: Grid, w: Grid, y: Grid, column: int,
              paces: tuple[int, int]) -> VGroup:
    """Row 0 of x times one column of w, product by product, into row 0 of y; the ring on w."""
    focus, flight = ring(w.column(column)), VGroup(*(cell[1] for cell in w.column(column)))
    act.move(focus, VGroup(*(cell[0] for cell in y.row(0))), pace=QUICK)
    lefts = [cell[1] for cell in x.row(0)]
    counts = [a.text != "0" and b.text != "0" for a, b in zip(lefts, flight)]
    act.move(line.fly(lefts, flight, 0.6, counts), pace=paces[0])
    act.move(line.add_up(), pace=QUICK)
    act.move(line.deliver(y.label(0, column)), pace=paces[1])
    return focus


def _rest(y: Grid, column: int) -> list:
    """The other numbers of row 0."""
    return [cell[1] for c, cell in enumerate(y.row(0)) if c != column]


def _widen(act: Act, one: Swiglu, x: Grid) -> tuple[Grid, VGroup]:
    # x times W_gate_up: twelve numbers under the matrix, in two halves of six.
    half = len(one.gate)
    roles = ["d"] * half + ["e"] * half
    w, y = _grid(one.gate_up_weight, roles), _grid([one.gate_up], roles)
    y.move_to([STAGE.at(350, 0, LEFT)[0], x.row(0).get_y(), 0], LEFT)
    w.next_to(y, UP, buff=px(52))
    heads = [w.header(0, half - 1, "gate", "d"), w.header(half, 2 * half - 1, "up", "e")]
    name = number(f"gate_up_proj {shape_text(w.shape)}", NOTE)
    name.next_to(w, RIGHT, buff=px(40)).align_to(w, UP)
    act.move(w, name, heads)
    column = _largest(one.gate)
    line = ProductLine(factor_texts(one.x, one.gate_up_weight[:, column]),
                       text(one.gate[column]), 32).next_to(w, RIGHT, buff=px(40))
    focus = _work_out(act, line, x, w, y, column, (SLOW, BRISK))
    act.move(FadeOut(focus), FadeOut(line),
             LaggedStart(*map(FadeIn, _rest(y, column)), lag_ratio=0.1), pace=BRISK)
    return y, VGroup(w, name, *heads)


def _gate(act: Act, one: Swiglu, wide: Grid, x: Grid) -> tuple:
    # The halves part; SiLU(gate) times up, number by number.
    written = shown_swiglu(one)
    rows = (("gate", one.gate, "d"), ("silu", written.silu, "d"), ("up", one.up, "e"),
            ("act", written.mix.weights, "focus"))
    corner = [STAGE.at(590, 0, LEFT)[0], x.row(0).get_y(), 0]
    grids = gate, silu, up, gated = [
        _grid([values], role, (112, 58)).move_to(corner, LEFT).shift(UP * px(124 * (3 - k)))
        for k, (_, values, role) in enumerate(rows)]
    names = [Label(act.label(f"mlp_{key}"), 28, role).next_to(grid, LEFT, buff=px(22))
             for (key, _, role), grid in zip(rows, grids)]
    act.move((cell.animate.move_to(place) for cell, place in zip(wide, [*gate, *up])), pace=27)
    act.remove(*wide)
    act.add(gate, up)
    formula = Formula('"SiLU"(g) = g / (1 + e^(-g))', 60).next_to(gate, UP, buff=px(50))
    act.move(names[0], names[2], formula, pace=BRISK)
    act.move(elementwise([gate], silu), names[1], pace=SLOW)
    act.move(elementwise([silu, up], gated), names[3], pace=27)
    return gate, silu, up, gated, [formula, VGroup(*names[:3])]


def _effects(act: Act, one: Swiglu, rows: tuple[Grid, Grid, Grid]) -> VGroup:
    """What a gate does to its partner, in three columns, one word each."""
    words = VGroup()
    for key, does in EFFECTS.items():
        column = _largest([g * u if does(g) else 0 for g, u in zip(one.silu, one.up)])
        cells = [row.cell(0, column) for row in rows]
        word = Label(act.label(key), 26, "focus", "semibold")
        word.move_to((cells[1].get_bottom() + cells[2].get_top()) / 2)
        words.add(VGroup(ring(VGroup(*cells), "focus", 4), word))
        act.move(words[-1], pace=BRISK)
    return words


def _others(act: Act, x: Grid, y: Grid) -> None:
    """The other tokens' rows come, each by itself."""
    ways = VGroup(*(arrow(x.cell(r, 3).get_right(), y.cell(r, 0).get_left(), "muted", 14)
                    for r in (1, 2)))
    for r, way in zip((1, 2), ways):
        act.move(way, FadeIn(y.row(r), shift=RIGHT * px(20)))
    act.move(number(f"Y {shape_text(y.shape)}", NOTE).next_to(y, DOWN, buff=px(20)),
             Label(act.label("alone"), BODY, "muted").next_to(ways, DOWN, buff=px(24)), pace=QUICK)
