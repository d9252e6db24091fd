"""What a recorded state says of each block of the KV cache, as plain data for the drawing."""

from collections.abc import Mapping
from dataclasses import replace

from scenes.kit import BlockLook
from traces.state import RequestState, State

__all__ = ["physical_looks", "table_looks"]


def _span(start: int, count: int, first: int, size: int) -> int:
    """How many of the tokens start … start + count - 1 lie in a block that begins at `first`."""
    return max(0, min(start + count, first + size) - max(start, first))


def _part(request: RequestState, index: int, size: int, decode: bool) -> BlockLook:
    """Logical block number `index` of a request: its tokens, before anything is said of its hash.

    The three counters lie behind one another: cached, scheduled, and known without K and V.
    """
    first, cached, now = index * size, request.num_cached, request.scheduled
    return BlockLook(
        _span(0, cached, first, size), _span(cached, now, first, size),
        _span(cached + now, request.num_tokens - cached - now, first, size), decode)


def _marked(look: BlockLook, state: State, block: int) -> BlockLook:
    label = state.pool.hash[block]
    if label is None:
        return look
    return replace(look, mark=f"#{label}", findable=state.pool.hittable(block))


def table_looks(state: State, name: str, role: str, decode: bool = False) -> tuple[BlockLook, ...]:
    """The logical blocks of a request, in the order of its table; () for one without blocks.

    `decode`: what is scheduled in this state is a decode's token.
    """
    if name not in state:
        return ()
    request, size = state[name], state.pool.block_size
    return tuple(
        _marked(replace(_part(request, i, size, decode), owners=((name, role),)), state, block)
        for i, block in enumerate(request.block_table))


def physical_looks(state: State, roles: Mapping[str, str],
                   decode: bool = False) -> tuple[BlockLook, ...]:
    """Every block of the pool. `roles`: request name -> role of its hue.

    A block that several tables hold is as full as the one that reached farthest says; a free
    one keeps what was published, until it is taken.
    """
    looks = []
    for block, content in enumerate(state.pool.content):
        parts = [(_part(request, request.block_table.index(block), state.pool.block_size, decode),
                  (request.name, roles[request.name]))
                 for request in state.requests if block in request.block_table]
        if parts:
            fullest = max((part for part, _ in parts), key=lambda p: (p.cached, p.computing))
            look = replace(fullest, owners=tuple(owner for _, owner in parts))
        else:
            look = BlockLook(cached=len(content))
        looks.append(_marked(look, state, block))
    return tuple(looks)
