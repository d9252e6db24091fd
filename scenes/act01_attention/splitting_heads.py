"""View, then transpose: the queries of two heads become two matrices."""

import numpy as np
from manim import UP, Mobject, TransformFromCopy, VGroup

from scenes.act01_attention.matrices import SHADES, integers
from scenes.act01_attention.story import ELEMENT
from scenes.kit import FRAME, NOTE, SMALL, GridStack, Label, TensorNames, arrow, caption, ring
from scenes.kit.base.motion import leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["two_heads"]

FORMS = ("flat", "viewed", "transposed")  # of Q, as the lesson and the labels name them
MIDDLE, NOTES = 62, -312  # px above the middle: the tensors, and the notes under them


@beat("models/qwen3.py:79", carries="q trail")
def two_heads(act: Act) -> None:
    # Q leaves Y, and its numbers become the numbers of its elements.
    q, forms = act.kept.q, _forms(act)
    flat, viewed, transposed = (form.stack for form in forms)
    place = integers(act.story.lesson.projection.q, "q").move_to(flat)
    act.move([cell.animate.move_to(there) for cell, there in zip(q, place)], pace=SLOW)
    act.cue("two")
    halves = [ring(VGroup(place.column(c), place.column(c + 1)), "q", 5, 4) for c in (0, 2)]
    act.move(halves, pace=EASY)
    act.cue("number")
    act.move(leave(q), [leave(half) for half in halves], flat, forms[0],
             Label(act.label("batch"), SMALL).move_to(FRAME.at(-590, NOTES)), pace=SLOW)
    act.cue("follow")
    mark = _follow(act, forms[0], FORMS[0])
    # The elements travel from form to form; one of them is followed.
    for k, (op, start, end) in enumerate((("view", -380, -200), ("transpose", 235, 390))):
        here, there = forms[k:k + 2]
        way = arrow(FRAME.at(start, MIDDLE), FRAME.at(end, MIDDLE))
        act.cue(op)
        act.move(way, caption(way, op, side=UP, gap=18, role="ink", mono=True), there, pace=QUICK)
        act.move(here.stack.flow(there.stack, group=2, lag=0.3), pace=44)
        mark = _follow(act, there, FORMS[k + 1], mark)
    # Why heads; which of the forms the textbooks use, and which this engine.
    act.cue("why")
    act.move(ring(transposed[0], "q", 5, 6), pace=EASY)
    act.cue("alone")
    act.move(ring(transposed[1], "q", 5, 6),
             FRAME.place(Label(act.label("textbook"), NOTE), x=600, y=NOTES), pace=EASY)
    act.cue("engine")
    act.move(ring(viewed, "focus", 5, 8), pace=EASY)
    act.cue("kernel")
    act.move(FRAME.place(Label(act.label("stops"), NOTE, "ink"), x=10, y=NOTES), pace=EASY)
    act.keep(head=transposed[0], trail=act.kept.trail)


def _forms(act: Act) -> list[TensorNames]:
    """Q as it is, viewed and transposed, each with its names; each token keeps its shade."""
    tokens, heads = ([act.label(key, n=n) for n in range(count)]
                     for key, count in (("token", 3), ("head", 2)))
    flat = np.repeat(SHADES, 4).reshape(1, 3, 4)
    viewed = flat.reshape(3, 2, 2)
    forms = []
    for name, shades, x, *sides in zip(
            FORMS, (flat, viewed, viewed.transpose(1, 0, 2)), (-590, 10, 600),
            (tokens, tokens, heads), ((), heads * 3, tokens * 2)):
        numbers = getattr(act.story.lesson.elements, name)
        stack = GridStack(numbers.reshape(shades.shape), "q", (96, 70), 34, shades, gap=16)
        forms.append(TensorNames(FRAME.place(stack, x=x, y=MIDDLE), numbers.shape, *sides, pale=1,
                                 reach=(268, 290)))
    return forms


def _follow(act: Act, form: TensorNames, name: str, mark: Mobject | None = None) -> Mobject:
    """Ring the followed element and write its coordinates in this form; the ring."""
    element, fresh = act.story.lesson.elements.elements[ELEMENT], ring(form.stack.cell(ELEMENT))
    act.move(fresh if mark is None else TransformFromCopy(mark, fresh),
             form.coordinates(getattr(element, name), act.label(f"axes_{name}")), pace=BRISK)
    return fresh
