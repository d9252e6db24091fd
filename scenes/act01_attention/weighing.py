"""In the table: what the mask hides, and how a row of scores becomes a row of weights."""

from typing import Any

import numpy as np
from manim import DOWN, RIGHT, AnimationGroup, Mobject, VGroup

from scenes.act01_attention.pieces import LIFT, PLACES, WIDE, box_of, put, settle, token, write_row
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, Label, arc, come, hide, in_turn, number, paint, px, raised,
                        reading_arc, ring, weight_arcs)
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["mask", "softmax"]

NEXT = 825  # px: where the token to be predicted stands
FORMULA = (460, -278)  # px: what is done to the row, beside it


@beat("masked_at", carries="table heads tokens", variant="masking")
def mask(act: Act) -> None:
    # A fourth place: each token predicts the one after it.
    table, tokens, causal = act.kept.table, act.kept.tokens, act.params.causal
    act.move(settle(act, tokens, [(at, LIFT) for at in PLACES]), pace=BRISK)
    line = [*tokens, token("?").move_to(FRAME.at(NEXT, LIFT))]
    line[3][0].set_fill(opacity=0)
    mark = ring(table.row(0))
    act.cue("next")
    ways = [_predicts(line, n) for n in range(3)]
    predicts = Label(act.label("predicts"), 38, "muted").move_to(FRAME.at(262, -190))
    act.move(mark, line[3], ways[0], predicts, pace=EASY)
    # The first token's row: arcs from the future, cut.
    future = VGroup(*(reading_arc(tokens, source, 0, 0.4, "stop" if causal else "d")
                      for source in (1, 2)))
    word = Label(act.label("cheats" if causal else "reads"), 38, "stop" if causal else "d").move_to(
        FRAME.at(375, 225))
    act.cue("peek")
    act.move(in_turn(future, 0.6), word, pace=SLOW)
    own = reading_arc(tokens, 0, 0, 0.4)
    act.cue("cut")
    act.move([leave(future), leave(word)] if causal else own, pace=EASY)
    act.cue("hide")
    act.move(_hide(act, 0) if causal else ring(table.row(0), "ink", 4), own if causal else None,
             pace=EASY)
    shown = VGroup(own, *([] if causal else [future, word]))
    for n, cue in ((1, "second"), (2, "third")):
        act.cue(cue)
        seen = [j for j in range(3) if act.story.lesson.heads[0].mask[n][j]]
        arcs = VGroup(*(reading_arc(tokens, j, n, 0.4) for j in seen))
        act.move(mark.animate.move_to(table.row(n)), leave(shown), _hide(act, n), pace=EASY)
        act.move(in_turn(arcs, 0.4), ways[n], pace=EASY)
        shown = arcs
    # The diagonal stays.
    act.cue("diagonal")
    loops = [reading_arc(tokens, n, n, 0.4, "focus") for n in range(3)]
    act.move(leave(mark), leave(shown), in_turn([ring(table.cell(n, n)) for n in range(3)]
             if causal else [ring(table.row(n)) for n in range(3)], 0.4), pace=SLOW)
    act.cue("self")
    act.move(in_turn(loops, 0.4) if causal else in_turn(
        (reading_arc(tokens, j, 0, 0.4) for j in range(3)), 0.4), pace=SLOW)
    act.cue("guess")
    act.move([way.animate.set_color(paint("ink")) for way in ways], pace=EASY)


def _predicts(line: list, n: int) -> VGroup:
    """Under the tokens, from one to the next."""
    ends = [one.get_bottom() + DOWN * px(12) for one in line[n:n + 2]]
    return arc(ends[0] + RIGHT * px(20), ends[1] + RIGHT * px(-20), 1.2, "muted", 4)


def _hide(act: Act, n: int) -> Any:
    """The later scores of row n give way to minus infinity."""
    later = np.flatnonzero(~act.story.lesson.heads[0].mask[n])
    cells = [act.kept.table.cell(n, j) for j in later]
    covers, numbers = hide(cells, 60)
    for cell, cover in zip(cells, covers):
        cell.add(cover)
    return [leave(numbers), covers] if len(covers) else None


