"""Which scores are hidden, and why the diagonal is not."""

import numpy as np
from manim import LEFT, RIGHT, UP, FadeIn, VGroup

from scenes.kit import NOTE, Grid, ReadingStrip, caption, hide, in_turn, px, ring
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["mask"]

PITCH = 176  # px from token to token
BESIDE = 330  # px between the scores and the tokens that are read


@beat("masked_at", carries="scaled axes trail", variant="masking")
def mask(act: Act) -> None:
    # Beside each query, the tokens that it may read and the one that it predicts.
    scaled, ids = act.kept.scaled, [*map(str, act.params.ids), "?"]
    strips = [ReadingStrip(ids, n, act.params.causal, PITCH).next_to(row, buff=px(BESIDE))
              for n, row in enumerate(scaled.rows)]
    names = [caption(strip, act.label("position", n=n), NOTE, LEFT, 40)
             for n, strip in enumerate(strips)]
    act.move(caption(scaled, act.label("queries"), side=LEFT, gap=84, role="q"),
             caption(scaled, act.label("keys"), side=UP, gap=70, role="k"), pace=QUICK)
    hidden = VGroup()
    # The first position, slowly: what it reads, what it predicts, what it must not see.
    act.cue("next")
    act.move(names[0], _come(strips[0].tokens),
             caption(strips[0].tokens, act.label("reads"), NOTE, UP, 30), pace=EASY)
    act.cue("predicts")
    predicted = strips[0].predicts
    act.move([_come(predicted), caption(predicted[1:], act.label("predicts"), NOTE, UP, 30)]
             if act.params.causal else ring(scaled.row(0), "ink", 4), pace=BRISK)
    act.cue("hide")
    act.move(_hide(act, scaled, 0, hidden), pace=SLOW)
    # The others likewise.
    for n, cue in ((1, "second"), (2, "third")):
        act.cue(cue)
        act.move(names[n], _come(strips[n]), _hide(act, scaled, n, hidden), pace=EASY)
    _open_cells(act, scaled, strips)
    act.keep(masked=VGroup(scaled, hidden, act.kept.axes), trail=act.kept.trail)


def _come(part: VGroup) -> FadeIn:
    return FadeIn(part, shift=RIGHT * px(16))


def _hide(act: Act, scaled: Grid, n: int, hidden: VGroup) -> list:
    """What hides the later scores of row n; without a mask a frame shows that all of it stays."""
    later = np.flatnonzero(~act.story.lesson.heads[0].mask[n])
    covers, numbers = hide(scaled.cell(n, j) for j in later)
    hidden.add(*covers)
    if act.params.causal:
        return [leave(numbers), covers] if len(covers) else []
    return [ring(scaled.row(n), "ink", 4)]


def _open_cells(act: Act, scaled: Grid, strips: list[ReadingStrip]) -> None:
    """What stays visible: the diagonal, or all of it."""
    causal = act.params.causal
    act.cue("diagonal")
    act.move(in_turn([ring(scaled.cell(n, n)) for n in range(3)] if causal
                     else [ring(row) for row in scaled.rows], 0.5), pace=SLOW)
    act.cue("self")
    act.move([ring(strip.tokens[n] if causal else strip.tokens, "focus", 5, 4)
              for n, strip in enumerate(strips)], pace=EASY)
