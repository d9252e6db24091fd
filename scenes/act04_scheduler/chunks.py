"""A step has room for so many tokens: the first prompt is cut, and its early sample dropped."""

from manim import RIGHT, UP, FadeIn, FadeOut, LaggedStart, ReplacementTransform, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.act04_scheduler.world import (
    CLOSE_CELL,
    CLOSE_STEPS,
    after,
    fall,
    line_places,
    lines_of,
    pack,
    slots,
)
from scenes.kit import LEAD, Label, Packing, TokenStrip, cross, px, ring
from scenes.kit.base.motion import Movement, arrive
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import RequestLine
from traces import Step
from traces.step import Scheduled

__all__ = ["chunked_prefill", "only_the_first", "the_discarded_sample"]

Lines = dict[str, RequestLine]


@beat("engine/scheduler.py:46", steps="cut_window", variant="sampling", carries="engine")
def chunked_prefill(act: Act) -> None:
    story, packing = act.story, pack(act)
    first, *later = [story.trace.steps[k - 1] for k in story.cut_window]
    lines = lines_of(act, first.before, (later or story.chunks)[-1].before)
    for line, place in zip(lines.values(), line_places(len(lines), CLOSE_CELL)):
        line.place(place)
    places = _enter(act, packing, lines)
    if story.cut:
        act.cue("lead")
        own = lines[story.followed].tokens(0, first.before[story.followed].num_tokens)
        act.move(frame := ring(VGroup(*own), buff=5, corner=12))
        act.move(FadeOut(frame), pace=QUICK)
    # The first prompt, whole: too high; what does not fit goes back.
    act.cue("whole")
    if story.cut:
        _too_much(act, packing, lines, first)
        act.cue("prefill")
        act.move(frame := ring(packing.column(first.index), buff=8, corner=12), pace=EASY)
        act.cue("name")
        done = lines[story.followed].tokens(0, story.cut.scheduled[0].count)
        act.move(pieces := ring(VGroup(*done), buff=6, corner=12), pace=EASY)
        act.move(FadeOut(frame), FadeOut(pieces), pace=EASY)
    else:
        act.move(fall(packing, lines, first), pace=45)
        act.move(after(act, lines, first.after), pace=BRISK)
        act.cue("name")
        act.move(frame := ring(packing.column(first.index), buff=8, corner=12), pace=EASY)
        act.move(FadeOut(frame), pace=BRISK)
    act.keep(packing=packing, lines=lines, places=places)


def _enter(act: Act, packing: Packing, lines: Lines) -> VGroup:
    """Into the scheduler: requests as lines, and steps as columns with so much room."""
    budget = act.story.params.budget
    act.cue("come")
    columns = range(packing.shelf.first, packing.shelf.first + CLOSE_STEPS)
    places = slots(packing.shelf, columns, budget)
    room = act.kept.engine.stations["schedule"].icon[1][1].copy()
    act.move(act.kept.engine.enter("schedule"), ReplacementTransform(room, places[0]),
             *map(arrive, lines.values()), pace=30)
    act.cue("yours")
    yours = lines["B"].word if "B" in lines else next(iter(lines.values())).word
    act.move(mark := ring(yours, buff=14, corner=10), pace=BRISK)
    act.move(FadeOut(mark), pace=QUICK)
    act.cue("column")
    act.move(frame := ring(places[0], buff=8, corner=12), pace=EASY)
    act.cue("room")
    act.move(FadeOut(frame), pace=BLINK)
    act.move(packing.furnish(CLOSE_STEPS, budget, act.label("budget", n=budget)),
             LaggedStart(*map(FadeIn, places[1:]), lag_ratio=0.5), pace=SLOW)
    return places


def _too_much(act: Act, packing: Packing, lines: Lines, step: Step) -> None:
    """The whole prompt flies up: too high. What lies over the line goes back."""
    part = step.scheduled[0]
    known = step.before[part.request].num_tokens
    tokens = [(part.request, k) for k in range(part.start, known)]
    strip = lines[part.request].strip
    act.move(packing.drop(step.index, tokens, [strip[k] for _, k in tokens], 0.15), pace=60)
    act.cue("cut")
    rest = tokens[part.count:]
    over = ring(VGroup(*(packing.cells[token] for token in rest)), "stop", buff=6, corner=12)
    act.move(over)
    act.move(FadeOut(over), packing.undo(step.index, rest, [strip[k] for _, k in rest]),
             pace=VERY_SLOW)
    act.move(after(act, lines, step.after), pace=BRISK)


@beat("engine/scheduler.py:86", steps="chunk_steps", variant="sampling",
      carries="packing lines places")
