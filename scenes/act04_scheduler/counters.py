"""Known, cached, scheduled: three counters of one request."""

from scenes.act04_scheduler.story import ROLES
from scenes.kit import STAGE
from scenes.stage import EASY, Act, beat
from scenes.views import CountersView, RequestView, token_key
from traces.state import State

__all__ = ["three_counters"]


@beat("engine/sequence.py:23", steps="counted")
def three_counters(act: Act) -> None:
    name, decode = act.story.followed, act.story.first_decode
    first, *more = act.story.chunks[:2]
    # One request, large: its counters over its tokens.
    request = first.before[name]
    cells = request.num_prompt + min(2, act.story.trace.workload[name].max_tokens)
    tokens = RequestView(request, ROLES[name], cells).shift(STAGE.at(0, -110))
    counters = CountersView(request, ROLES[name], act.label).move_to(STAGE.at(0, 170))
    act.move(counters, tokens, token_key(act.label))

    def show(state: State) -> None:
        act.move(tokens.to(state[name]), counters.to(state[name]), pace=EASY)

    act.late(EASY)
    show(first.planned)
    act.next_line()
    # After a step, what was scheduled is cached; so also for its next chunk.
    for state in (first.after, *(state for step in more for state in (step.planned, step.after))):
        show(state)
        act.rest(21)
    act.next_line()
    # The sampled token is known, and cached one decode step later.
    if decode:
        show(decode.planned)
        act.late(EASY)
        show(decode.after)
