"""Prefill goes first, under a token budget that may cut the first prompt of a step."""

from collections.abc import Iterator, Mapping

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, FadeOut, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import FIGURE, STAGE, Cell, Key, Label, Node, Timeline, TokenStrip, arrow, cross
from scenes.kit import fit, name_tag, number, px, ring
from scenes.stage import BLINK, BRISK, EASY, QUICK, SLOW, STEADY, Act, beat
from scenes.views import RequestView, SchedulerView, phase_timeline, token_key
from traces import Step

__all__ = ["chunked_prefill", "prefill_first", "the_discarded_sample", "three_budgets"]


@beat("engine/scheduler.py:30", steps="window", variant="stalling", least={1: 48})
def prefill_first(act: Act) -> None:
    view, steps = _queues(act, act.story.window)
    for k, step in enumerate(steps):
        # A newcomer arrives while others decode.
        if k == 1 and step.arrived:
            act.late(EASY)
            _arrive(act, view, step)
        if k:
            act.next_line()
        # One phase a step: many tokens of a prompt, or one for each that runs.
        if step.stalled and step.phase == "prefill":
            note, role = act.label("no_token", names=", ".join(step.stalled)), "stop"
        else:
            key = "many" if step.phase == "prefill" else "one_each"
            note, role = act.label(key, n=step.used), "ink"
        _decide(act, view, step, note, role)
        if k:
            act.late(EASY)
        act.move(view.to(step.after), pace=EASY)


@beat("engine/scheduler.py:42", steps="cut_window", variant="cutting", least={3: 60})
def chunked_prefill(act: Act) -> None:
    view, steps = _queues(act, act.story.cut_window)
    for k, step in enumerate(steps):
        # The first prompt is cut; next it goes on, and the next one fits whole or waits.
        if 1 <= k <= 2:
            act.next_line()
        if k and step.arrived:
            _arrive(act, view, step)
        _decide(act, view, step, _cutting(act, step))
        if k != 2 or len(steps) == 3:
            act.late(EASY)
        act.move(view.to(step.after), pace=EASY)


def _queues(act: Act, numbers: tuple[int, ...]) -> tuple[SchedulerView, list[Step]]:
    """The scheduler as before the first of some steps, given by number; and the steps."""
    trace = act.story.trace
    steps = [trace.steps[k - 1] for k in numbers]
    view = SchedulerView(trace, steps[0], ROLES, act.label)
    act.move(view.enter(), token_key(act.label), pace=EASY)
    return view, steps


def _arrive(act: Act, view: SchedulerView, step: Step) -> None:
    note = act.label("arrives", name=", ".join(step.arrived))
    act.move(view.to(step.before), view.say(note), pace=EASY)


def _decide(act: Act, view: SchedulerView, step: Step, note: str, role: str = "ink") -> None:
    act.move(view.to(step.planned), view.say(note, role), pace=20)
    if step.phase == "prefill" and step.stalled:
        act.move(view.pause(step.stalled), pace=QUICK)


def _cutting(act: Act, step: Step) -> str:
    """What a step says about cutting and fitting."""
    part, waiting = step.scheduled[0], step.planned.waiting
    if step.phase != "prefill":
        return ""
    if part.is_chunk:
        known = step.before[part.request].num_tokens
        return act.label("cut_here", done=part.start + part.count, known=known)
    unused = step.budget - step.used
    if waiting and 0 < unused < (need := step.planned[waiting[0]].num_tokens):
        return act.label("fits_not", name=waiting[0], need=need, unused=unused)
    return ""  # who waits, waits because the step serves no more sequences


