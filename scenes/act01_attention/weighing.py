"""In the table: what the mask hides, and how a row of scores becomes a row of weights."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from manim import DOWN, LEFT, RIGHT, AnimationGroup, Mobject, VGroup

from scenes.act01_attention.pieces import (CENTRED, LIFT, NEAR, PLACES, SIZE, WIDE, box_of,
                                           settle, tokens_in)
from scenes.act01_attention.story import QUERY
from scenes.kit import (FRAME, Label, arc, come, hide, in_turn, number, paint, put, put_all, px,
                        raised, reading_arc, ring, token, weight_arcs)
from scenes.kit.base.motion import dim, leave, replace
from scenes.stage import BLINK, BRISK, EASY, SLOW, VERY_SLOW, Act, beat

__all__ = ["mask", "softmax"]

NEXT = 812  # px: where the token to be predicted stands
BESIDE = (460, -278)  # px: what is done to the row
THICK = 0.4  # of an arc while nothing is weighed yet


@beat("masked_at", carries="table heads", variant="masking")
def mask(act: Act) -> None:
    # A fourth place: each token predicts the one after it.
    table, tokens = act.kept.table, tokens_in(act, [(at, LIFT) for at in PLACES], NEAR)
    act.keep(tokens=tokens)
    act.move(VGroup(table, act.kept.heads).animate.shift(LEFT * px(CENTRED)), pace=EASY)
    act.move(in_turn(tokens, 0.4), pace=BRISK)
    line = [*tokens, token("?", NEAR).move_to(FRAME.at(NEXT, LIFT))]
    line[3][0].set_fill(opacity=0)
    mark, ways = ring(table.row(0)), [_predicts(line, n) for n in range(3)]
    act.cue("next")
    act.move(mark, line[3], ways[0], Label(act.label("predicts"), 38, "muted").move_to(
        FRAME.at(262, -190)), pace=EASY)
    shown = _cut(act)
    for n, cue in ((1, "second"), (2, "third")):
        arcs = _reads(act, n)
        act.cue(cue)
        act.move(mark.animate.move_to(table.row(n)), leave(shown), _hide(act, n), pace=EASY)
        act.move(in_turn(arcs, 0.4), ways[n], pace=BRISK)
        shown = arcs
    # The diagonal stays.
    causal = act.params.causal
    act.cue("diagonal")
    act.move(leave(mark), leave(shown), in_turn([
        ring(table.cell(n, n) if causal else table.row(n)) for n in range(3)], 0.4), pace=SLOW)
    act.cue("self")
    act.move(in_turn([reading_arc(tokens, n, n, THICK, "focus") for n in range(3)] if causal
                     else _reads(act, 0), 0.4), pace=SLOW)
    act.cue("guess")
    act.move([way.animate.set_color(paint("ink")) for way in ways], pace=EASY)


def _cut(act: Act) -> VGroup:
    """The first token's arcs from the future, cut by the mask if there is one; what then stays."""
    causal, tokens = act.params.causal, act.kept.tokens
    role, key = ("stop", "cheats") if causal else ("d", "reads")
    future = VGroup(*(reading_arc(tokens, source, 0, THICK, role) for source in (1, 2)))
    word = Label(act.label(key), 38, role).move_to(FRAME.at(375, 225))
    act.cue("peek")
    act.move(in_turn(future, 0.6), pace=SLOW)
    act.cue("future")
    act.move(word, pace=EASY)
    own = reading_arc(tokens, 0, 0, THICK)
    act.cue("cut")
    act.move([leave(future), leave(word), _hide(act, 0)] if causal else own, pace=SLOW)
    act.cue("hide")
    act.move(own if causal else ring(act.kept.table.row(0), "ink", 4), pace=EASY)
    return own if causal else VGroup(own, future, word)


def _reads(act: Act, n: int) -> VGroup:
    """Arcs into token n from all that it may read."""
    seen = np.flatnonzero(act.story.lesson.heads[0].mask[n])
    return VGroup(*(reading_arc(act.kept.tokens, j, n, THICK) for j in seen))


