"""The token budget cuts the first prompt; what becomes of the cut prompt's sample and counters."""

from itertools import accumulate

from manim import DOWN, RIGHT, FadeIn, FadeOut, LaggedStart, VGroup

from scenes.act04_scheduler.story import ROLES
from scenes.kit import LEAD, STAGE, Label, Node, TokenStrip, arrow, cross, px, ring
from scenes.kit.base.motion import come, leave, linger
from scenes.stage import BRISK, EASY, QUICK, SLOW, VERY_SLOW, Act, beat
from scenes.views import CountersView, RequestView, SchedulerView, token_key
from traces import Step
from traces.state import State

__all__ = ["chunked_prefill", "the_discarded_sample", "three_counters"]


@beat("engine/scheduler.py:42", steps="cut_window", variant="cutting", carries="lane")
def chunked_prefill(act: Act) -> None:
    story = act.story
    first, *later = [story.trace.steps[k - 1] for k in story.cut_window]
    # Back in time, from the timeline into the queues.
    act.cue("enter")
    view, key = SchedulerView(story.trace, first, ROLES, act.label), token_key(act.label)
    lane, window = act.kept.lane, VGroup()
    window.add(*(lane.timeline.columns[k - 1] for k in story.cut_window))
    lane.timeline.remove(*window)
    act.move(leave(lane), linger(window), view.enter(), come(key), pace=VERY_SLOW)
    # The budget reaches only so far into the first prompt.
    part, row = first.scheduled[0], view.board.rows[first.names[0]].strip
    known, end = first.before[part.request].num_tokens, part.start + part.count
    act.cue("budget")
    frame = ring(view.gauge.cells, buff=10)
    act.move(frame)
    act.cue("cut")
    cut = act.label("cut_here", name=part.request, done=part.count, known=known)
    act.move(view.to(first.planned), FadeOut(frame), view.say(
        cut if part.is_chunk else act.label("many", n=first.used)), pace=SLOW)
    frames = VGroup()
    if "left" in act.beat.cues:
        act.cue("left")
        frames.add(ring(VGroup(*row[end:known]), buff=7))
        act.move(frames)
    act.cue("next")
    act.move(view.to(first.after), FadeOut(frames), view.say(), pace=EASY)
    # It goes on; the next one must fit whole.
    if later:
        _go_on(act, view, later[0])
    act.cue("fit")
    if story.blocked:
        _blocked(act, view)
    act.cue("after")
    act.move(view.to(later[0].after) if later else None, view.say(), pace=EASY)
    act.cue("name")
    if story.cut:
        _chunks(act, view)
    act.keep(queues=view.all, key=key)


def _chunks(act: Act, view: SchedulerView) -> None:
    """The cut prompt once more: a frame around each of its chunks."""
    name = act.story.followed
    counts = [step.part(name).count for step in act.story.chunks]
    strip, starts = view.board.rows[name].strip, [0, *accumulate(counts)]
    chunks = (ring(VGroup(*strip[start:start + count]), buff=5, corner=8)
              for start, count in zip(starts, counts))
    counted = act.label("chunks", name=name, counts=" + ".join(map(str, counts)))
    act.move(LaggedStart(*map(FadeIn, chunks), lag_ratio=0.8), view.say(counted), pace=48)


def _blocked(act: Act, view: SchedulerView) -> None:
    """What is left of the budget, who would need more than that, and who alone may be cut."""
    name, need, unused = act.story.blocked
    left = ring(VGroup(*view.gauge.cells[-unused:]), buff=8)
    act.move(left, view.say(act.label("fits_not", name=name, need=need, unused=unused)))
    act.cue("need")
    row = view.board.rows[name]
    whole = ring(VGroup(row.tag, *row.strip[:need]), buff=8)
    act.move(FadeOut(left), whole, pace=SLOW)
    act.cue("first")
    act.move(view.say(act.label("not_first", name=name)), pace=SLOW)
    act.cue("wait")
    act.move(FadeOut(whole), pace=EASY)


def _go_on(act: Act, view: SchedulerView, step: Step) -> None:
    """The next step as planned; who arrives meanwhile comes first."""
    if step.arrived:
        act.move(view.arrive(step), pace=BRISK)
    goes_on = step.phase == "prefill" and step.scheduled[0].start > 0
    note = (act.label("goes_on", name=step.names[0]) if goes_on
            else act.label("many" if step.phase == "prefill" else "one_each", n=step.used))
    act.move(view.to(step.planned), view.say(note), pace=EASY)


