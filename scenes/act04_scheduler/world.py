"""The one picture of act 04: requests as lines of tokens, steps as columns packed with them."""

from collections.abc import Iterable, Sequence

from manim import DOWN, FadeIn, LaggedStart, Mobject, RoundedRectangle, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import STAGE, Label, Packing, Shelf, fit, paint, px
from scenes.stage import Act
from scenes.views import RequestLine
from traces import Step
from traces.state import RequestState, State

__all__ = ["CLOSE_CELL", "CLOSE_STEPS", "HANG", "MIDDLE_CELL", "after", "appear", "close_shelf",
           "fall", "figure", "line_places", "lines_of", "middle_shelf", "pack", "slots",
           "wide_shelf"]

HANG = 52  # px: a mark under the floor
CLOSE_CELL, MIDDLE_CELL = 76, 54  # px: a token of a request's line
CLOSE_STEPS = 6  # columns beside the lines
_CLOSE, _MIDDLE = 1090, 900  # px from the stage's left end to its columns
_WIDE = STAGE.width / px(1)


def pack(act: Act) -> Packing:
    """All tokens that are ever computed, none in the picture yet."""
    return Packing(close_shelf(act), act.story.tokens, act.story.prompts, ROLES)


def close_shelf(act: Act) -> Shelf:
    """A few steps beside the lines, with room over the budget's line for what does not fit."""
    story = act.story
    pitch = (_WIDE - _CLOSE) / CLOSE_STEPS
    return Shelf(STAGE.left + px(_CLOSE), STAGE.bottom + px(54), pitch, pitch - 16,
                 fit(story.params.budget, 510, 110, 4), story.cut_window[0] - 1)


def middle_shelf(act: Act) -> Shelf:
    """The steps up to the one in question, at most nine, over room for those who pause."""
    end = act.story.turns.stop
    first = max(0, end - 8)
    pitch = (_WIDE - _MIDDLE) / (end - first + 1)
    return Shelf(STAGE.left + px(_MIDDLE), STAGE.bottom + px(64 + 2 * (HANG + 4)),
                 min(pitch, 120), min(pitch, 120) - 6, fit(act.story.params.budget, 500, 84, 4),
                 first)


def wide_shelf(columns: int, rows: int, under: int, over: float = 88) -> Shelf:
    """All steps over the whole width; `under`: marks below the floor, `over`: px left above."""
    pitch = min((_WIDE - 20) / columns, 110)
    floor = 64 + under * (HANG + 4)
    high = STAGE.height / px(1) - floor - over
    return Shelf(STAGE.left + px(10), STAGE.bottom + px(floor), pitch, pitch - 5,
                 fit(rows, high, 80, 4))


def lines_of(act: Act, state: State, later: State | None = None) -> dict[str, RequestLine]:
    """Request -> its line, as a state of it has it; `later`: a state for those who come then."""
    lengths = {r.name: len(r.prompt) + r.max_tokens for r in act.story.trace.workload.requests}
    requests = {each.name: each for each in (*(later or state).requests, *state.requests)}
    return {name: RequestLine(requests[name], ROLES[name], lengths[name],
                              state_word(act, requests[name])) for name in ROLES
            if name in requests}


def state_word(act: Act, request: RequestState) -> str:
    """Where a request is; B is the viewer's own."""
    word = act.label(request.status)
    return act.label("yours", word=word) if request.name == "B" else word


def line_places(count: int, cell: float) -> list[tuple[float, float]]:
    """Upper left corners of so many lines, one under the other, in the middle of the stage."""
    room = STAGE.height / px(1)
    pitch = min((room + 30) / count, 250)
    top = (room - pitch * (count - 1) - cell - 74) / 2
    return [(STAGE.left + px(8), STAGE.top - px(top + pitch * k)) for k in range(count)]


def appear(marks: Iterable[Mobject], lag: float = 0.5) -> LaggedStart | None:
    """Animation: marks come one after another; None if there are none."""
    comes = [FadeIn(mark, shift=DOWN * px(10)) for mark in marks]
    return LaggedStart(*comes, lag_ratio=lag) if comes else None


def figure(text: str, after: Label | None = None, role: str = "ink") -> Label:
    """A number that sums up the picture, large, over its left end."""
    label = Label(text, 64, role, "bold")
    if after is None:
        return STAGE.place(label, (-1, 1, 0), y=-8)
    return label.next_to(after, buff=px(72))


def slots(shelf: Shelf, columns: Sequence[int], rows: int) -> VGroup:
    """Where tokens of a step have room: faint outlines."""
    return VGroup(*(VGroup(*(RoundedRectangle(
        corner_radius=px(min(shelf.width, shelf.height) * 0.16), width=px(shelf.width),
        height=px(shelf.height), stroke_width=2, stroke_color=paint("line")).move_to(
            shelf.at(k, row)) for row in range(rows))) for k in columns))


def fall(packing: Packing, lines: dict[str, RequestLine], step: Step, lag: float = 0.25):
    """Animation: the tokens of a step fall from the lines into its column."""
    tokens = [(part.request, k) for part in step.scheduled
              for k in range(part.start, part.start + part.count)]
    return packing.drop(step.index, tokens,
                        [lines[name].strip[k] for name, k in tokens], lag)


def after(act: Act, lines: dict[str, RequestLine], state: State) -> list:
    """Animations: the lines as a state has them, and the words for where they are."""
    there = {request.name for request in state.requests}
    return [move for name, line in lines.items() if name in there
            for move in (*line.to(state[name]), *line.say(state_word(act, state[name])))]
