"""Which scores are hidden, and why the diagonal is not."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeIn, VGroup

from scenes.act01_attention.matrices import GROWN, LARGE
from scenes.act01_attention.story import QUERY
from scenes.kit import NOTE, Grid, Label, ReadingStrip, caption, hide, in_turn, number, px, ring
from scenes.kit.base.motion import leave
from scenes.stage import EASY, QUICK, SLOW, VERY_SLOW, Act, beat

__all__ = ["mask"]


@beat("masked_at", carries="scaled axes trail", variant="masking")
def mask(act: Act) -> None:
    # Beside each query, the tokens that it may read.
    scaled, axes, ids = act.kept.scaled, act.kept.axes, [*map(str, act.params.ids), "?"]
    strips = VGroup(*(
        ReadingStrip(ids, i, act.params.causal, GROWN * LARGE[0]).next_to(row, buff=px(190))
        for i, row in enumerate(scaled.rows)))  # below each key the token that it belongs to
    keys = caption(scaled, act.label("keys"), side=UP, gap=70, role="k")
    above = [number(axis.text, 36, "k").move_to(cell).match_y(axis)
             for cell, axis in zip(strips[0].tokens, axes[3:])]
    act.move(caption(scaled, act.label("queries"), side=LEFT, gap=84, role="q"), keys,
             pace=QUICK)
    act.cue("beside")
    inside = Label(act.label("ids_inside"), NOTE).align_to(strips, LEFT).match_y(keys)
    act.move(above, inside, in_turn([FadeIn(strip, shift=RIGHT * px(16)) for strip in strips]),
             pace=SLOW)
    looks = ("reads", "hidden", "predicts") if act.params.causal else ("reads",)
    act.cue("next")
    act.move(ReadingStrip.legend(*map(act.label, looks)).next_to(strips, DOWN, buff=px(64)),
             pace=EASY)
    # The later keys are hidden, query by query.
    hidden = VGroup()
    for i, cue in enumerate(("hide", "become")):
        later = np.flatnonzero(~act.story.lesson.heads[0].mask[i])
        covers, numbers = hide(scaled.cell(i, j) for j in later)
        act.cue(cue)
        act.move([leave(numbers), covers] if len(covers) else ring(scaled.row(i), "ink", 4),
                 pace=EASY)
        hidden.add(*covers)
    _open_cells(act, scaled, strips)
    masked = VGroup(scaled, hidden, axes)
    act.keep(masked=masked, trail=act.kept.trail)


def _open_cells(act: Act, scaled: Grid, strips: VGroup) -> None:
    """What stays visible: the diagonal, or all of it."""
    rings = ([(ring(scaled.cell(i, i)), ring(strips[i].tokens[i])) for i in range(3)]
             if act.params.causal else [ring(row) for row in scaled.rows])
    act.cue("diagonal")
    act.move(in_turn([VGroup(*pair) for pair in rings], 0.5), pace=VERY_SLOW)
    act.cue("self")
    last = strips[QUERY]
    act.move(ring(VGroup(*last.tokens[:QUERY + 1]), "focus", 6, 12), pace=EASY)
