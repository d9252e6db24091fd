"""Prefill goes first, so running requests pause; and what a larger budget buys, for what price."""

from collections.abc import Iterator

from manim import DOWN, LEFT, RIGHT, UP, Animation, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import FIGURE, LEAD, STAGE, Cell, Key, Label, TokenStacks
from scenes.kit import fit, name_tag, number, px, ring, span
from scenes.kit.base.motion import come, leave
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import SchedulerView, token_stacks
from traces import Step

__all__ = ["prefill_first", "two_budgets"]

LEFT_OF_STEPS = 300  # px for the names


@beat(("engine/scheduler.py:30", "engine/scheduler.py:54"), steps="window", variant="stalling",
      carries="tokens key")
def prefill_first(act: Act) -> None:
    story = act.story
    first, *others = [story.trace.steps[k - 1] for k in story.window]
    second, third = (*others, None, None)[:2]
    view = SchedulerView(story.trace, (*story.early, first)[0], ROLES, act.label)
    act.move([leave(thing) for thing in act.kept.tokens], view.enter(), pace=SLOW)
    _play_early(act, view)
    # A step of decodes; then somebody arrives, before the next step.
    act.cue("decode")
    act.move(view.to(first.planned), view.say(_said(act, first)), pace=EASY)
    if "arrive" in act.beat.cues:
        act.move(view.to(first.after), pace=BRISK)
        act.cue("arrive")
        act.move(view.arrive(second),
                 view.say(act.label("arrives", name=", ".join(second.arrived))), pace=SLOW)
    # One phase a step: the prompt's turn, and a pause for those that run.
    act.cue("prefill")
    if second:
        if "arrive" not in act.beat.cues:
            act.move(view.to(first.after), pace=QUICK)
        act.move(view.to(second.planned), view.say(_said(act, second)), pace=54)
    stalled = second.stalled if second and second.phase == "prefill" else ()
    act.cue("pause")
    if stalled:
        act.move(view.pause(stalled))
    act.cue("gone")
    if stalled:
        act.move(view.say(act.label("no_token", names=", ".join(stalled)), "stop"))
    # The newcomer has its token, and all decode again.
    act.cue("after")
    act.move(view.to(second.after) if second else view.to(first.after), view.say(), pace=EASY)
    act.cue("again")
    if third:
        act.move(view.to(third.planned), view.say(_said(act, third)), pace=EASY)
        act.move(view.to(third.after), pace=EASY)
    act.keep(queues=view.all)


def _play_early(act: Act, view: SchedulerView) -> None:
    """The steps between, quickly: who has a token already, pauses for every prefill."""
    if act.story.early:
        act.cue("early")
    for step in act.story.early:
        act.move(view.to(step.planned), view.pause(step.stalled), pace=EASY)
        act.move(view.to(step.after), pace=BRISK)


def _said(act: Act, step: Step) -> str:
    return act.label("many" if step.phase == "prefill" else "one_each", n=step.used)


@beat("engine/scheduler.py:32", source="source_all", steps="longest_run", variant="counting",
      carries="queues")
def two_budgets(act: Act) -> None:
    story = act.story
    key = Key([(Cell("work", "muted", " "), act.label("key_prefill")),
               (Cell("work", "muted"), act.label("key_decode"))])
    key.arrange(DOWN, aligned_edge=LEFT).move_to(STAGE.at(0, 0, DOWN + LEFT), DOWN + LEFT)
    # The same requests with each budget; every column as high as the tokens of its step.
    stacks, names, totals = _stacked(act)
    act.move([leave(thing) for thing in act.kept.queues if len(thing.get_family()) > 1],
             come(names), come(key), come(stacks[0].line), come(stacks[0].ticks), pace=SLOW)
    for row, stack in enumerate(stacks):
        act.cue(f"lane-{row}")
        act.move(stack.reveal(), *(come(part) for part in (stack.line, stack.ticks) if row),
                 pace=48)
        act.cue(f"total-{row}")
        act.move(totals[row], pace=BRISK)
    # What it buys: first tokens come sooner.
    act.cue("flags")
    flags = [_flags(stack, story.first_tokens[budget])
             for stack, budget in zip(stacks, story.budgets)]
    act.move(LaggedStart(*(FadeIn(flag, shift=UP * px(12)) for row in flags
                           for flag in row.values()), lag_ratio=0.3), pace=45)
    late = VGroup(*(ring(row[story.facts["late"]], buff=12) for row in flags))
    if story.counting != "same":
        act.cue("sooner")
        act.move(late, pace=EASY)
    # What it costs: laid down, each step is as long as its tokens.
    act.cue("flat")
    if story.counting != "same":
        act.move(FadeOut(late), pace=BLINK)
    act.move(*_lay_down(act, stacks, flags), pace=54)
    act.cue("price")
    marks = _price(act, stacks, flags)
    act.move(*marks[:2], pace=EASY)
    act.cue("wait")
    act.move(*marks[2:], pace=SLOW)
    act.keep(lanes=[*(stack.columns for stack in stacks), names, totals,
                    *(flag for row in flags for flag in row.values()), marks, key])


