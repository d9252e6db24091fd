"""View, then transpose: the queries of two heads become two matrices."""

from typing import NamedTuple

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, FadeOut, TransformFromCopy, VGroup

from scenes.act01_attention.matrices import SHADES, integers
from scenes.act01_attention.story import ELEMENT
from scenes.kit import (FRAME, NOTE, SMALL, GridStack, Label, Spans, arrow, caption, px,
                        ring)
from scenes.stage import BRISK, EASY, QUICK, VERY_SLOW, Act, beat

__all__ = ["two_heads"]


class Form(NamedTuple):
    """One of the three forms of Q, as it stands in the picture."""

    name: str  # the lesson's, and the labels'
    shape: str  # without the batch of 1
    x: float  # px: its middle
    outer: str  # label of what is named left of it: its rows, or its matrices
    inner: str = ""  # label of what a row of one of its matrices is
    op: str = ""  # what makes it of the form before
    way: tuple[float, float] = (0, 0)  # px: from and to where the arrow to it goes


FORMS = (Form("flat", "3, 4]", -590, "token"),
         Form("viewed", "3, 2, 2]", 10, "token", "head", "view", (-380, -200)),
         Form("transposed", "2, 3, 2]", 600, "head", "token", "transpose", (235, 390)))
COUNTS = {"token": 3, "head": 2}


@beat("models/qwen3.py:79", carries="q leavers")
def two_heads(act: Act) -> None:
    # Q leaves Y, and its numbers become the numbers of its elements.
    q = act.kept.q
    stacks = _stacks(act)
    flat, viewed, _ = stacks
    place = integers(act.story.lesson.projection.q, "q").move_to(flat)
    act.move(FadeOut(act.kept.leavers),
             [cell.animate.move_to(there) for cell, there in zip(q, place)], pace=EASY)
    act.move(FadeOut(q), flat[0].boxes, pace=QUICK)
    act.move(flat[0].labels, _names(act, flat, FORMS[0]), pace=BRISK)
    mark = _follow(act, flat, FORMS[0])
    act.next_line()
    # The elements travel from form to form; one of them is followed.
    for here, there, form in zip(stacks, stacks[1:], FORMS[1:]):
        way = arrow(*(FRAME.at(x, 40) for x in form.way))
        act.move(way, caption(way, form.op, side=UP, gap=18, role="ink", mono=True),
                 _names(act, there, form), pace=QUICK)
        act.move(here.flow(there, group=2, lag=0.4), pace=VERY_SLOW)
        mark = _follow(act, there, form, mark)
    act.next_line()
    # Which of the forms the textbooks use, and which this engine.
    stops, textbook = (FRAME.place(Label(act.label(key), NOTE, role), x=form.x, y=-352)
                       for key, role, form in zip(("stops", "textbook"), ("ink", "muted"),
                                                  FORMS[1:]))
    act.move(textbook)
    act.rest(45)
    act.move(ring(viewed, "ink", 4, 8), stops)


def _stacks(act: Act) -> list[GridStack]:
    """The elements' numbers in the three forms, each token in its shade."""
    shades = np.repeat(SHADES, 4).reshape(1, 3, 4)
    viewed = shades.reshape(3, 2, 2)
    stacks = []
    for form, shade in zip(FORMS, (shades, viewed, viewed.transpose(1, 0, 2))):
        values = getattr(act.story.lesson.elements, form.name).reshape(shade.shape)
        stack = GridStack(values, "q", (96, 72), 34, shade, gap=20)
        stacks.append(FRAME.place(stack, x=form.x, y=40))
    return stacks


def _names(act: Act, stack: GridStack, form: Form) -> list:
    """The shape above a form; beside it, who its matrices and their rows are."""
    names = [FRAME.place(_with_batch("[", 1, form.shape, "ink"), x=form.x, y=335)]
    if not form.op:
        names.append(FRAME.place(Label(act.label("batch"), SMALL), x=form.x, y=-352))
    rows = [row for grid in stack for row in grid.rows]
    for key, side, places in ((form.outer, LEFT, stack if form.inner else rows),
                              (form.inner, RIGHT, rows if form.inner else ())):
        names += [caption(place, act.label(key, n=k % COUNTS[key]), SMALL, side)
                  for k, place in enumerate(places)]
    return names


def _with_batch(opened: str, batch: int, rest: str, role: str) -> Spans:
    """A shape or coordinates: the batch axis, which nothing else here draws, is pale."""
    return Spans([(opened, role), (f"{batch}, ", "muted"), (rest, role)], 38, weight="semibold")


def _follow(act: Act, stack: GridStack, form: Form, mark: VGroup | None = None) -> VGroup:
    """Ring the followed element and write its coordinates in this form; the ring."""
    batch, *way = getattr(act.story.lesson.elements.elements[ELEMENT], form.name)
    where = _with_batch("(", batch, ", ".join(map(str, way)) + ")", "focus")
    axes = Label(act.label(f"axes_{form.name}"), SMALL)
    FRAME.place(VGroup(where, axes).arrange(DOWN, buff=px(22)), x=form.x, y=-275)
    fresh = ring(stack.cell(ELEMENT))
    act.move(fresh if mark is None else TransformFromCopy(mark, fresh), where, axes)
    return fresh
