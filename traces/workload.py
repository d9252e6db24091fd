"""What is asked of the engine: requests with their arrivals, and the four settings that matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

__all__ = ["EngineConfig", "Request", "Workload", "WorkloadError", "toy_request"]

_TOY = 1000  # toy ids of request k start at 1000 (k + 1); outputs at + 500, discards at + 900
_MOST, _LARGEST = 2**31, 10**6


class WorkloadError(ValueError):
    """A workload that the engine cannot serve, or that makes no sense; one line."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """The scheduler's settings, named as in the engine. Sizes in tokens, sequences and blocks."""

    block_size: int
    num_blocks: int
    max_num_batched_tokens: int
    max_num_seqs: int

    def __post_init__(self) -> None:
        for name in self.__slots__:
            least = 2 if name == "block_size" else 1  # blocks of 1 break the engine's hash chain
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= _LARGEST:
                raise WorkloadError(f"{name} must be a whole number from {least} to {_LARGEST}, "
                                    f"not {value!r}")

    def json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> EngineConfig:
        """From a header's ``config``; further keys (a GPU's settings) are left out."""
        if missing := [name for name in cls.__slots__ if name not in data]:
            raise WorkloadError(f"config lacks {missing[0]!r}")
        return cls(**{name: data[name] for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class Request:
    """One request.

    ``arrival``: it is added before engine step number ``arrival`` is scheduled (or as soon as the
    engine has nothing else to do). ``outputs``: the tokens that will be sampled and kept, in order.
    ``discarded``: the tokens sampled while its prompt is unfinished, which the engine throws away.
    Both may be shorter than needed: toy ids follow.
    """

    name: str
    prompt: tuple[int, ...]
    arrival: int = 0
    max_tokens: int = 1
    outputs: tuple[int, ...] = ()
    discarded: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.name or not isinstance(self.name, str):
            raise WorkloadError("a request needs a name")
        if not self.prompt:
            raise WorkloadError(f"request {self.name}: an empty prompt")
        ids = (*self.prompt, *self.outputs, *self.discarded)
        if not all(type(value) is int and 0 <= value < _MOST for value in ids):
            raise WorkloadError(f"request {self.name}: token ids must be whole numbers from 0")
        if type(self.arrival) is not int or self.arrival < 0:
            raise WorkloadError(f"request {self.name}: arrival must be a step index from 0")
        if type(self.max_tokens) is not int or self.max_tokens < 1:
            raise WorkloadError(f"request {self.name}: max_tokens must be at least 1")

    def output(self, index: int, base: int) -> int:
        """The kept token number ``index`` from 0; ``base`` is the request's toy number."""
        return self.outputs[index] if index < len(self.outputs) else base + 500 + index

    def discard(self, index: int, base: int) -> int:
        """The discarded token number ``index`` from 0."""
        return self.discarded[index] if index < len(self.discarded) else base + 900 + index

    def json(self) -> dict[str, Any]:
        return {"name": self.name, "prompt": list(self.prompt), "arrival": self.arrival,
                "max_tokens": self.max_tokens, "outputs": list(self.outputs),
                "discarded": list(self.discarded)}


def toy_request(index: int, prompt: int, max_tokens: int, arrival: int = 0, *,
                shared: Sequence[int] = (), name: str | None = None) -> Request:
    """Request number ``index`` (A, B, C …) with a prompt of ``prompt`` toy ids of its own.

    ``shared`` replaces the beginning of the prompt: a common prefix.
    """
    own = tuple(_TOY * (index + 1) + i for i in range(prompt))
    name = name or (chr(ord("A") + index) if index < 26 else f"R{index}")
    return Request(name, (*shared, *own[len(shared):]), arrival, max_tokens)


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests in the order in which they are listed; ``eos`` ends a request early if sampled."""

    requests: tuple[Request, ...]
    eos: int | None = None

    def __post_init__(self) -> None:
        names = [request.name for request in self.requests]
        if not names:
            raise WorkloadError("a workload needs a request")
        if len(set(names)) < len(names):
            raise WorkloadError("two requests have one name")

    def __getitem__(self, name: str) -> Request:
        return next(request for request in self.requests if request.name == name)

    @property
    def by_arrival(self) -> tuple[Request, ...]:
        """Requests in the order in which they are added: by arrival, then as listed."""
        return tuple(sorted(self.requests, key=lambda request: request.arrival))

    def base(self, name: str) -> int:
        """The toy number of a request, from which its unset outputs are counted."""
        return _TOY * (1 + next(i for i, r in enumerate(self.requests) if r.name == name))

    def length(self, request: Request) -> int:
        """How many tokens it generates: up to ``max_tokens``, or to the first end of sequence."""
        outputs = request.outputs[:request.max_tokens]
        if self.eos in outputs:
            return outputs.index(self.eos) + 1
        return request.max_tokens

    def check(self, config: EngineConfig) -> None:
        """Refuse what the engine answers with a bare assertion: a request larger than the pool.

        The last sampled token never needs a place, hence the - 1. One that is larger on paper and
        ends early, because its outputs hold the end of sequence, is served.
        """
        for request in self.requests:
            tokens = len(request.prompt) + self.length(request) - 1
            blocks = -(-tokens // config.block_size)
            if blocks > config.num_blocks:
                raise WorkloadError(f"request {request.name} needs {blocks} blocks of "
                                    f"{config.block_size}, the pool has {config.num_blocks}")

    def with_samples(self, samples: Mapping[str, tuple[Sequence[int], Sequence[int]]]) -> Workload:
        """The same workload with what was sampled: name → (kept, discarded).

        An end-of-sequence id that ended nobody is dropped: nothing shows that it was set.
        """
        ended = any(self.eos in kept for kept, _ in samples.values())
        return replace(self, eos=self.eos if ended else None, requests=tuple(
            replace(r, outputs=tuple(samples[r.name][0]), discarded=tuple(samples[r.name][1]))
            if r.name in samples else r for r in self.requests))

    def json(self) -> dict[str, Any]:
        return {"requests": [request.json() for request in self.requests], "eos": self.eos}

    @classmethod
    def parse(cls, data: Mapping[str, Any]) -> Workload:
        """From a header's ``workload``; WorkloadError when it is not one."""
        try:
            made = msgspec.convert(data, _Workload, strict=True)
        except msgspec.ValidationError as error:
            raise WorkloadError(f"workload: {error}") from None
        return cls(tuple(Request(r.name, tuple(r.prompt), r.arrival, r.max_tokens,
                                 tuple(r.outputs), tuple(r.discarded))
                         for r in made.requests), made.eos)


_Id = Annotated[int, Meta(ge=0, lt=_MOST)]


class _Request(Struct, forbid_unknown_fields=True):
    """A request as a header holds it."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]
    prompt: list[_Id]
    arrival: _Id
    max_tokens: Annotated[int, Meta(ge=1, lt=_MOST)]
    outputs: list[_Id]
    discarded: list[_Id]


class _Workload(Struct, forbid_unknown_fields=True):
    requests: list[_Request]
    eos: _Id | None
