"""Shallow copies of the engine's state, taken in microseconds, and states made of them later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from traces.state import Pool, RequestState, State

__all__ = ["RawPool", "RawState"]

Chain = tuple[int | None, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class RawPool:
    """What a block manager holds; ``labels``: how many hash chains were known by then."""

    free: tuple[int, ...]
    used: frozenset[int]
    refs: list[int]
    hashes: list[int]
    content: list[list[int]]  # the engine replaces these lists and never changes one
    places: dict[int, int]
    labels: int

    @classmethod
    def of(cls, manager: Any, labels: int) -> RawPool:
        blocks = manager.blocks
        return cls(tuple(manager.free_block_ids), frozenset(manager.used_block_ids),
                   [b.ref_count for b in blocks], [b.hash for b in blocks],
                   [b.token_ids for b in blocks], dict(manager.hash_to_block_id), labels)

    def pool(self, size: int, labels: Mapping[int, int], chains: Sequence[Chain]) -> Pool:
        """``labels``: the engine's hash → its number; RuntimeError if its own books disagree."""
        if self.used != {block for block, refs in enumerate(self.refs) if refs}:
            raise RuntimeError("the engine's used blocks are not those with references")
        return Pool(size, self.free, tuple(self.refs),
                    tuple(None if key == -1 else labels[key] for key in self.hashes),
                    tuple(map(tuple, self.content)),
                    tuple(self.places.get(key) for key in list(labels)[:self.labels]),
                    tuple(chains[:self.labels]))


@dataclass(frozen=True, slots=True)
class RawState:
    """A scheduler's lines, and of each sequence its name and counters at that moment."""

    waiting: tuple[Any, ...]
    running: tuple[Any, ...]
    finished: tuple[str, ...]
    sequences: tuple[tuple[Any, ...], ...]
    pool: RawPool

    @classmethod
    def of(cls, scheduler: Any, sequences: Iterable[tuple[str, Any]], finished: Iterable[str],
           pool: RawPool) -> RawState:
        return cls(tuple(scheduler.waiting), tuple(scheduler.running), tuple(finished), tuple(
            (name, seq, seq.status.name, seq.num_tokens, seq.num_cached_tokens,
             seq.num_scheduled_tokens, tuple(seq.block_table)) for name, seq in sequences), pool)

    def state(self, size: int, labels: Mapping[int, int], chains: Sequence[Chain],
              name_of: Callable[[Any], str]) -> State:
        return State(
            self.pool.pool(size, labels, chains), tuple(map(name_of, self.waiting)),
            tuple(map(name_of, self.running)), self.finished, tuple(
                RequestState(name, status.lower(), tuple(seq.token_ids[:known]),
                             seq.num_prompt_tokens, cached, scheduled, table)
                for name, seq, status, known, cached, scheduled, table in self.sequences))
