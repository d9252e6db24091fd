"""Where things stand in this act: the prompt's strip above, and below it a row for each token.

The strip and the rows keep their places from beat to beat: what changes is what a row shows.
"""

from collections.abc import Sequence

import numpy as np
from manim import LEFT, RIGHT, UP, Mobject, VGroup

from scenes.act03_sampling.story import LANES
from scenes.kit import SMALL, STAGE, Bars, Chip, Chips, Label, number, place, px, visible
from scenes.stage import Act

__all__ = ["BELOW", "FOOT", "PITCH", "ROLES", "hole_after", "landed", "lower", "name_rows", "row",
           "row_bars", "strip", "words_row"]

PITCH = 50  # px from row to row
FOOT = (270, -168)  # px from the stage's top left to where the first row's bar begins
BELOW = STAGE.inset(top=104)  # the stage under the strip
ROLES = ("d", "e", *["muted"] * (LANES - 1))  # of the best token, the second, all others


def strip(act: Act) -> Chips:
    """All tokens of the journey in one line, the prompt's and the sampled ones."""
    texts, free = act.story.journey.texts, STAGE.width
    wide, narrow = (Chips(texts, "k", "ra", 9999, size, 56, 6) for size in (28, 26))
    return STAGE.place(wide if wide.width < free else narrow, UP + LEFT)


def hole_after(chips: VGroup) -> Mobject:
    """The empty place behind the last of some tokens."""
    return place(96, 56, "focus").next_to(chips, RIGHT, buff=px(6))


def landed(hole: Mobject, text: str) -> Chip:
    """A token in the empty place."""
    return Chip(text, "k", "ra", 28, 56).move_to(hole.get_left(), LEFT)


def row(k: int, x: float = 0, y: float = 0) -> np.ndarray:
    """Where row k's bar begins, shifted by px."""
    return np.array(STAGE.at(FOOT[0] + x, FOOT[1] - PITCH * k + y, UP + LEFT))


def lower(y: float, x: float = 0) -> np.ndarray:
    """A point y px under the stage's top, x px from its left."""
    return np.array(STAGE.at(x, -y, UP + LEFT))


def name_rows(texts: Sequence[str], first: int = 0) -> VGroup:
    """Names before the rows from `first` on."""
    return VGroup(*(number(visible(text), 28).move_to(row(k, -20), RIGHT)
                    for k, text in enumerate(texts, first)))


def words_row(text: str, k: int) -> Label:
    """Words before a row that stands for many tokens."""
    return Label(text, SMALL).move_to(row(k, -20), RIGHT)


def row_bars(values: Sequence[float], length: float, full: float | None = None, x: float = 0,
             roles: Sequence[str] | None = None) -> Bars:
    """Bars in the rows, x px to the right of where they usually begin."""
    painted = (roles or [*ROLES, *["muted"] * len(values)])[:len(values)]
    bars = Bars([], values, roles=painted, length=length, thickness=34, pitch=PITCH, full=full,
                size=30)
    return bars.stand(row(0, x))

