"""From one immutable state to the next: what each event of a ``scheduling`` trace does.

=========  ==========================================================================
add        ``step, request, prompt, max_tokens``: it arrives and waits; ``prompt`` is its length
allocate   ``request, hit, taken``: its table, blocks found by look-up, then blocks taken free
append     ``request, block``: one more block for its next token
free       ``request, blocks, released``: its table tail first, and those nobody holds any more
preempt    ``request``: back to the front of the waiting line, tokens kept
schedule   ``step, phase, batch, slots, state``: the plan, ``batch`` = [name, start, count] each,
           ``slots`` = runs [first slot, count] for each entry; digest of the state now
publish    ``request, index, block, label, overwrites``: a block became full and is hashed
sample     ``request, token, kept``: not kept while the prompt is unfinished
finish     ``request``
step       ``step, state``: the step is over; digest of the state now
stuck      ``step``: nothing can run and something is left, the engine's bare assertion
=========  ==========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from traces.events import EVENTS
from traces.schema import Event
from traces.state import RequestState, State
from traces.workload import Workload

__all__ = ["ImpossibleError", "apply"]

_BLOCKS = frozenset({"block", "hit", "taken", "blocks", "released"})


class ImpossibleError(ValueError):
    """An event that cannot happen in the state it is applied to."""


def apply(state: State, event: Event, workload: Workload) -> State:
    """The state after ``event``; ``state`` itself is left as it is.

    ImpossibleError if it cannot happen.
    """
    _check(state, event)
    return _APPLY[event.name](state, event, workload) if event.name in _APPLY else state


def _check(state: State, event: Event) -> None:
    """Its declared type; blocks that are in the pool; a request that has arrived."""
    kind = EVENTS.get(event.name)
    if kind is None:
        raise ImpossibleError(f"unknown event {event.name!r}")
    try:
        fact = msgspec.convert(event.fields, kind, strict=True)
    except msgspec.ValidationError as error:
        raise ImpossibleError(f"{event.name}: {error}") from None
    for name in _BLOCKS & event.fields.keys():
        value = event.fields[name]
        for block in value if isinstance(value, list) else [value]:
            if block >= state.pool.num_blocks:
                raise ImpossibleError(f"{event.name}: block {block} is outside the pool")
    request = getattr(fact, "request", None)
    if event.name != "add" and request is not None and request not in state:
        raise ImpossibleError(f"{event.name}: request {request!r} has not arrived")


def _with(state: State, name: str, **changes: Any) -> State:
    return replace(state, requests=tuple(
        replace(r, **changes) if r.name == name else r for r in state.requests))


def _without(names: tuple[str, ...], name: str, where: str) -> tuple[str, ...]:
    if name not in names:
        raise ImpossibleError(f"request {name!r} is not {where}")
    return tuple(other for other in names if other != name)


def _set(values: tuple, changes: Mapping[int, object]) -> tuple:
    copy = list(values)
    for index, value in changes.items():
        copy[index] = value
    return tuple(copy)


def _add(state: State, event: Event, workload: Workload) -> State:
    name = event["request"]
    if name in state:
        raise ImpossibleError(f"request {name!r} arrives twice")
    if name not in {request.name for request in workload.requests}:
        raise ImpossibleError(f"request {name!r} is not in the workload")
    prompt = workload[name].prompt
    if (event["prompt"], event["max_tokens"]) != (len(prompt), workload[name].max_tokens):
        raise ImpossibleError(f"request {name!r} arrives with {event['prompt']} ids and max_tokens "
                         f"{event['max_tokens']}, the workload says otherwise")
    return replace(state, waiting=(*state.waiting, name),
                   requests=(*state.requests, RequestState(name, "waiting", prompt, len(prompt))))


def _take(state: State, blocks: list[int]) -> State:
    """Take free blocks: their old content is forgotten, and the hash map if it points there."""
    pool = state.pool
    for block in blocks:
        if block not in pool.free or pool.refs[block]:
            raise ImpossibleError(f"block {block} is not free")
    stale = {label: None for b in blocks
             if (label := pool.hash[b]) is not None and pool.hittable(b)}
    return replace(state, pool=replace(
        pool, free=tuple(b for b in pool.free if b not in blocks),
        refs=_set(pool.refs, dict.fromkeys(blocks, 1)),
        hash=_set(pool.hash, dict.fromkeys(blocks)),
        content=_set(pool.content, dict.fromkeys(blocks, ())),
        hash_to_block=_set(pool.hash_to_block, stale)))


def _allocate(state: State, event: Event, _: Workload) -> State:
    name, hit, taken = event["request"], event["hit"], event["taken"]
    if state[name].block_table:
        raise ImpossibleError(f"request {name!r} already holds blocks")
    if len({*hit, *taken}) < len(hit) + len(taken):
        raise ImpossibleError(f"request {name!r} gets one block twice")
    pool = state.pool
    pool = replace(pool, free=tuple(b for b in pool.free if b not in hit),
                   refs=_set(pool.refs, {b: pool.refs[b] + 1 for b in hit}))
    state = _take(replace(state, pool=pool), taken)
    return _with(state, name, block_table=(*hit, *taken), num_cached=len(hit) * pool.block_size)


def _append(state: State, event: Event, _: Workload) -> State:
    name, block = event["request"], event["block"]
    return _with(_take(state, [block]), name, block_table=(*state[name].block_table, block))


def _free(state: State, event: Event, _: Workload) -> State:
    name, pool = event["request"], state.pool
    table = state[name].block_table
    if tuple(event["blocks"]) != table[::-1]:
        raise ImpossibleError(f"free: {event['blocks']} is not the table of {name!r}, tail first")
    refs = _set(pool.refs, {b: pool.refs[b] - 1 for b in table})
    released = [b for b in event["blocks"] if refs[b] == 0]
    if released != event["released"]:
        raise ImpossibleError(f"free: {released} are held by nobody now, not {event['released']}")
    state = replace(state, pool=replace(pool, refs=refs, free=(*pool.free, *released)))
    return _with(state, name, block_table=(), num_cached=0)


def _preempt(state: State, event: Event, _: Workload) -> State:
    name = event["request"]
    if state[name].block_table:
        raise ImpossibleError(f"request {name!r} is preempted and keeps blocks")
    state = replace(state, running=_without(state.running, name, "running"),
                    waiting=(name, *state.waiting))
    return _with(state, name, status="waiting")


def _schedule(state: State, event: Event, _: Workload) -> State:
    batch, slots = event["batch"], state.pool.num_blocks * state.pool.block_size
    if len(batch) != len(event["slots"]):
        raise ImpossibleError("schedule: not as many runs of slots as requests")
    for (name, start, count), runs in zip(batch, event["slots"], strict=True):
        if name not in state:
            raise ImpossibleError(f"schedule: request {name!r} has not arrived")
        if any(first + length > slots for first, length in runs):
            raise ImpossibleError(f"schedule: slots of request {name!r} are outside the pool")
        if not 0 < count <= state[name].num_tokens - start or sum(n for _, n in runs) != count:
            raise ImpossibleError(f"schedule: request {name!r} has no tokens {start} to "
                             f"{start + count - 1}, or not one slot for each")
        state = _with(state, name, scheduled=count)
        if event["phase"] == "prefill" and start + count == state[name].num_tokens:
            state = replace(state, waiting=_without(state.waiting, name, "waiting"),
                            running=(*state.running, name))
            state = _with(state, name, status="running")
    return state


def _publish(state: State, event: Event, _: Workload) -> State:
    pool, request = state.pool, state[event["request"]]
    index, block, label, size = event["index"], event["block"], event["label"], pool.block_size
    if index >= len(request.block_table) or request.block_table[index] != block:
        raise ImpossibleError(f"publish: block {block} is not number {index} of {request.name!r}")
    previous = pool.hash[request.block_table[index - 1]] if index else None
    key = (previous, request.tokens[index * size:(index + 1) * size])
    chains = pool.chains if key in pool.chains else (*pool.chains, key)
    places = pool.hash_to_block + (None,) * (len(chains) - len(pool.chains))
    if label != chains.index(key):
        raise ImpossibleError(f"publish: label {label} belongs to another hash chain")
    if event["overwrites"] != places[label]:
        raise ImpossibleError(f"publish: overwrites {event['overwrites']}, "
                              f"the map had {places[label]}")
    return replace(state, pool=replace(
        pool, chains=chains, hash_to_block=_set(places, {label: block}),
        hash=_set(pool.hash, {block: label}), content=_set(pool.content, {block: key[1]})))


def _sample(state: State, event: Event, _: Workload) -> State:
    request = state[event["request"]]
    tokens = (*request.tokens, event["token"]) if event["kept"] else request.tokens
    return _with(state, request.name, tokens=tokens, scheduled=0,
                 num_cached=request.num_cached + request.scheduled)


def _finish(state: State, event: Event, _: Workload) -> State:
    name = event["request"]
    state = replace(state, running=_without(state.running, name, "running"),
                    finished=(*state.finished, name))
    return _with(state, name, status="finished")


_APPLY = {"add": _add, "allocate": _allocate, "append": _append, "free": _free,
          "preempt": _preempt, "schedule": _schedule, "publish": _publish, "sample": _sample,
          "finish": _finish}
