"""What must be true of every ``scheduling`` trace, whoever recorded it.

Checked on the folded states, without the reference model: two proofs that do not share an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from traces.fold import apply
from traces.schema import Event, TraceError
from traces.state import State
from traces.step import Step
from traces.trace import Trace, initial

__all__ = ["check"]

Fault = tuple[Event, str]


def check(trace: Trace) -> None:
    """Raise TraceError at the first event that breaks an invariant."""
    _header(trace)
    for step in trace.walk():
        for event, message in _faults(trace, step):
            raise TraceError(trace.path, event.n, message)
    _ending(trace)


def _header(trace: Trace) -> None:
    head, config, events = trace.header, trace.config.json(), trace.events
    if (head.origin == "gpu") == (head.provenance["weights"] == "none"):
        raise TraceError(trace.path, 0, f"origin {head.origin!r} with weights "
                                        f"{head.provenance['weights']!r}")
    if not events or events[0].name != "engine":
        raise TraceError(trace.path, 1, "does not say the engine's settings")
    for event in events[1:]:
        if event.name == "engine":
            raise TraceError(trace.path, event.n, "the engine's settings, once more")
    for name, value in config.items():
        if events[0].get(name) != value:
            raise TraceError(trace.path, 1, f"{name} is {events[0].get(name)!r} in the engine, "
                                            f"{value} in the header")


def _ending(trace: Trace) -> None:
    last, end = trace.last, len(trace.events)
    clock = sum(event.name == "step" for event in trace.events)
    if trace.stuck:
        _stuck(trace, clock)
    for request in trace.workload.requests:
        if request.name not in last:
            if trace.stuck and request.arrival > clock:
                continue  # the engine came to its end before
            raise TraceError(trace.path, end, f"request {request.name} never arrived")
        state = last[request.name]
        if state.status != "finished" and not trace.stuck:
            raise TraceError(trace.path, end, f"request {request.name} is still {state.status}")
        if state.status == "finished" and state.generated != request.outputs:
            raise TraceError(trace.path, end, f"request {request.name} generated other tokens "
                                              "than the header says")


def _stuck(trace: Trace, clock: int) -> None:
    """The run ends in its last event and there nothing could run: either the first that waits
    needs more than the pool, or the only one that ran needed a block and none was free."""
    state, tail, short = initial(trace.config), False, False
    for event in trace.events:
        if event.name == "free" and tail:
            name = event["request"]
            short = (not state.pool.free and state.running == (name,)
                     and state[name].num_tokens % trace.config.block_size == 1)
        tail = tail or (event.name == "step" and event["step"] == clock - 1) or clock == 0
        state = apply(state, event, trace.workload)
    event = trace.events[-1]
    if event["step"] != clock:
        raise TraceError(trace.path, event.n, f"says step {event['step']} in step {clock}")
    pool, head = state.pool, state.waiting[:1]
    need = -(-state[head[0]].num_tokens // pool.block_size) if head else 0
    if not head or state.running or not (short or need > pool.num_blocks):
        raise TraceError(trace.path, event.n, "the run is not stuck: something could be scheduled")


def _faults(trace: Trace, step: Step) -> Iterator[Fault]:
    plan = next(event for event in step.events if event.name == "schedule")
    end = step.events[-1]
    yield from _clock(trace, step)
    yield from _plan(trace, step, plan)
    yield from _blocks(step)
    yield from _slots(step, plan)
    yield from _samples(trace, step)
    for event, state in ((plan, step.planned), (end, step.after)):
        yield from ((event, message) for message in _consistent(state))
        if event["state"] != state.digest():
            yield event, "the engine's own state there was another one (digest)"


def _clock(trace: Trace, step: Step) -> Iterator[Fault]:
    """Steps count up; arrivals come first in a step, and not before their time unless idle."""
    idle = not (step.before.waiting or step.before.running) or (
        set(step.before.waiting) <= set(step.arrived) and not step.before.running)
    begun = False
    for event in step.events:
        if "step" in event.fields and event["step"] != step.index:
            yield event, f"says step {event['step']} in step {step.index}"
        begun = begun or event.name not in ("engine", "add")
        if event.name == "add":
            arrival = trace.workload[event["request"]].arrival
            if begun:
                yield event, f"request {event['request']} arrives within a step"
            if arrival > step.index and not idle:
                yield event, f"request {event['request']} arrives in step {step.index}, before " \
                             f"its time {arrival}"


def _plan(trace: Trace, step: Step, plan: Event) -> Iterator[Fault]:
    """One phase; seats and budget; who may be worked on; only the first may be cut."""
    line, config = step.before.waiting if step.phase == "prefill" else step.before.running, \
        trace.config
    if not step.scheduled:
        yield plan, "an empty step"
    if len(step.names) > config.max_num_seqs:
        yield plan, f"{len(step.names)} sequences, max_num_seqs is {config.max_num_seqs}"
    if len(set(step.names)) < len(step.names):
        yield plan, "one request twice in a step"
    if step.phase == "prefill" and step.used > config.max_num_batched_tokens:
        yield plan, f"{step.used} tokens, the budget is {config.max_num_batched_tokens}"
    for place, part in enumerate(step.scheduled):
        if part.request in step.before.finished:
            yield plan, f"request {part.request} is worked on after it finished"
        if part.request not in line:
            yield plan, f"a {step.phase} step works on {part.request}, which is not its phase"
        if part.request in step.preempted:
            yield plan, f"request {part.request} is preempted and worked on in one step"
        if step.phase == "decode" and part.count != 1:
            yield plan, f"a decode computes {part.count} tokens of {part.request}"
        if part.is_chunk and place:
            yield plan, f"request {part.request} is cut, and is not the first of its step"
        if part.is_chunk and step.used < config.max_num_batched_tokens:
            yield plan, f"request {part.request} is cut although budget is left"
        if part.start != step.planned[part.request].num_cached:
            yield plan, f"request {part.request} starts at {part.start}, " \
                        f"{step.planned[part.request].num_cached} are cached"


def _blocks(step: Step) -> Iterator[Fault]:
    """Free blocks are taken in order; a hit is a published block of the same tokens; the last
    block of a prompt is never reused; only a missing block preempts."""
    size = step.before.pool.block_size
    for event in step.events:
        if event.name == "allocate":
            request = step.before[event["request"]]
            need = -(-request.num_tokens // size)
            if len(event["hit"]) >= need:
                yield event, f"request {request.name} reuses its last block"
            if len(event["hit"]) + len(event["taken"]) != need:
                yield event, f"request {request.name} needs {need} blocks"
            for i, block in enumerate(event["hit"]):
                if step.planned.pool.content[block] != request.tokens[i * size:(i + 1) * size]:
                    yield event, f"block {block} is hit and holds other tokens"
        elif event.name == "append" and step.phase != "decode":
            yield event, "a block is appended in a prefill"
        elif event.name == "append":
            name = event["request"]
            if step.planned[name].num_tokens % size != 1:
                yield event, f"request {name} gets a block and needs none"
        elif event.name == "preempt" and step.phase != "decode":
            yield event, "a prefill preempts"


def _slots(step: Step, plan: Event) -> Iterator[Fault]:
    size = step.planned.pool.block_size
    for part in step.scheduled:
        table = step.planned[part.request].block_table
        for position, slot in zip(range(part.start, part.start + part.count), part.slots,
                                  strict=True):
            if position // size >= len(table):
                yield plan, f"request {part.request} has no block for token {position}"
                return
            right = table[position // size] * size + position % size
            if slot != right:
                yield plan, f"token {position} of {part.request} goes to slot {slot}, " \
                            f"block × size + offset is {right}"


def _samples(trace: Trace, step: Step) -> Iterator[Fault]:
    """Each share is sampled once, in order; it is kept if and only if the prompt is finished."""
    samples = [event for event in step.events if event.name == "sample"]
    if tuple(event["request"] for event in samples) != step.names:
        yield step.events[-1], "not one sample for each scheduled request, in order"
        return
    for event, part in zip(samples, step.scheduled, strict=True):
        if event["kept"] != part.finishes_prompt:
            yield event, f"a token of {part.request} is {'kept' if event['kept'] else 'lost'}"
        asked, known = trace.workload[part.request], step.planned[part.request]
        generated = len(known.generated) + 1
        over = event["kept"] and (generated == asked.max_tokens
                                  or event["token"] == trace.workload.eos)
        if over != (part.request in step.finished):
            yield event, f"request {part.request} has {generated} of {asked.max_tokens} tokens " \
                         f"and {'goes on' if over else 'ends'}"


def _consistent(state: State) -> Iterator[str]:
    """Blocks are free or held; references = tables; each status has its own line."""
    pool = state.pool
    held = [block for request in state.requests for block in request.block_table]
    if sorted([*set(held), *pool.free]) != list(range(pool.num_blocks)):
        yield "free and held blocks do not partition the pool"
    count = Counter(held)
    if any(count[block] != pool.refs[block] for block in {*held, *pool.free}):
        yield "a reference count is not the number of tables that hold the block"
    for label, block in enumerate(pool.hash_to_block):
        if block is not None and pool.hash[block] != label:
            yield f"the hash map points at block {block}, which holds something else"
    for status, line in (("waiting", state.waiting), ("running", state.running),
                         ("finished", state.finished)):
        if sorted(line) != sorted(r.name for r in state.requests if r.status == status):
            yield f"the {status} line is not those whose status says so"
    for request in state.requests:
        room = len(request.block_table) * pool.block_size
        if request.num_cached + request.scheduled > min(room, request.num_tokens):
            yield f"request {request.name} has more tokens in the cache than known or than room"
        if request.status == "finished" and request.block_table:
            yield f"request {request.name} has finished and holds blocks"