@beat("engine/scheduler.py:86", steps="chunk_steps", variant="chunking")
def the_discarded_sample(act: Act) -> None:
    name, first, last = act.story.followed, act.story.chunks[0], act.story.chunks[-1]
    # One prompt, large, and the head that makes a token of its last position.
    request, end = first.before[name], first.before[name].num_prompt
    view = RequestView(request, ROLES[name], end + 1, 1400, 84).shift(STAGE.at(0, -110))
    head = Node(act.label("head"), act.label("head_note"), width=560, height=150)
    act.move(view, head.move_to(STAGE.at(0, 190)), token_key(act.label))
    token = _sample(act, view, head, first)
    act.next_line()
    # Before the prompt's end the sample is thrown away; at its end it is kept.
    if first.part(name).is_chunk:
        _throw_away(act, token, view.strip[first.part(name).count])
        act.next_line()
        token = _sample(act, view, head, last)
    kept = Label(act.label("kept"), 34).next_to(view.strip[end], DOWN, buff=px(36))
    act.late(21)
    act.move(token.animate.move_to(view.strip[end]).match_height(view.strip[end]), kept, pace=21)


def _sample(act: Act, view: RequestView, head: Node, step: Step) -> TokenStrip:
    """A chunk is computed; its last position goes through the LM head, a token comes out."""
    part = step.part(act.story.followed)
    act.move(view.to(step.planned[part.request]), pace=BRISK)
    last = view.strip[part.start + part.count - 1]
    way = arrow(last.get_top(), head.get_bottom(), "focus")
    token = TokenStrip(0, "k", ROLES[part.request], 72).next_to(head, RIGHT, buff=px(60))
    act.move(way, pace=BRISK)
    act.move(FadeIn(token, shift=RIGHT * px(40)), head.light(), pace=BRISK)
    act.move(FadeOut(way), head.calm(), view.computed(), pace=QUICK)
    return token


def _throw_away(act: Act, token: TokenStrip, known: VGroup) -> None:
    """The next token is known: the sample is crossed out and leaves."""
    frame = ring(known, buff=7, corner=9)
    reason = Label(act.label("next_known"), 34).next_to(frame, DOWN, buff=px(30))
    act.move(frame, reason)
    note = Label(act.label("thrown"), 34, "stop").next_to(token, RIGHT, buff=px(36))
    act.move(note, crossed := cross(token))
    act.late(STEADY)
    act.move([FadeOut(thing, shift=RIGHT * px(80)) for thing in (token, crossed, note)],
             FadeOut(frame), FadeOut(reason))


@beat("engine/scheduler.py:32", source="source_all", steps="longest_run", variant="counting",
      least={1: 64})
def three_budgets(act: Act) -> None:
    story = act.story
    key = Key([(Cell("work", "focus", "6"), act.label("key_prefill")),
               (Cell("work", "muted"), act.label("key_decode"))])
    act.move(key.move_to(STAGE.at(0, 24, DOWN)), pace=BLINK)
    # The same requests with each budget, one lane below the other.
    width, flags = fit(len(story.longest_run), 1320, 72, 4), []
    for row, (budget, trace) in enumerate(story.budgets.items()):
        lane = phase_timeline(trace.steps, act.label("budget_row", n=budget), width, 56)
        lane.shift(STAGE.at(230, -90 - 210 * row, UP + LEFT))
        total = number(act.label("total", n=len(trace.steps)), FIGURE)
        total.next_to(lane.columns[-1], RIGHT, buff=px(30)).set_y(lane.tags.get_y())
        act.move(lane.tags, lane.reveal(lag=0.8), pace=42)
        act.move(total, pace=QUICK)
        flags += _flags(lane, story.first_tokens[budget])
    act.next_line()
    # Letters where first tokens come.
    act.move([FadeIn(flag, shift=UP * px(12)) for flag in flags], pace=SLOW)


def _flags(lane: Timeline, firsts: Mapping[str, int]) -> Iterator[VGroup]:
    """Under a step, given by number, the letters of all whose first token it yields."""
    for step in sorted(set(firsts.values())):
        names = [name for name in ROLES if firsts.get(name) == step]
        flag = VGroup(*(name_tag(name, ROLES[name], 36) for name in names))
        yield flag.arrange(RIGHT, buff=px(6)).next_to(lane.columns[step - 1], DOWN, px(20))