@beat("layers/attention.py:67", carries="table heads tokens", variant="masking")
def softmax(act: Act) -> None:
    # One row, step by step; beside it stands what is done to it.
    table, safety, facts = act.kept.table, act.story.safety, act.story.facts
    row, tokens = list(table.row(QUERY)), act.kept.tokens
    mark = ring(table.row(QUERY))
    act.move(settle(act, tokens, [(at, LIFT) for at in WIDE]), pace=BRISK)
    arcs = VGroup(*(reading_arc(tokens, n, QUERY, 0, "muted") for n in range(3)))
    act.cue("row")
    act.move(mark, in_turn(arcs, 0.4), pace=EASY)
    act.cue("power")
    does = _Beside()
    act.move(does.say(power=True), pace=EASY)
    act.cue("lift")
    act.move(does.say(f"+ {facts['lift']}"), write_row(row, safety.lifted, 46), pace=SLOW)
    act.cue("limit")
    act.move(does.say(power=True), write_row(row, safety.overflown, 72),
             mark.animate.set_color(paint("stop")), pace=SLOW)
    # Back, and less the largest: the same weights without the overflow.
    act.cue("largest")
    act.move(write_row(row, safety.row), does.say(f"− {facts['top']}"),
             mark.animate.set_color(paint("focus")), pace=SLOW)
    act.cue("zero")
    act.move(write_row(row, safety.differences, 52), pace=SLOW)
    act.cue("safe")
    act.move(does.say(power=True), write_row(row, safety.small), pace=SLOW)
    act.cue("sum")
    written, head = act.story.heads[0], act.story.lesson.heads[0]
    equals = "=" if act.story.lesson.shown[0].exps[QUERY].exact else "≈"
    act.move(does.say(f"{' + '.join(written.exps[QUERY])} {equals} {facts['sum']}", 44), pace=EASY)
    act.cue("divide")
    act.move(does.say(f"÷ {facts['sum']}"), write_row(row, written.weights[QUERY]), pace=SLOW)
    act.cue("weights")
    act.move([box_of(cell, weight) for cell, weight in zip(row, head.weights[QUERY])],
             [way.animate.become(goal) for way, goal in
              zip(arcs, weight_arcs(tokens, head.weights[QUERY]))], pace=SLOW)
    act.keep(arcs=arcs)
    _other_rows(act, does, mark)


class _Beside:
    """What is done to the row, written beside it: one thing at a time."""

    def __init__(self) -> None:
        self.shown: Mobject | None = None

    def say(self, text: str = "", size: float = 64, power: bool = False) -> list:
        """Animations: `text`, or e to the x, takes the place of what was said before."""
        gone = [] if self.shown is None else [leave(self.shown)]
        made = raised("e", "x", 84) if power else number(text, size, "focus", "bold")
        self.shown = made.move_to(FRAME.at(*FORMULA)) if text or power else None
        return [*gone, *([come(self.shown)] if self.shown else [])]


def _other_rows(act: Act, does: _Beside, mark: Any) -> None:
    """What is hidden weighs nothing; the other rows likewise; every row sums to 1."""
    table, written, head = act.kept.table, act.story.heads[0], act.story.lesson.heads[0]
    hidden = [table.cell(*where) for where in np.argwhere(~head.mask)]
    act.cue("gone")
    act.move(does.say("exp(−∞) = 0"), leave(mark), pace=EASY)
    act.cue("nil")
    if hidden:
        act.move(write_row(hidden, ["0"] * len(hidden)), pace=SLOW)
    act.cue("others")
    cells = [(r, c) for r in range(QUERY) for c in range(3) if head.mask[r, c]]
    act.move(in_turn([AnimationGroup(*put(table.cell(*at), written.weights[at[0]][at[1]]))
                      for at in cells], 0.3),
             [box_of(table.cell(r, c), head.weights[r, c]) for r in range(QUERY)
              for c in range(3)], pace=VERY_SLOW)
    act.cue("one")
    act.move(does.say(""), [number(text, 44, "focus", "bold").next_to(table.row(r), RIGHT, px(20))
                            for r, text in enumerate(written.ones)], pace=EASY)