def _predicts(line: Sequence[Mobject], n: int) -> VGroup:
    """Under the tokens, from one to the next."""
    ends = [one.get_bottom() + DOWN * px(12) for one in line[n:n + 2]]
    return arc(ends[0] + RIGHT * px(20), ends[1] - RIGHT * px(20), 1.2, "muted", 4)


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
    row, tokens, mark = table.row(QUERY), act.kept.tokens, ring(table.row(QUERY))
    act.move(settle(act, tokens, [(at, LIFT) for at in WIDE]), pace=BRISK)
    arcs, does = weight_arcs(tokens, [0, 0, 0], "muted"), _Beside()
    waiting = [part for r in range(QUERY) for _, *parts in table.row(r) for part in parts]
    act.cue("row")
    act.move(mark, [dim(part, 0.7) for part in waiting], in_turn(arcs, 0.4), pace=EASY)
    act.cue("power")
    act.move(does.say(power="x"), _by_cell(row, safety.powers, SIZE), pace=SLOW)
    act.cue("lift")
    act.move(does.say(f"+ {facts['lift']}"), _by_cell(row, safety.lifted, SIZE), pace=SLOW)
    over = Label(act.label("overflow"), 38, "stop").move_to(FRAME.at(BESIDE[0], -352))
    act.cue("limit")
    act.move(does.say(power="x"), _by_cell(row, safety.overflown, 72), over,
             mark.animate.set_color(paint("stop")), pace=SLOW)
    # Back, and less the largest: the same weights without the overflow.
    act.cue("largest")
    act.move(_by_cell(row, safety.row, SIZE), does.say(), leave(over), leave(mark), pace=BRISK)
    act.move(largest := ring(row[safety.top]), pace=BLINK)
    act.cue("zero")
    act.move(replace(largest, mark := ring(row)), pace=BRISK)
    act.move(_by_cell(row, safety.differences, 52), does.say(f"− {facts['top']}"), pace=BRISK)
    act.cue("same")
    act.move(does.say(), pace=EASY)
    act.cue("safe")
    act.move(does.say(power="x"), _by_cell(row, safety.small, SIZE), pace=SLOW)
    _divide(act, does)
    _other_rows(act, does, mark)
    act.keep(arcs=arcs)


def _by_cell(cells: Iterable[VGroup], texts: Iterable[str], size: float) -> Any:
    """Animation: one number after another gives way to its next, each in its own cell."""
    return in_turn([AnimationGroup(*put(cell, text, size))
                    for cell, text in zip(cells, texts)], 0.5)


class _Beside:
    """What is done to the row, written beside it: one thing at a time."""

    def __init__(self) -> None:
        self.shown: Mobject | None = None

    def say(self, text: str = "", size: float = 64, power: str = "") -> list:
        """Animations: `text`, after e to a `power`, takes the place of what was said before."""
        old = self.shown
        parts = [*([raised("e", power, 84)] if power else ()),
                 *([number(text, size, "focus", "bold")] if text else ())]
        self.shown = VGroup(*parts).arrange(RIGHT, px(30), aligned_edge=DOWN).move_to(
            FRAME.at(*BESIDE)) if parts else None
        if old and self.shown:
            return replace(old, self.shown)
        return [leave(old)] if old else [come(self.shown)] if self.shown else []


def _divide(act: Act, does: _Beside) -> None:
    """The row is added up and divided by its sum."""
    row, written, head = act.kept.table.row(QUERY), act.story.heads[0], act.story.lesson.heads[0]
    facts, weights = act.story.facts, head.weights[QUERY]
    act.cue("sum")
    act.move(does.say(str(facts["addition"]), 44), pace=EASY)
    act.cue("divide")
    act.move(does.say(f"÷ {facts['sum']}"), _by_cell(row, written.weights[QUERY], SIZE), pace=SLOW)
    act.cue("weights")
    act.move([*map(box_of, row, weights)], does.say(), pace=SLOW)


def _other_rows(act: Act, does: _Beside, mark: Any) -> None:
    """What is hidden weighs nothing; the other rows likewise; every row sums to 1."""
    table, written, head = act.kept.table, act.story.heads[0], act.story.lesson.heads[0]
    hidden = [table.cell(*where) for where in np.argwhere(~head.mask)]
    act.cue("gone")
    act.move(does.say("= 0", power="−∞"), leave(mark), pace=EASY)
    act.cue("nil")
    if hidden:
        act.move(put_all(hidden, ["0"] * len(hidden), SIZE), pace=SLOW)
    act.cue("others")
    cells = [(r, c) for r in range(QUERY) for c in range(3) if head.mask[r, c]]
    act.move(_by_cell((table.cell(*where) for where in cells),
                      (written.weights[r][c] for r, c in cells), SIZE),
             [box_of(table.cell(r, c), head.weights[r, c]) for r in range(QUERY)
              for c in range(3)], pace=VERY_SLOW)
    act.cue("one")
    act.move(does.say(), [number(text, 44, "focus", "bold").next_to(table.row(r), RIGHT, px(16))
                          for r, text in enumerate(written.ones)], pace=EASY)