def _lay_down(act: Act, stacks: list[TokenStacks],
              flags: list[dict[str, VGroup]]) -> Iterator[Animation]:
    """Columns become lengths, in one scale; the letters stay at the ends of their steps."""
    story = act.story
    tokens = max(sum(step.used for step in run.steps) for run in story.budgets.values())
    pitch = (STAGE.width / px(1) - LEFT_OF_STEPS - 10 * len(story.longest_run)) / tokens
    for stack, row, budget in zip(stacks, flags, story.budgets):
        yield leave(VGroup(stack.ticks, stack.line))
        yield stack.flat(pitch)
        yield from _follow(stack, row, story.first_tokens[budget])


def _follow(stack: TokenStacks, flags: dict[str, VGroup],
            firsts: dict[str, int]) -> list[Animation]:
    """Every letter goes to the end of the step that yields its token."""
    moves = []
    for step in set(firsts.values()):
        row = [flags[name] for name in ROLES if firsts.get(name) == step]
        goal = VGroup(*row).copy().next_to(stack.end(step), DOWN, buff=px(22))
        goal.align_to(stack.end(step), RIGHT)
        moves += [flag.animate.move_to(place) for flag, place in zip(row, goal)]
    return moves


def _price(act: Act, stacks: list[TokenStacks], flags: list[dict[str, VGroup]]) -> VGroup:
    """Two rings, then how much longer: about who waits for a first token, or the fullest steps."""
    story, name = act.story, act.story.delayed
    if story.counting == "later":
        ends = [stack.end(story.first_tokens[budget][name])
                for stack, budget in zip(stacks, story.budgets)]
        y = flags[1][name].get_bottom()[1] - px(44)
        more = span([ends[0][0], y, 0], [ends[1][0], y, 0])
        note = Label(act.label("later", name=name), LEAD, "focus")
        return VGroup(*(ring(row[name], buff=12) for row in flags), more,
                      note.next_to(more, RIGHT, buff=px(24)))
    fullest = [max(run.steps, key=lambda step: step.used) for run in story.budgets.values()]
    rings = [ring(stack.columns[step.index], buff=6) for stack, step in zip(stacks, fullest)]
    return VGroup(*rings, *(number(act.label("tokens", n=step.used), LEAD, "focus")
                            .next_to(frame, UP, buff=px(14))
                            for frame, step in zip(rings, fullest)))


def _stacked(act: Act) -> tuple[list[TokenStacks], VGroup, VGroup]:
    """For each budget, from above: its steps as columns, its name, and how many steps it needs."""
    story, left = act.story, LEFT_OF_STEPS
    height = fit(sum(story.budgets), 524, 34, 4)
    width = fit(len(story.longest_run), STAGE.width / px(1) - left, 84, 4)
    stacks, names, totals, drop = [], VGroup(), VGroup(), 0.0
    for budget, run in story.budgets.items():
        stack = token_stacks(run.steps, ROLES, width, height, budget)
        drop += (height + 4) * budget + 10
        stacks.append(stack.shift(STAGE.at(left, -drop, UP + LEFT)
                                  - stack.columns.get_corner(DOWN + LEFT)))
        drop += 110
        top = STAGE.at(0, 0, LEFT)[0]
        name = Label(act.label("budget_row", n=budget), LEAD)
        total = number(act.label("total", n=len(run.steps)), FIGURE)
        names.add(name.move_to([top, stack.line.get_y() - px(24), 0], LEFT))
        totals.add(total.next_to(name, DOWN, buff=px(24)).align_to(name, LEFT))
    return stacks, names, totals


def _flags(stack: TokenStacks, firsts: dict[str, int]) -> dict[str, VGroup]:
    """Under a step, the letters of all whose first token it yields; request -> its letter."""
    flags = {}
    for step in sorted(set(firsts.values())):
        names = [name for name in ROLES if firsts.get(name) == step]
        row = VGroup(*(name_tag(name, ROLES[name], 32) for name in names))
        row.arrange(RIGHT, buff=px(20)).next_to(stack.columns[step - 1], DOWN, buff=px(50))
        flags |= dict(zip(names, row))
    return flags

