"""Immutable states of scheduler and block pool, as scenes draw them and as proofs compare them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["Pool", "RequestState", "State", "Status"]

Status = Literal["waiting", "running", "finished"]


@dataclass(frozen=True, slots=True)
class RequestState:
    """One request. ``tokens`` are the known ids: prompt, then what was sampled and kept.

    The three counters are never the same thing: ``num_tokens`` known, ``num_cached`` with K and V
    in the cache, ``scheduled`` computed in the step that is under way (0 between steps).
    """

    name: str
    status: Status
    tokens: tuple[int, ...]
    num_prompt: int
    num_cached: int = 0
    scheduled: int = 0
    block_table: tuple[int, ...] = ()

    @property
    def num_tokens(self) -> int:
        return len(self.tokens)

    @property
    def generated(self) -> tuple[int, ...]:
        """The ids sampled and kept so far."""
        return self.tokens[self.num_prompt:]


@dataclass(frozen=True, slots=True)
class Pool:
    """The block pool; every tuple but ``free`` and the last two is indexed by physical block.

    ``free``            free blocks, the next to be taken first
    ``refs``            tables that hold the block
    ``hash``            label of its published hash chain, None before it is full and computed;
                        a freed block keeps it until it is taken again
    ``content``         its published token ids, () before
    ``hash_to_block``   indexed by label: the block a look-up finds, None when it finds nothing
    ``chains``          indexed by label: (label of the block before it or None, its token ids)

    Labels count hash chains in the order of their first publication: equal chains, equal labels.
    """

    block_size: int
    free: tuple[int, ...]
    refs: tuple[int, ...]
    hash: tuple[int | None, ...]
    content: tuple[tuple[int, ...], ...]
    hash_to_block: tuple[int | None, ...] = ()
    chains: tuple[tuple[int | None, tuple[int, ...]], ...] = ()

    @classmethod
    def fresh(cls, num_blocks: int, block_size: int) -> Pool:
        return cls(block_size, tuple(range(num_blocks)), (0,) * num_blocks,
                   (None,) * num_blocks, ((),) * num_blocks)

    @property
    def num_blocks(self) -> int:
        return len(self.refs)

    def hittable(self, block: int) -> bool:
        """Whether a look-up can find the block: the hash map points at it."""
        label = self.hash[block]
        return label is not None and self.hash_to_block[label] == block

    def look_up(self, tokens: tuple[int, ...]) -> tuple[int, ...]:
        """The blocks that a prompt of these ids hits, from its first block on.

        Block by block along the hash chain, ids compared, and never the last block: at least one
        token is always computed (`engine/block_manager.py:58`).
        """
        size, found, label = self.block_size, [], None
        for i in range(-(-len(tokens) // size) - 1):
            key = (label, tokens[i * size:(i + 1) * size])
            label = self.chains.index(key) if key in self.chains else None
            block = None if label is None else self.hash_to_block[label]
            if block is None:
                break
            found.append(block)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class State:
    """The whole scheduler between two events; requests in the order in which they were added."""

    pool: Pool
    waiting: tuple[str, ...] = ()
    running: tuple[str, ...] = ()
    finished: tuple[str, ...] = ()
    requests: tuple[RequestState, ...] = ()

    def __getitem__(self, name: str) -> RequestState:
        for request in self.requests:
            if request.name == name:
                return request
        raise KeyError(name)

    def __contains__(self, name: str) -> bool:
        return any(request.name == name for request in self.requests)

    def holders(self, block: int) -> tuple[str, ...]:
        """The requests whose tables hold a block."""
        return tuple(r.name for r in self.requests if block in r.block_table)

    def fill(self, block: int) -> int:
        """How many slots of a block have K and V in them; of a free one, what it still keeps."""
        counts = [min(max(r.num_cached - i * self.pool.block_size, 0), self.pool.block_size)
                  for r in self.requests for i, b in enumerate(r.block_table) if b == block]
        return max(counts, default=len(self.pool.content[block]))

    def digest(self) -> str:
        """A short fingerprint, the same for equal states of the fold, reference and engine."""
        facts = (self.waiting, self.running, self.finished, self.pool.block_size, self.pool.free,
                 self.pool.refs, self.pool.hash, self.pool.hash_to_block,
                 tuple((r.name, r.status, r.num_prompt, r.num_cached, r.scheduled, r.block_table,
                        _checksum(r.tokens)) for r in self.requests))
        return hashlib.sha256(repr(facts).encode()).hexdigest()[:12]


def _checksum(tokens: Iterable[int]) -> int:
    return zlib.crc32(np.asarray(tuple(tokens), dtype="<i8").tobytes())