def the_discarded_sample(act: Act) -> None:
    story, packing, lines = act.story, act.kept.packing, act.kept.lines
    first = story.chunks[0]
    # Every step's sampler draws a token, also from the middle of a prompt.
    act.cue("sample")
    token = _sample(act, packing, first)
    if story.cut:
        act.cue("piece")
        act.move(piece := ring(packing.column(first.index), buff=8, corner=12), pace=EASY)
        act.move(FadeOut(piece), pace=BRISK)
        _throw_away(act, token, lines[story.followed].strip, first.part(story.followed))
    else:
        act.cue("keep")
        _keep(act, token, first)
    act.keep(packing=packing, lines=lines, places=act.kept.places)


@beat("engine/scheduler.py:42", steps="cut_window", variant="cutting",
      carries="packing lines places")
def only_the_first(act: Act) -> None:
    story, packing, lines = act.story, act.kept.packing, act.kept.lines
    _, *later = [story.trace.steps[k - 1] for k in story.cut_window]
    last = story.chunks[-1]
    # It goes on in the next step; who is not first must fit whole.
    act.cue("next")
    if later:
        act.move(fall(packing, lines, later[0]), pace=SLOW)
    if story.blocked:
        _blocked(act, packing, lines, later[0])
    elif later:
        act.move(_planned(lines, later[0]) if story.cut else after(act, lines, later[0].after),
                 pace=BRISK)
    if story.cut:
        if "last" in act.beat.cues:
            act.cue("last")
        for step in story.chunks[2:]:
            act.move(fall(packing, lines, step), pace=EASY)
        act.move(_planned(lines, last), pace=BRISK)
        act.cue("keep")
        _keep(act, _sample(act, packing, last), last)
    act.keep(packing=packing, lines=lines, places=act.kept.places)


def _planned(lines: Lines, step: Step) -> list[Movement]:
    """The tokens that a step computes, marked in their lines."""
    return [move for name in step.names for move in lines[name].to(step.planned[name])]


def _blocked(act: Act, packing: Packing, lines: Lines, step: Step) -> None:
    """The next prompt tries the room that is left, whole, and must go back."""
    name, need, _ = act.story.blocked
    cells = lines[name].tokens(0, need)
    tokens = [(name, k) for k in range(need)]
    act.cue("try")
    act.move(packing.drop(step.index, tokens, cells, 0.15), pace=42)
    act.cue("back")
    over = ring(VGroup(*(packing.cells[token] for token in tokens[1:])), "stop", buff=6,
                corner=12)
    act.move(over, pace=BRISK)
    act.move(FadeOut(over), packing.undo(step.index, tokens, cells), pace=VERY_SLOW)
    act.cue("wait")
    act.move(mark := ring(lines[name].word, buff=14, corner=10), pace=BRISK)
    act.move(FadeOut(mark), pace=BRISK)


def _sample(act: Act, packing: Packing, step: Step) -> TokenStrip:
    """A token comes out of the last position that a step computed, above its column."""
    top = packing.column(step.index)[-1]
    token = TokenStrip(0, "k", ROLES[act.story.followed], CLOSE_CELL).set_z_index(6)
    token.next_to(top, UP, buff=px(34))
    lift = packing.line.get_bottom()[1] + px(24) - token.get_bottom()[1]
    token.shift(UP * max(0, lift))
    words = Label(act.label("sampler"), LEAD, "muted").next_to(token, RIGHT, buff=px(24))
    mark = ring(top, buff=6, corner=12)
    act.move(mark, words, pace=QUICK)
    act.move(FadeIn(token, shift=UP * px(70), scale=0.4), pace=EASY)
    act.move(FadeOut(mark), FadeOut(words), pace=QUICK)
    return token


def _keep(act: Act, token: TokenStrip, step: Step) -> None:
    """The prompt is complete: the sample goes to its end, and the request is running."""
    name, lines = act.story.followed, act.kept.lines
    place = lines[name].strip[step.after[name].num_prompt]
    act.move(token.animate(path_arc=0.5).move_to(place).match_height(place), pace=30)
    act.cue("run")
    act.move(FadeOut(token), after(act, lines, step.after), pace=EASY)
    act.move(frame := ring(place, buff=8, corner=44), pace=BRISK)
    act.move(FadeOut(frame), pace=QUICK)


def _throw_away(act: Act, token: TokenStrip, strip: TokenStrip, part: Scheduled) -> None:
    """Its place is taken: the sample is crossed out and leaves; what was computed stays."""
    taken = strip[part.start + part.count]
    act.cue("fly")
    act.move(token.animate(path_arc=0.5).move_to(taken.get_center() + UP * px(104)), pace=36)
    act.move(frame := ring(taken, buff=7, corner=14), pace=BRISK)
    act.cue("throw")
    note = Label(act.label("thrown"), LEAD, "stop").next_to(token, RIGHT, buff=px(28))
    act.move(crossed := cross(token), note)
    crossed.set_z_index(7)
    act.cue("stay")
    stays = ring(VGroup(*strip[part.start:part.start + part.count]), buff=7, corner=14)
    act.move([FadeOut(thing, shift=UP * px(50)) for thing in (token, crossed, note)],
             FadeOut(frame), stays, pace=SLOW)
    act.move(FadeOut(stays), pace=EASY)
