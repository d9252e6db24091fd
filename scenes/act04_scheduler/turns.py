"""Prefill goes first, so running requests pause; and one request's three counters, close up."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, MoveToTarget, VGroup
from manim import VMobject

from scenes.act04_scheduler.world import HANG, MIDDLE_CELL, after, fall, line_places, lines_of
from scenes.act04_scheduler.world import appear, middle_shelf
from scenes.kit import STAGE, Bracket, KVCell, Packing, Slot, fit, px, ring
from scenes.kit.base.motion import dim, leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import RequestLine
from traces import Step

__all__ = ["prefill_first", "three_counters"]

Lines = dict[str, RequestLine]


@beat(("engine/scheduler.py:30", "engine/scheduler.py:54"), steps="window", variant="stalling",
      carries="packing lines places")
def prefill_first(act: Act) -> None:
    story, packing, lines = act.story, act.kept.packing, act.kept.lines
    early = list(story.early_prefills)
    _step_back(act, packing, lines)
    shown = len(packing.columns)
    run = [story.trace.steps[k] for k in story.turns if k >= shown]
    marks = VGroup()
    # Prefills first: who has a token already gets none in each of them.
    if early:
        act.cue("early")
        for step in early:
            act.move(fall(packing, lines, step, 0.2), pace=EASY)
            act.move(after(act, lines, step.after), pace=QUICK)
        act.cue("gone")
        marks = _pauses(act, packing, early)
        act.move(appear(marks), pace=SLOW)
    # Nobody waits: decodes, one token of each; somebody finishes.
        act.cue("none")
        words = [ring(line.word, buff=14, corner=10) for line in lines.values()
                 if line.word.text.endswith(act.label("running"))]
        act.move(words)
        act.move(*map(FadeOut, words), pace=BRISK)
    act.cue("decode")
    decodes = [step for step in run if step not in early]
    _play(act, packing, lines, decodes)
    if early:
        act.cue("done")
        done = [lines[name].word for step in decodes for name in step.finished]
        frames = [ring(word, buff=12, corner=10) for word in done[:1]]
        gone = [dim(lines[name], 0.65) for step in decodes for name in step.finished]
        act.move(frames)
        act.move(*map(FadeOut, frames), *gone, pace=54)
    if story.stall:
        marks.add(*_stall(act, packing, lines, story.stall))
    act.keep(packing=packing, lines=lines, marks=marks)


def _step_back(act: Act, packing: Packing, lines: Lines) -> None:
    """The lines make room for more steps, and for those who come."""
    story = act.story
    state = story.stall.before if story.stall else story.trace.steps[story.turns.stop - 1].after
    new = {name: line for name, line in lines_of(act, state).items() if name not in lines}
    everybody = {**lines, **new}
    places = dict(zip(everybody, line_places(len(everybody), MIDDLE_CELL)))
    shelf = middle_shelf(act)
    kept = packing.columns[:story.turns.stop]
    hidden = [column if k >= shelf.first else [] for k, column in enumerate(kept)]
    act.move(leave(act.kept.places), packing.to(hidden, shelf, 0),
             packing.furnish(story.turns.stop - shelf.first + 1, story.params.budget),
             [lines[name].go(places[name], MIDDLE_CELL) for name in lines], pace=VERY_SLOW)
    for name, line in new.items():
        line.go(places[name], MIDDLE_CELL)
        line.strip.become(line.strip.target)
        line.place(places[name])
        lines[name] = line
        if name not in (story.stall.arrived if story.stall else ()):
            act.move(line, pace=BRISK)


def _play(act: Act, packing: Packing, lines: Lines, steps: list[Step]) -> None:
    """Some steps in quick succession; of many, the lines follow at the end."""
    steps = [step for step in steps if step.index >= packing.shelf.first]
    if len(steps) > 2:
        act.move(LaggedStart(*(fall(packing, lines, step) for step in steps), lag_ratio=0.6),
                 pace=45)
        act.move(after(act, lines, steps[-1].after), pace=QUICK)
        return
    for step in steps:
        act.move(fall(packing, lines, step, 0.3), pace=SLOW)
        act.move(after(act, lines, step.after), pace=BRISK)


def _stall(act: Act, packing: Packing, lines: Lines, step: Step) -> VGroup:
    """A newcomer, or who still waits, is served; the others hang under the floor."""
    if "arrive" in act.beat.cues:
        act.cue("arrive")
        act.move([FadeIn(lines[name], shift=RIGHT * px(60)) for name in step.arrived],
                 pace=SLOW)
    act.cue("prefill")
    act.move(fall(packing, lines, step, 0.2), pace=VERY_SLOW)
    act.move(after(act, lines, step.after), pace=EASY)
    _one_phase(act, packing, step)
    marks = _pauses(act, packing, [step])
    act.cue("pause")
    act.move(appear(marks), pace=SLOW)
    return marks


def _one_phase(act: Act, packing: Packing, step: Step) -> None:
    """This step is a prefill; the one before it, perhaps, a decode; the prefill went first."""
    frames = []
    for cue, k in (("kind", step.index), ("other", step.index - 1)):
        act.cue(cue)
        if k in range(packing.shelf.first, len(packing.columns)) and packing.columns[k]:
            frames.append(ring(packing.column(k), buff=6, corner=12))
            act.move(frames[-1], pace=BRISK)
    act.cue("goes")
    act.move(*map(FadeOut, frames), pace=36)


def _pauses(act: Act, packing: Packing, steps: list[Step]) -> VGroup:
    """Who gets nothing in these steps, under their columns."""
    names = [()] * (steps[-1].index + 1)
    for step in steps:
        names[step.index] = step.stalled
    return packing.pauses(names, HANG)


@beat("engine/sequence.py:23", steps="counted", variant="counting_up",
      carries="packing lines marks")
def three_counters(act: Act) -> None:
    story, lines = act.story, act.kept.lines
    name, state = story.counted_name, story.last_chunk.after[story.counted_name]
    line, known = lines.pop(name), state.num_tokens
    # The camera goes in on one request: its tokens fill the stage, all else leaves.
    strip = line.strip
    cell = fit(known + 1, STAGE.width / px(1) - 110, 190, 14)
    goal = strip.generate_target()
    goal.scale(cell / strip.cell)
    goal.shift(STAGE.at(110, 60, LEFT) - goal[0].get_left())
    strip.cell = cell
    act.move(leave(VGroup(*lines.values())), leave(line.word), leave(act.kept.marks),
             act.kept.packing.clear(), MoveToTarget(strip),
             line.tag.animate.scale(1.7).move_to(STAGE.at(0, 60, LEFT), LEFT), pace=30)
    if changes := line.to(state):
        act.move(changes, pace=QUICK)
    cached = story.facts["count_cached"]
    cells = VGroup(*(KVCell(Slot.CACHED, cell, cell * 0.66).next_to(strip[k], DOWN, buff=px(16))
                     for k in range(cached)))
    act.cue("known")
    counts = Bracket(VGroup(*strip[:known]), act.label("known", n=known), UP)
    act.move(counts, pace=SLOW)
    act.cue("two")
    stored = Bracket(cells, act.label("cached", n=cached), DOWN)
    act.move(LaggedStart(*(FadeIn(each, shift=DOWN * px(14)) for each in cells), lag_ratio=0.2),
             stored, pace=SLOW)
    act.cue("newest")
    newest = ring(strip[known - 1], buff=9, corner=cell * 0.4 + 9)
    act.move(newest, pace=EASY)
    if story.first_decode:
        _decode(act, line, story.first_decode, newest, cells, counts, stored)
    act.keep(strip=strip, around=[line.tag, counts, stored, cells, newest],
             packing=act.kept.packing)


def _decode(act: Act, line: RequestLine, step: Step, newest: VMobject, cells: VGroup,
            counts: Bracket, stored: Bracket) -> None:
    """The newest token alone is scheduled; then it is cached, and the next one is known."""
    name, strip = line.request, line.strip
    planned, done = step.planned[name], step.after[name]
    act.cue("decode")
    new = cells[0].copy().next_to(strip[planned.num_tokens - 1], DOWN, buff=px(16))
    now = Bracket(new, act.label("scheduled", n=planned.scheduled), DOWN, "focus")
    act.move(FadeOut(newest), line.to(planned, decode=True), now, pace=SLOW)
    act.cue("drawn")
    act.move(FadeIn(new, shift=DOWN * px(30)), FadeOut(now), line.to(done), pace=EASY)
    cells.add(new)
    act.move(counts.to(VGroup(*strip[:done.num_tokens]), act.label("known", n=done.num_tokens)),
             stored.to(cells, act.label("cached", n=done.num_tokens - 1)), pace=SLOW)
