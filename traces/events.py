"""The declared types of a ``scheduling`` trace's events; what they mean is in ``traces.fold``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

__all__ = ["EVENTS"]

_Whole = Annotated[int, Meta(ge=0, lt=2**31)]
_Count = Annotated[int, Meta(ge=1, lt=2**31)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]
_Digest = Annotated[str, Meta(pattern=r"^([0-9a-f]{12})?\Z")]
_Run = tuple[_Whole, _Count]  # first slot, count


class _Event(Struct, forbid_unknown_fields=True, frozen=True):
    pass


class Engine(_Event, frozen=True):
    block_size: _Count
    num_blocks: _Count
    max_num_batched_tokens: _Count
    max_num_seqs: _Count


class Add(_Event, frozen=True):
    step: _Whole
    request: _Name
    prompt: _Count
    max_tokens: _Count


class Allocate(_Event, frozen=True):
    request: _Name
    hit: list[_Whole]
    taken: list[_Whole]


class Append(_Event, frozen=True):
    request: _Name
    block: _Whole


class Free(_Event, frozen=True):
    request: _Name
    blocks: list[_Whole]
    released: list[_Whole]


class Preempt(_Event, frozen=True):
    request: _Name


class Schedule(_Event, frozen=True):
    step: _Whole
    phase: Literal["prefill", "decode"]
    batch: list[tuple[_Name, _Whole, _Count]]  # request, first token, count
    slots: list[list[_Run]]
    state: _Digest


class Publish(_Event, frozen=True):
    request: _Name
    index: _Whole
    block: _Whole
    label: _Whole
    overwrites: _Whole | None


class Sample(_Event, frozen=True):
    request: _Name
    token: _Whole
    kept: bool


class Finish(_Event, frozen=True):
    request: _Name


class StepEnd(_Event, frozen=True):
    step: _Whole
    state: _Digest


class Stuck(_Event, frozen=True):
    step: _Whole


EVENTS: Mapping[str, type[Struct]] = {
    "engine": Engine, "add": Add, "allocate": Allocate, "append": Append, "free": Free,
    "preempt": Preempt, "schedule": Schedule, "publish": Publish, "sample": Sample,
    "finish": Finish, "step": StepEnd, "stuck": Stuck}
