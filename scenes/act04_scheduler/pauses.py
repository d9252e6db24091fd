"""Prefill goes first, so running requests pause; and what a larger budget buys, for what price."""

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import FIGURE, LEAD, STAGE, Cell, Key, Label, TokenStacks
from scenes.kit import fit, name_tag, number, px, ring
from scenes.kit.base.motion import come, leave
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat
from scenes.views import SchedulerView, token_stacks
from traces import Step

__all__ = ["prefill_first", "two_budgets"]


@beat("engine/scheduler.py:30", steps="window", variant="stalling", carries="tokens key")
def prefill_first(act: Act) -> None:
    story = act.story
    first, *others = [story.trace.steps[k - 1] for k in story.window]
    second, third = (*others, None, None)[:2]
    view = SchedulerView(story.trace, first, ROLES, act.label)
    act.move([leave(thing) for thing in act.kept.tokens], view.enter(), pace=SLOW)
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
             come(names), come(key), *(come(stack.line) for stack in stacks),
             *(come(stack.ticks) for stack in stacks), pace=SLOW)
    for row, stack in enumerate(stacks):
        act.cue(f"lane-{row}")
        act.move(stack.reveal(), pace=48)
        act.cue(f"total-{row}")
        act.move(totals[row], pace=BRISK)
    # What it buys: first tokens come sooner.
    act.cue("flags")
    flags = [_flags(stack, story.first_tokens[budget])
             for stack, budget in zip(stacks, story.budgets)]
    act.move(LaggedStart(*(FadeIn(flag, shift=UP * px(12)) for row in flags
                           for flag in row.values()), lag_ratio=0.3), pace=45)
    late = VGroup(*(ring(row[act.story.facts["late"]], buff=6) for row in flags))
    if story.counting == "fewer":
        act.cue("sooner")
        act.move(late, pace=EASY)
    frames, waits = _fullest(act, stacks)
    act.cue("price")
    act.move(FadeOut(late) if story.counting == "fewer" else None,
             LaggedStart(*map(FadeIn, frames), lag_ratio=0.8), pace=48)
    act.cue("wait")
    act.move(waits if len(waits) else None, pace=EASY)
    act.keep(lanes=[*stacks, names, totals, *(flag for row in flags for flag in row.values()),
                    frames, waits, key])


def _fullest(act: Act, stacks: list[TokenStacks]) -> tuple[VGroup, VGroup]:
    """The price: a frame around the fullest step of each run, and who waits for all of it."""
    frames, waits = VGroup(), VGroup()
    for stack, run in zip(stacks, act.story.budgets.values()):
        fullest = max(run.steps, key=lambda step: step.used)
        frames.add(ring(stack.columns[fullest.index], buff=6))
        if fullest.stalled:
            note = Label(act.label("no_token", names=", ".join(fullest.stalled)), LEAD, "stop")
            waits.add(note.next_to(frames[-1], RIGHT, buff=px(24)).align_to(frames[-1], UP)
                      .shift(DOWN * px(40)))
    return frames, waits


def _stacked(act: Act) -> tuple[list[TokenStacks], VGroup, VGroup]:
    """For each budget, from above: its steps as columns, its name, and how many steps it needs."""
    story, left = act.story, 300
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