@beat("engine/scheduler.py:86", steps="chunk_steps", variant="sampling", carries="queues key")
def the_discarded_sample(act: Act) -> None:
    name, first, last = act.story.followed, act.story.chunks[0], act.story.chunks[-1]
    # One prompt, large, and the head that makes a token of its last position.
    end = first.before[name].num_prompt
    tokens = RequestView(first.planned[name], ROLES[name], end + 2, 1560, 88)
    tokens.shift(STAGE.at(0, -120))
    head = Node(act.label("head"), act.label("head_note"), width=640, height=170, size=38)
    head.move_to(STAGE.at(-120, 200))
    act.move([leave(thing) for thing in act.kept.queues if len(thing.get_family()) > 1],
             come(tokens), come(head), pace=EASY)
    act.cue("sample")
    token = _sample(act, tokens, head, first)
    # Before the prompt's end the sample is thrown away; at its end it is kept.
    if first.part(name).is_chunk:
        _throw_away(act, token, tokens.strip, first.part(name).count)
        act.cue("rest")
        act.move(tokens.to(last.planned[name]), pace=EASY)
        token = _sample(act, tokens, head, last)
    act.cue("keep")
    act.move(token.animate.move_to(tokens.strip[end]).match_height(tokens.strip[end]), pace=SLOW)
    act.cue("new")
    kept = Label(act.label("kept"), LEAD).next_to(tokens.strip[end], DOWN, buff=px(36))
    act.move(FadeOut(token), tokens.to(last.after[name]), kept, pace=EASY)
    act.keep(tokens=tokens, note=kept, key=act.kept.key)


def _sample(act: Act, tokens: RequestView, head: Node, step: Step) -> TokenStrip:
    """The last position computed goes through the LM head, and a token comes out."""
    part = step.part(act.story.followed)
    last = tokens.strip[part.start + part.count - 1]
    way = arrow(last.get_top(), head.get_bottom(), "focus")
    token = TokenStrip(0, "k", ROLES[part.request], 80).next_to(head, RIGHT, buff=px(70))
    act.move(way, head.light(), pace=BRISK)
    act.move(FadeIn(token, shift=RIGHT * px(40)))
    act.move(FadeOut(way), head.calm(), tokens.computed(), pace=QUICK)
    return token


def _throw_away(act: Act, token: TokenStrip, strip: TokenStrip, done: int) -> None:
    """The next token is known: the sample is crossed out and leaves; what is cached stays."""
    frame = ring(strip[done], buff=7, corner=9)
    reason = Label(act.label("next_known"), LEAD).next_to(frame, DOWN, buff=px(30))
    act.cue("known")
    act.move(frame)
    act.move(reason, pace=SLOW)
    act.cue("throw")
    note = Label(act.label("thrown"), LEAD, "stop").next_to(token, RIGHT, buff=px(36))
    act.move(note, crossed := cross(token))
    act.cue("stay")
    stays = ring(VGroup(*strip[:done]), buff=7, corner=9)
    act.move([FadeOut(thing, shift=RIGHT * px(80)) for thing in (token, crossed, note)],
             FadeOut(frame), FadeOut(reason), stays, pace=EASY)
    act.move(FadeOut(stays), pace=QUICK)


@beat("engine/sequence.py:23", steps="counted", variant="counting_up", carries="tokens note key")
def three_counters(act: Act) -> None:
    story, tokens = act.story, act.kept.tokens
    name, last = story.followed, story.chunks[-1]
    counters = CountersView(last.after[name], ROLES[name], act.label)
    counters.move_to(STAGE.at(0, 170))
    act.move(leave(act.kept.note), pace=QUICK)
    # After the step that completes the prompt: three counts of the same tokens.
    for cue, counter in zip(("known", "two", "three"), counters):
        act.cue(cue)
        act.move(counter)
    # The newest token is known, and cached one decode step later.
    act.cue("newest")
    token = tokens.strip[last.after[name].num_tokens - 1]
    newest = ring(token, buff=7, corner=token.width / px(2) + 7)
    act.move(newest, pace=45)
    for cue, state in zip(("decode", "drawn"), _decode(story.first_decode)):
        act.cue(cue)
        act.move(tokens.to(state[name], decode=True), counters.to(state[name]),
                 FadeOut(newest) if cue == "drawn" else None, pace=EASY)
    act.keep(tokens=[tokens, counters], key=act.kept.key)


def _decode(step: Step | None) -> list[State]:
    """The states of a decode step: as planned, and after it."""
    return [step.planned, step.after] if step else []
