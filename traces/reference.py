"""A reference model of scheduler and block manager: plays any workload, in the traces' own format.

Our own statement of what the engine does at the frozen commit, written as decisions on immutable
states: look at a state, say which event comes next, fold it. Where it follows the engine's order
and that order matters, the anchor says so. Equal to the real scheduler event by event
(``tests/test_reference.py``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from traces.fold import apply
from traces.schema import ENGINE_COMMIT, Event, Header
from traces.state import State
from traces.trace import Trace, initial
from traces.workload import EngineConfig, Workload

__all__ = ["play", "playing"]


def play(workload: Workload, config: EngineConfig, *, allow_stuck: bool = False) -> Trace:
    """Play a workload to its end. The trace's origin is ``reference``; its workload holds what
    was sampled.

    WorkloadError at the start where one request is larger than the pool, which the engine answers
    with a bare assertion; with ``allow_stuck`` it is played, and ends in the event ``stuck``.
    """
    if not allow_stuck:
        workload.check(config)
    player = _Player(workload, config)
    for _ in player.steps():
        pass
    provenance: dict[str, object] = {
        "engine_commit": ENGINE_COMMIT, "model": None, "weights": "none", "gpu": None,
        "driver": None, "versions": {}, "seed": None, "command": None, "date": None}
    header = Header("reference", "scheduling", "reference", provenance, config.json(),
                    workload.with_samples(player.samples).json())
    return Trace(header, tuple(player.events))


def playing(workload: Workload, config: EngineConfig) -> Iterator[Event]:
    """The same events, each when it is asked for: whoever compares them need not play to an end
    that may be far. A run that gets stuck ends in the event ``stuck``."""
    player, given = _Player(workload, config), 0
    for _ in player.steps():
        yield from player.events[given:]
        given = len(player.events)
    yield from player.events[given:]


_Part = tuple[str, int, int]  # request, first token, count


class _Player:
    def __init__(self, workload: Workload, config: EngineConfig) -> None:
        self.workload, self.config = workload, config
        self.state: State = initial(config)
        self.events: list[Event] = []
        self.samples: dict[str, tuple[list[int], list[int]]] = {  # kept, discarded
            r.name: ([], []) for r in workload.requests}
        self.coming = deque(workload.by_arrival)
        self.clock = 0
        self.emit("engine", **config.json())

    @property
    def unfinished(self) -> bool:
        return bool(self.coming or self.state.waiting or self.state.running)

    def steps(self) -> Iterator[None]:
        """Play step by step to the end, or until nothing can run."""
        while self.unfinished and self.step():
            yield

    def emit(self, name: str, **fields: object) -> None:
        event = Event(len(self.events) + 1, name, fields)
        self.state = apply(self.state, event, self.workload)
        self.events.append(event)

    def step(self) -> bool:
        """One engine step; False when nothing can run although something is left."""
        self.arrive()
        batch, phase = self.prefill(), "prefill"
        if not batch:
            batch, phase = self.decode(), "decode"
        if not batch:
            self.emit("stuck", step=self.clock)
            return False
        slots = [self.slots(*part) for part in batch]
        self.emit_with_state("schedule", step=self.clock, phase=phase,
                             batch=[list(part) for part in batch], slots=slots)
        for name, start, count in batch:
            self.complete(name, start, count)
        self.emit_with_state("step", step=self.clock)
        self.clock += 1
        return True

    def emit_with_state(self, name: str, **fields: object) -> None:
        """Emit an event that carries the digest of the state which it leads to."""
        after = apply(self.state, Event(0, name, {**fields, "state": ""}), self.workload)
        self.events.append(Event(len(self.events) + 1, name, {**fields, "state": after.digest()}))
        self.state = after

    def arrive(self) -> None:
        """Add what is due; an engine without work takes no step until somebody comes."""
        idle = not (self.state.waiting or self.state.running)
        now = max(self.clock, self.coming[0].arrival) if idle and self.coming else self.clock
        while self.coming and self.coming[0].arrival <= now:
            new = self.coming.popleft()
            self.emit("add", step=self.clock, request=new.name, prompt=len(new.prompt),
                      max_tokens=new.max_tokens)

    def prefill(self) -> list[_Part]:
        """Walk the waiting line from its head: (name, start, count) of each that gets tokens.

        Only the first may be cut; who cannot get blocks blocks those behind (scheduler.py:29).
        """
        left, batch = self.config.max_num_batched_tokens, list[_Part]()
        for name in self.state.waiting[:self.config.max_num_seqs]:
            request = self.state[name]
            if left == 0:
                break
            hit = () if request.block_table else self.state.pool.look_up(request.tokens)
            new = 0 if request.block_table else self.blocks_of(request.num_tokens)
            shared = sum(self.state.pool.refs[b] > 0 for b in hit)
            if new - shared > len(self.state.pool.free):
                break
            start = len(hit) * self.config.block_size or request.num_cached
            need = request.num_tokens - start
            if need > left and batch:
                break
            if not request.block_table:
                self.allocate(name, hit, new)
            batch.append((name, start, min(need, left)))
            left -= min(need, left)
        return batch

    def blocks_of(self, tokens: int) -> int:
        return -(-tokens // self.config.block_size)

    def allocate(self, name: str, hit: tuple[int, ...], blocks: int) -> None:
        """All blocks of the prompt at once, even where only a chunk of it is computed now."""
        free = [block for block in self.state.pool.free if block not in hit]
        self.emit("allocate", request=name, hit=list(hit), taken=free[:blocks - len(hit)])

    def decode(self) -> list[_Part]:
        """One token each, from the left of the running queue; where a block is missing, the one
        at its right end gives its blocks back, at last the one that asks (scheduler.py:58)."""
        queue, batch = deque(self.state.running), list[_Part]()
        while queue and len(batch) < self.config.max_num_seqs:
            name = queue.popleft()
            known = self.state[name].num_tokens
            if known % self.config.block_size == 1:
                while not self.state.pool.free:
                    victim = queue.pop() if queue else name
                    self.give_back(victim)
                    self.emit("preempt", request=victim)
                    if victim == name:
                        return batch
                self.emit("append", request=name, block=self.state.pool.free[0])
            batch.append((name, known - 1, 1))
        return batch

    def give_back(self, name: str) -> None:
        """Tail first, so that the beginning of a prompt stays findable longest."""
        blocks = self.state[name].block_table[::-1]
        self.emit("free", request=name, blocks=list(blocks),
                  released=[b for b in blocks if self.state.pool.refs[b] == 1])

    def slots(self, name: str, start: int, count: int) -> list[list[int]]:
        """Where the step's K and V go: slot = block × size + offset, as runs [first, count]."""
        size, table = self.config.block_size, self.state[name].block_table
        runs: list[list[int]] = []
        for position in range(start, start + count):
            slot = table[position // size] * size + position % size
            if runs and slot == sum(runs[-1]):
                runs[-1][1] += 1
            else:
                runs.append([slot, 1])
        return runs

    def complete(self, name: str, start: int, count: int) -> None:
        """After the model ran: hash what became full, then keep or throw away the sample."""
        size = self.config.block_size
        for index in range(start // size, (start + count) // size):
            self.publish(name, index)
        request, (kept, discarded) = self.state[name], self.samples[name]
        asked, base = self.workload[name], self.workload.base(name)
        keep = start + count == request.num_tokens
        token = asked.output(len(kept), base) if keep else asked.discard(len(discarded), base)
        (kept if keep else discarded).append(token)
        self.emit("sample", request=name, token=token, kept=keep)
        if keep and (token == self.workload.eos or len(kept) == asked.max_tokens):
            self.give_back(name)
            self.emit("finish", request=name)

    def publish(self, name: str, index: int) -> None:
        """Enter a full block into the hash map; an equal chain's older entry is overwritten."""
        pool, request, size = self.state.pool, self.state[name], self.config.block_size
        previous = pool.hash[request.block_table[index - 1]] if index else None
        key = (previous, request.tokens[index * size:(index + 1) * size])
        known = key in pool.chains
        label = pool.chains.index(key) if known else len(pool.chains)
        self.emit("publish", request=name, index=index, block=request.block_table[index],
                  label=label, overwrites=pool.hash_to_block[label] if known else None)
