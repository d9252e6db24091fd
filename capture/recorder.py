"""Record what a real scheduler and block manager do, without touching the engine's code.

Bound methods are wrapped on the instances and restored on exit. While the engine runs only cheap
raw copies are taken; states, digests and events are made afterwards (``Recorder.events``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from capture.copies import RawPool, RawState
from traces.schema import Event
from traces.state import State

__all__ = ["Recorder"]


class Recorder:
    """``with Recorder(scheduler, names) as recorder: …``; then ``recorder.events()``.

    ``names``: what the requests are called, in the order in which they are added. Works on any
    scheduler of the frozen engine, on a CPU or inside a GPU engine; start it after a replaced
    ``scheduler.block_manager`` is in place.
    """

    def __init__(self, scheduler: Any, names: Iterable[str]):
        self.scheduler, self.manager = scheduler, scheduler.block_manager
        self.step = 0
        self._names = iter(names)
        self._sequences: dict[int, tuple[str, Any]] = {}
        self._finished: list[str] = []
        self._labels: dict[int, int] = {}
        self._chains: list[tuple[int | None, tuple[int, ...]]] = []
        self._log: list[tuple[str, dict[str, Any]]] = []
        self._raw: list[tuple[int, RawState]] = []  # index into the log, state there
        self._held_back: list[tuple[str, dict[str, Any]]] | None = None
        self._unsettled: tuple[Any, int, int] | None = None
        self._batch: list[tuple[Any, int]] = []
        self._pool: RawPool | None = None  # the last copy, None once a block has changed
        self._tables: dict[int, list[tuple[int, ...]]] = {}  # by step, of the planned batch
        self._seen: dict[int, Iterable[int]] = {}  # by step, the slots that the engine prepared

    def __enter__(self) -> Recorder:
        self._emit("engine", block_size=self.manager.block_size,
                   num_blocks=len(self.manager.blocks),
                   max_num_batched_tokens=self.scheduler.max_num_batched_tokens,
                   max_num_seqs=self.scheduler.max_num_seqs)
        for owner, name in ((self.scheduler, "add"), (self.scheduler, "schedule"),
                            (self.scheduler, "preempt"), (self.scheduler, "postprocess"),
                            (self.manager, "allocate"), (self.manager, "may_append"),
                            (self.manager, "deallocate"), (self.manager, "hash_blocks")):
            setattr(owner, name, self._wrapper(getattr(self, f"_{name}"), getattr(owner, name)))
        return self

    def __exit__(self, *_: object) -> None:
        for owner in (self.scheduler, self.manager):
            for name in ("add", "schedule", "preempt", "postprocess", "allocate", "may_append",
                         "deallocate", "hash_blocks"):
                vars(owner).pop(name, None)

    def observe_slots(self, flat: Iterable[int]) -> None:
        """Replace the planned slots by those that the engine itself prepared, flat over the batch.

        Call it after ``prepare_prefill`` or ``prepare_decode`` with ``slot_mapping.tolist()``.
        """
        self._seen[self.step] = flat

    def events(self) -> list[Event]:
        """Everything that was recorded, with the digests of the engine's own states."""
        for index, raw in self._raw:
            self._log[index][1]["state"] = self._state(raw).digest()
        for name, fields in self._log:
            if name == "schedule" and "slots" not in fields:
                fields["slots"] = self._slots(fields["step"], fields["batch"])
        return [Event(n, name, fields) for n, (name, fields) in enumerate(self._log, 1)]

    def _slots(self, step: int, batch: list[list]) -> list[list[list[int]]]:
        """As the engine prepared them, else by its formula: slot = block × size + offset."""
        if step in self._seen:
            seen = iter(self._seen[step])
            return [_runs(islice(seen, count)) for _, _, count in batch]
        size = self.manager.block_size
        return [_runs(table[p // size] * size + p % size for p in range(start, start + count))
                for table, (_, start, count) in zip(self._tables[step], batch, strict=True)]

    def states(self) -> Iterator[State]:
        """The engine's own states: after each schedule and after each step."""
        return (self._state(raw) for _, raw in self._raw)

    # what happens around each of the engine's methods

    @staticmethod
    def _wrapper(around: Callable, method: Callable) -> Callable:
        return lambda *args: around(method, *args)

    def _add(self, method, sequence) -> None:
        name = next(self._names)
        self._sequences[sequence.seq_id] = (name, sequence)
        method(sequence)
        self._emit("add", step=self.step, request=name, prompt=sequence.num_prompt_tokens,
                   max_tokens=sequence.max_tokens)

    def _schedule(self, method):
        try:
            batch, is_prefill = method()
        except AssertionError:
            self._emit("stuck", step=self.step)
            raise
        plan = [[self._name(seq), seq.num_cached_tokens, seq.num_scheduled_tokens]
                for seq in batch]
        self._tables[self.step] = [tuple(seq.block_table) for seq in batch]
        self._emit("schedule", step=self.step, phase="prefill" if is_prefill else "decode",
                   batch=plan)
        self._snapshot()
        return batch, is_prefill

    def _preempt(self, method, sequence) -> None:
        method(sequence)
        self._emit("preempt", request=self._name(sequence))

    def _postprocess(self, method, batch, token_ids, is_prefill) -> None:
        self._tokens = iter(token_ids)
        self._held_back = []
        method(batch, token_ids, is_prefill)
        self._settle()
        self._held_back = None
        self._emit("step", step=self.step)
        self._snapshot()
        self.step += 1

    def _allocate(self, method, sequence, hits) -> None:
        self._pool = None
        method(sequence, hits)
        self._emit("allocate", request=self._name(sequence), hit=sequence.block_table[:hits],
                   taken=sequence.block_table[hits:])

    def _may_append(self, method, sequence) -> None:
        before = len(sequence.block_table)
        method(sequence)
        for block in sequence.block_table[before:]:
            self._pool = None
            self._emit("append", request=self._name(sequence), block=block)

    def _deallocate(self, method, sequence) -> None:
        self._pool = None
        blocks, length = sequence.block_table[::-1], len(self.manager.free_block_ids)
        method(sequence)
        released = list(self.manager.free_block_ids)[length:]
        fields = {"request": self._name(sequence), "blocks": blocks, "released": released}
        if self._held_back is None:
            self._emit("free", **fields)
        else:  # within postprocess: the sample comes first, and is seen only afterwards
            self._held_back.append(("free", fields))

    def _hash_blocks(self, method, sequence) -> None:
        self._settle()
        size, table = self.manager.block_size, sequence.block_table
        first = sequence.num_cached_tokens // size
        last = (sequence.num_cached_tokens + sequence.num_scheduled_tokens) // size
        places = dict(self.manager.hash_to_block_id) if last > first else {}
        method(sequence)
        for index in range(first, last):
            self._pool = None
            key = self.manager.blocks[table[index]].hash
            if key not in self._labels:
                before = self.manager.blocks[table[index - 1]].hash if index else None
                self._chains.append((self._labels.get(before), tuple(sequence.block(index))))
                self._labels[key] = len(self._labels)
            self._emit("publish", request=self._name(sequence), index=index, block=table[index],
                       label=self._labels[key], overwrites=places.get(key))
        self._unsettled = (sequence, sequence.num_tokens, next(self._tokens))

    def _settle(self) -> None:
        """See what postprocess did with the sequence before: its sample, and whether it ended."""
        if self._unsettled is None:
            return
        sequence, known, token = self._unsettled
        self._unsettled, name = None, self._name(sequence)
        self._emit("sample", request=name, token=token, kept=sequence.num_tokens > known)
        self._log += self._held_back
        self._held_back.clear()
        if sequence.is_finished:
            self._finished.append(name)
            self._emit("finish", request=name)

    # raw copies, and states made of them

    def _emit(self, name: str, **fields: Any) -> None:
        self._log.append((name, fields))

    def _name(self, sequence: Any) -> str:
        return self._sequences[sequence.seq_id][0]

    def _snapshot(self) -> None:
        """Most decode steps touch no block: then the last copy of the pool still holds."""
        if self._pool is None:
            self._pool = RawPool.of(self.manager, len(self._labels))
        self._raw.append((len(self._log) - 1, RawState.of(
            self.scheduler, self._sequences.values(), self._finished, self._pool)))

    def _state(self, raw: RawState) -> State:
        return raw.state(self.manager.block_size, self._labels, self._chains, self._name)


def _runs(slots: Iterable[int]) -> list[list[int]]:
    """Slots as runs [first, count]."""
    runs: list[list[int]] = []
    for slot in slots:
        if runs and slot == sum(runs[-1]):
            runs[-1][1] += 1
        else:
            runs.append([slot, 1])
    return runs
