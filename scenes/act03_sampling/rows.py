"""Where things stand: the sentence above, and below it the rows of the candidates.

The rows keep their words and places from the logits to the last race: only what stands in them
changes. A row each for the LANES best tokens, and one for all others.
"""

import numpy as np
from manim import LEFT, RIGHT, UP, DashedLine, Mobject, VGroup

from scenes.act03_sampling.story import LANES
from scenes.kit import STAGE, Chip, Chips, Label, mix, number, paint, place, px, visible
from scenes.stage import Act

__all__ = ["FOOT", "GUTTER", "LIFT", "PITCH", "ROLES", "SIZE", "START", "TOKEN", "dimmed",
           "divider", "floor", "hole_after", "landed", "name_rows", "row", "sentence"]

PITCH = 74  # px from row to row
FOOT = 300  # px from the stage's left to where the rows begin
START = 500  # px to where tracks begin, behind a column of figures
SIZE = 44  # px: names and figures
TOKEN = 64  # px: a token of the sentence
ROLES = ("d", "e", *["muted"] * (LANES - 1))  # of the best token, the second, all others
_HOLE = 200  # px: room for the next token
_TOP = 176  # px from the stage's top to the middle of the first row
LIFT = UP * px(_TOP - PITCH / 2)  # the rows move up by that where the sentence is not needed
GUTTER = STAGE.top - px(96)  # between the sentence and the rows


def row(k: float, x: float = 0) -> np.ndarray:
    """A point in the middle of row k, x px right of the stage's left edge."""
    return floor(_TOP + PITCH * k, x)


def floor(y: float, x: float = 0) -> np.ndarray:
    """A point y px under the stage's top, x px from its left."""
    return np.array(STAGE.at(x, -y, UP + LEFT))


def sentence(act: Act) -> Chips:
    """The prompt's tokens in one line, as large as leaves room for one more."""
    texts = act.story.journey.texts[:act.story.journey.known]
    lines = (Chips(texts, "k", "ra", 9999, size, TOKEN, 6) for size in range(46, 26, -2))
    line = next(line for line in lines if line.width < STAGE.width - px(_HOLE + 6))
    return STAGE.place(line, UP + LEFT)


def divider() -> DashedLine:
    """Between the tokens, a row each, and the row of all others, which is many."""
    return DashedLine(row(LANES - 0.5), row(LANES - 0.5, STAGE.width / px(1)), stroke_width=2,
                      dash_length=px(10), color=paint("muted"))


def hole_after(chips: VGroup) -> Mobject:
    """The empty place behind the last of some tokens."""
    return place(_HOLE, TOKEN, "focus").next_to(chips, RIGHT, buff=px(6))


def landed(hole: Mobject, text: str) -> Chip:
    """A token in the empty place."""
    return Chip(text, "k", "ra", 36, TOKEN).move_to(hole.get_left(), LEFT)


def dimmed(chip: Chip) -> list:
    """Animations: a token of the prompt steps back; what comes next is brighter."""
    return [chip.box.animate.set_fill(mix("ra", 0.22), 1).set_stroke(mix("ra", 0.5)),
            chip.text.animate.set_fill(paint("ink"))]


def name_rows(act: Act) -> VGroup:
    """The words of the rows, flush right before them."""
    names = [number(visible(token, 9), SIZE) for token in act.story.tokens[:LANES]]
    rest = Label(act.label("others"), 36)
    return VGroup(*(name.move_to(row(k, FOOT - 26), RIGHT) for k, name in
                    enumerate([*names, rest])))
