"""Prefill goes first, so running requests pause; and what a larger budget changes."""

from collections.abc import Iterator, Mapping

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, LaggedStart, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import FIGURE, STAGE, Cell, Key, Timeline, fit, name_tag, number, px, ring
from scenes.kit.base.motion import come, leave, linger
from scenes.stage import BLINK, EASY, QUICK, SLOW, Act, beat
from scenes.views import SchedulerView, phase_timeline
from traces import Step

__all__ = ["prefill_first", "three_budgets"]


@beat("engine/scheduler.py:30", steps="window", variant="stalling", carries="tokens key")
def prefill_first(act: Act) -> None:
    story = act.story
    first, *others = [story.trace.steps[k - 1] for k in story.window]
    second, third = (*others, None, None)[:2]
    view = SchedulerView(story.trace, first, ROLES, act.label)
    act.move(leave(act.kept.tokens[0]), leave(act.kept.tokens[1]), view.enter(), pace=SLOW)
    # A step of decodes; then somebody arrives.
    act.cue("decode")
    act.move(view.to(first.planned), view.say(_said(act, first)), pace=EASY)
    if "arrive" in act.beat.cues:
        act.cue("arrive")
        act.move(view.to(first.after), view.say(), pace=QUICK)
        act.move(view.to(second.before),
                 view.say(act.label("arrives", name=", ".join(second.arrived))), pace=EASY)
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
    act.keep(queues=view.all, gauge=view.gauge)


def _said(act: Act, step: Step) -> str:
    return act.label("many" if step.phase == "prefill" else "one_each", n=step.used)


@beat("engine/scheduler.py:32", source="source_all", steps="longest_run", variant="counting",
      carries="queues gauge")
def three_budgets(act: Act) -> None:
    story = act.story
    key = Key([(Cell("work", "ink", "6"), act.label("key_prefill")),
               (Cell("work", "muted"), act.label("key_decode"))]).move_to(STAGE.at(0, 24, DOWN))
    # The same requests with each budget, one lane below the other.
    width, flags, lanes = fit(len(story.longest_run), 1320, 72, 4), [], []
    for row, (budget, trace) in enumerate(story.budgets.items()):
        lane = phase_timeline(trace.steps, act.label("budget_row", n=budget), width, 60)
        lanes.append(lane.shift(STAGE.at(250, -94 - 212 * row, UP + LEFT)))
    gauge = act.kept.gauge
    act.move([linger(thing) if thing is gauge else leave(thing)
              for thing in act.kept.queues if len(thing.get_family()) > 1],
             come(key), *(come(lane.tags) for lane in lanes), pace=SLOW)
    for row, (lane, (budget, trace)) in enumerate(zip(lanes, story.budgets.items())):
        act.cue(f"lane-{row}")
        total = number(act.label("total", n=len(trace.steps)), FIGURE)
        total.next_to(lane.columns[-1], RIGHT, buff=px(30)).set_y(lane.tags.get_y())
        act.move(lane.reveal(lag=0.8), pace=42)
        act.move(total, pace=BLINK)
        flags += _flags(lane, story.first_tokens[budget])
    # Letters where first tokens come; then the fullest steps.
    act.cue("flags")
    act.move(LaggedStart(*(FadeIn(flag, shift=UP * px(12)) for flag in flags), lag_ratio=0.3),
             pace=60)
    act.cue("price")
    fullest = [max(range(len(trace.steps)), key=lambda k, steps=trace.steps: steps[k].used)
               for trace in story.budgets.values()]
    frames = [ring(lane.columns[k], buff=4) for lane, k in zip(lanes, fullest)]
    act.move(LaggedStart(*map(FadeIn, frames), lag_ratio=0.7), pace=48)
    act.keep(lane=lanes[-1])


def _flags(lane: Timeline, firsts: Mapping[str, int]) -> Iterator[VGroup]:
    """Under a step, the letters of all whose first token it yields."""
    for step in sorted(set(firsts.values())):
        flag = VGroup(*(name_tag(name, ROLES[name], 36) for name in ROLES
                        if firsts.get(name) == step))
        yield flag.arrange(RIGHT, buff=px(6)).next_to(lane.columns[step - 1], DOWN, px(20))
