"""SwiGLU: one token through the MLP, number by number."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.kit import BODY, NOTE, STAGE, Formula, Grid, Label, NamedRows, Row, RowProduct, arrow
from scenes.kit import number, px, ring, shape_text
from scenes.lessons.layer import Swiglu, shown_swiglu
from scenes.lessons.rounding import text
from scenes.stage import BRISK, QUICK, SLOW, STEADY, Act, beat

__all__ = ["swiglu"]

EFFECTS = {"shrink": lambda gate: 0 < gate < 1, "amplify": lambda gate: gate > 1,
           "flip": lambda gate: gate < 0}


@beat(anchors="models/qwen3.py:113")
def swiglu(act: Act) -> None:
    # Three tokens; one of them is followed.
    x = _grid([token.x for token in act.story.mlp]).move_to(STAGE.at(0, 150, DOWN + LEFT), LEFT)
    act.move(x, _named("X", x).next_to(x, UP, buff=px(24)), pace=BRISK)
    act.move(ring(x.row(0)), pace=QUICK)
    wide, matrix = _widen(act, act.story.mlp[0], x)
    act.next_line()
    act.move(FadeOut(matrix), pace=BRISK)
    gated, beside = _gate(act, act.story.mlp[0], wide, x)
    act.next_line()
    _narrow(act, gated, beside, x)


def _grid(rows: Sequence[Sequence], roles: str | list[str] = "ink",
          cell: tuple[float, float] = (62, 58)) -> Grid:
    return Grid([list(map(text, row)) for row in rows], roles, cell, 32)


def _named(name: str, grid: Grid) -> Label:
    """A matrix' name and shape."""
    return number(f"{name} {shape_text(grid.shape)}", NOTE)


def _largest(values: Sequence) -> int:
    """Where the value of most weight stands."""
    return max(range(len(values)), key=lambda k: abs(values[k]))


def _widen(act: Act, one: Swiglu, x: Grid) -> tuple[Grid, VGroup]:
    # x times W_gate_up: twelve numbers under the matrix, in two halves of six.
    half = len(one.gate)
    roles = ["d"] * half + ["e"] * half
    w, y = _grid(one.gate_up_weight, roles), _grid([one.gate_up], roles)
    y.move_to([STAGE.at(350, 0, LEFT)[0], x.row(0).get_y(), 0], LEFT)
    w.next_to(y, UP, buff=px(52))
    heads = [w.header(0, half - 1, "gate", "d"), w.header(half, 2 * half - 1, "up", "e")]
    name = _named("gate_up_proj", w).next_to(w, RIGHT, buff=px(40)).align_to(w, UP)
    act.move(w, name, heads)
    product = RowProduct(x, w, y, _largest(one.gate), 32)
    product.line.next_to(w, RIGHT, buff=px(40))
    for pace, movement in zip((QUICK, SLOW, QUICK, BRISK), product.movements()):
        act.move(movement, pace=pace)
    act.move(FadeOut(product.focus), FadeOut(product.line),
             LaggedStart(*map(FadeIn, product.others), lag_ratio=0.1), pace=BRISK)
    return y, VGroup(w, name, *heads)


def _gate(act: Act, one: Swiglu, wide: Grid, x: Grid) -> tuple[Grid, list]:
    # The halves part; SiLU(gate) times up, number by number.
    written = shown_swiglu(one)
    rows = NamedRows([Row(act.label(f"mlp_{key}"), list(map(text, values)), role)
                      for key, values, role in (
                          ("gate", one.gate, "d"), ("silu", written.silu, "d"),
                          ("up", one.up, "e"), ("act", written.mix.weights, "focus"))],
                     (112, 58), 32, 66, 28, 22)
    rows.put(3, [STAGE.at(590, 0, LEFT)[0], x.row(0).get_y(), 0])
    gate, silu, up, gated = rows.grids
    act.move((cell.animate.move_to(place) for cell, place in zip(wide, [*gate, *up])), pace=27)
    act.remove(*wide)
    act.add(gate, up)
    formula = Formula('"SiLU"(g) = g / (1 + e^(-g))', 60).next_to(gate, UP, buff=px(50))
    act.move(rows.names[0], rows.names[2], formula, pace=BRISK)
    act.move(rows.computed(1, 0), pace=SLOW)
    act.move(rows.computed(3, 1, 2), pace=27)
    # What a gate does to its partner, in three columns, one word each.
    effects = VGroup()
    for key, does in EFFECTS.items():
        column = _largest([g * u if does(g) else 0 for g, u in zip(one.silu, one.up)])
        effects.add(rows.effect(column, (1, 2, 3), act.label(key)))
        act.move(effects[-1], pace=BRISK)
    return gated, [gate, silu, up, formula, effects, VGroup(*rows.names[:3])]


def _narrow(act: Act, gated: Grid, beside: list, x: Grid) -> None:
    # Gated times W_down: back to four numbers.
    mixes = [shown_swiglu(token).mix for token in act.story.mlp]
    y = _grid([m.totals for m in mixes], cell=(106, 58))
    y.move_to([STAGE.right, x.get_y(), 0], RIGHT)
    w = _grid(act.story.mlp[0].down_weight, cell=(106, 54)).next_to(y, UP, buff=px(40))
    act.move(w, _named("down_proj", w).next_to(w, UP, buff=px(24)), map(FadeOut, beside))
    product = RowProduct(gated, w, y, _largest(mixes[0].totals), 34,
                         "=" if mixes[0].exact else "≈")
    product.line.next_to(gated, UP, buff=px(120)).align_to(STAGE.at(0, 0, LEFT), LEFT)
    for pace, movement in zip((QUICK, 36, QUICK, STEADY), product.movements()):
        act.move(movement, pace=pace)
    act.move(FadeOut(product.focus), ring(y.row(0)), product.others, pace=BRISK)
    # The other tokens' rows come, each by itself.
    ways = VGroup(*(arrow(x.cell(r, 3).get_right(), y.cell(r, 0).get_left(), "muted", 14)
                    for r in (1, 2)))
    for r, way in zip((1, 2), ways):
        act.move(way, FadeIn(y.row(r), shift=RIGHT * px(20)))
    act.move(_named("Y", y).next_to(y, DOWN, buff=px(20)),
             Label(act.label("alone"), BODY, "muted").next_to(ways, DOWN, buff=px(24)), pace=QUICK)
