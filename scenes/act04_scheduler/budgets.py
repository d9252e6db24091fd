"""A larger budget: fewer steps; and, laid down as time, longer ones."""

from itertools import accumulate, pairwise

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.story import ROLES
from traces.columns import columns_of
from scenes.act04_scheduler.world import figure, wide_shelf
from scenes.kit import STAGE, Bracket, Label, Packing, Shelf, fit, name_tag, px, ring, span
from scenes.kit.base.motion import leave, swap
from scenes.stage import EASY, SLOW, Act, beat
from traces import Trace

__all__ = ["flags_of", "two_budgets"]

FLAG = 46  # px


@beat("engine/scheduler.py:32", source="source_all", steps="longest_run", variant="counting",
      carries="packing marks figures")
def two_budgets(act: Act) -> None:
    story, packing = act.story, act.kept.packing
    (low, small), (high, large) = story.budgets.items()
    # The camera goes in, with room above; flags mark first tokens.
    shelf = wide_shelf(len(story.longest_run), high, 1)
    act.cue("camera")
    act.move(*map(leave, (*act.kept.marks, *act.kept.figures)),
             packing.to(columns_of(small.steps), shelf, 0),
             packing.furnish(len(small.steps), low, act.label("budget", n=low)), pace=42)
    act.cue("flags")
    flags = flags_of(packing, story.first_tokens[low])
    total = figure(act.label("total", n=len(small.steps)))
    act.move(LaggedStart(*(FadeIn(flag, shift=UP * px(14)) for flag in flags.values()),
                         lag_ratio=0.3), total, pace=45)
    # The line rises, and the same tokens are packed again.
    act.cue("line")
    act.move(packing.furnish(len(small.steps), high, act.label("budget", n=high)), pace=SLOW)
    act.cue("pack")
    act.move(packing.to(columns_of(large.steps), lag=0.03), _to_places(
        flags, flags_of(packing, story.first_tokens[high])), pace=45)
    act.cue("total")
    fewer = figure(act.label("total", n=len(large.steps)))
    act.move(swap(total, fewer, DOWN * px(20)),
             packing.furnish(len(large.steps), high), pace=EASY)
    if "sooner" in act.beat.cues:
        act.cue("sooner")
        act.move(mark := ring(flags[story.facts["late"]], buff=12, corner=10))
        act.move(FadeOut(mark), pace=45)
    left = [fewer, *flags.values()]
    if "flat" in act.beat.cues:
        left = _as_time(act, packing, left)
    else:
        act.cue("full")
        fullest = max(large.steps, key=lambda step: step.used)
        left.append(ring(packing.column(fullest.index), buff=7, corner=12))
        act.move(left[-1], pace=SLOW)
    act.keep(packing=packing, left=left)


def flags_of(packing: Packing, firsts: dict[str, int]) -> dict[str, Label]:
    """Under a step the letters of all whose first token it yields; request -> its letter."""
    flags = {}
    for step in sorted(set(firsts.values())):
        names = [name for name in ROLES if firsts.get(name) == step]
        row = VGroup(*(name_tag(name, ROLES[name], FLAG) for name in names))
        row.arrange(RIGHT, buff=px(14)).move_to(packing.shelf.under(step - 1, 0, 46))
        flags |= dict(zip(names, row))
    return flags


def _to_places(flags: dict[str, Label], goals: dict[str, Label]) -> list:
    return [flag.animate.move_to(goals[name]) for name, flag in flags.items()]


def _as_time(act: Act, packing: Packing, left: list) -> list:
    """The first steps lie down, token after token: a step's end is where its brackets meet."""
    story, name = act.story, act.story.delayed
    small, large = story.budgets.values()
    tokens = _until(large, story.first_tokens[story.facts["budget_1"]][name])
    pitch = fit(len(tokens), STAGE.width / px(1) - 20, 90)
    shelf = Shelf(STAGE.left + px(10), STAGE.center[1] - px(100), pitch, pitch - 3, 196)
    # Suppose that a step takes as long as its column is high.
    column = packing.column(story.first_tokens[story.facts["budget_1"]][name] - 1)
    frame = ring(column, buff=7, corner=12)
    high = span(column.get_corner(DOWN + RIGHT) + RIGHT * px(26),
                column.get_corner(UP + RIGHT) + RIGHT * px(26))
    act.cue("long")
    act.move(frame, high, pace=EASY)
    act.cue("flat")
    act.move(*map(leave, (*left, frame, high)), packing.unfurnish(),
             packing.to([[token] for token in tokens], shelf, 0.02), pace=48)
    act.cue("large")
    below = _steps(act, packing, large, DOWN, name)
    act.move(LaggedStart(*map(FadeIn, below), lag_ratio=0.5), pace=SLOW)
    act.cue("small")
    rest = [token for column in columns_of(small.steps) for token in column if token in tokens]
    above = _steps(act, packing, small, UP, name)
    act.move(packing.to([[token] for token in rest], lag=0),
             LaggedStart(*map(FadeIn, above), lag_ratio=0.4), pace=45)
    # How much longer the larger step keeps somebody waiting.
    act.cue("wait")
    start = (above[-2].get_right()[0], below[-2].get_y(), 0)
    more = span(start, below[-2].get_left() + LEFT * px(18))
    words = Label(act.label("later", n=len(tokens) - len(_until(small, story.first_tokens[
        story.facts["budget_0"]][name]))), 48, "focus").next_to(more, DOWN, buff=px(24))
    act.move(more, words, pace=EASY)
    # Whose tokens those are.
    act.cue("too")
    act.move(frame := ring(VGroup(*(packing.cells[token] for token in tokens
                                    if token[0] in story.extra)), buff=7, corner=12), pace=EASY)
    return [*below, *above, more, words, frame]


def _until(run: Trace, step: int) -> list[tuple[str, int]]:
    """The tokens of the first steps of a run."""
    return [token for column in columns_of(run.steps[:step]) for token in column]


def _steps(act: Act, packing: Packing, run: Trace, side, name: str) -> VGroup:
    """A bracket for each step until one yields a request's first token, which stands at its end."""
    budget = run.steps[0].budget
    count = act.story.first_tokens[budget][name]
    ends = [0, *accumulate(step.used for step in run.steps[:count])]
    row = [packing.cells[column[0]] for column in packing.columns]
    brackets = VGroup(*(Bracket(VGroup(*row[start:end]), act.label("step", n=k + 1), side,
                                "muted", 40) for k, (start, end) in enumerate(pairwise(ends))))
    flag = name_tag(name, ROLES[name], 72)
    flag.next_to(brackets[-1].line, side, buff=px(104)).align_to(brackets[-1].line, RIGHT)
    words = Label(act.label("first_of", n=budget), 48)
    words.next_to(brackets, side, buff=px(44))
    return VGroup(*brackets, flag, words.align_to(STAGE.at(0, 0, LEFT), LEFT))
