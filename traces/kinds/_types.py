"""The types that the declared schemas of all kinds are made of.

Conversion is strict: no unknown field, no text for a number, no whole number for a real one, no
bool for an int, every number finite and in its range.
"""

from __future__ import annotations

from types import UnionType
from typing import Annotated, Any, ClassVar, Literal, TypeVar, overload

import msgspec
from msgspec import Meta, Struct

__all__ = ["Big", "Count", "Fact", "GpuConfig", "Id", "Phase", "Real", "Record", "Share", "Span",
           "Spread", "Text", "Time", "Unbounded", "Whole", "typed"]

Whole = Annotated[int, Meta(ge=0, lt=2**31)]
Count = Annotated[int, Meta(ge=1, lt=2**31)]
Id = Annotated[int, Meta(ge=0, lt=2**31)]  # a token id
Big = Annotated[int, Meta(ge=0, lt=2**53)]  # bytes, FLOPs
Time = Annotated[float, Meta(gt=0, lt=1e12)]
Span = Annotated[float, Meta(ge=0, lt=1e12)]  # a time that may be 0
Real = Annotated[float, Meta(gt=-1e12, lt=1e12)]
Share = Annotated[float, Meta(ge=0, le=1)]
Text = Annotated[str, Meta(max_length=4000)]
Phase = Literal["prefill", "decode"]
Unbounded = dict[str, Any]  # a part that another check takes apart


class Record(Struct, forbid_unknown_fields=True, frozen=True):
    """A part of a header or of an event."""


class Fact(Record, tag_field="event", frozen=True):
    """One event; ``key`` names the fields that tell it from others of its name."""

    n: Count
    key: ClassVar[tuple[str, ...]] = ()

    @property
    def tag(self) -> str:
        """The event's name."""
        return str(self.__struct_config__.tag)

    @property
    def place(self) -> tuple:
        """The event's name and key: what a table of expected rows lists."""
        return (self.tag, *(getattr(self, field) for field in self.key))


class Spread(Record, frozen=True):
    """Repeated measurements in their order, and what follows from them."""

    samples: Annotated[list[Time], Meta(min_length=3)]
    min: Time
    median: Time
    max: Time
    mean: Time


class GpuConfig(Record, frozen=True):
    """The engine's settings on a GPU and its model's sizes."""

    block_size: Count
    num_blocks: Count
    max_num_batched_tokens: Count
    max_num_seqs: Count
    max_model_len: Count
    gpu_memory_utilization: Share
    tensor_parallel_size: Count
    enforce_eager: bool
    graph_buckets: list[Count]
    hidden_size: Count
    num_hidden_layers: Count
    num_attention_heads: Count
    num_key_value_heads: Count
    head_dim: Count
    intermediate_size: Count
    vocab_size: Count
    itemsize: Literal[2, 4]


_T = TypeVar("_T")


@overload
def typed(data: object, kind: type[_T]) -> _T: ...
@overload
def typed(data: object, kind: UnionType) -> Any: ...
def typed(data: object, kind: Any) -> Any:
    """``data`` as the declared type; ValueError in one line, with the path to what is wrong.

    A whole number where a real one is declared is refused, too: it was written by another hand.
    """
    try:
        made = msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        raise ValueError(str(error).replace("\n", " ")) from None
    if (path := _other(data, msgspec.to_builtins(made), "$")) is not None:
        raise ValueError(f"Expected another type - at `{path}`")
    return made


def _other(data: Any, made: Any, path: str) -> str | None:
    """The path to the first value that the conversion had to change."""
    if isinstance(data, dict):
        steps = ((data[key], made[key], f"{path}.{key}") for key in data)
    elif isinstance(data, list):
        steps = ((a, b, f"{path}[{i}]") for i, (a, b) in enumerate(zip(data, made, strict=True)))
    else:
        return path if type(data) is not type(made) else None
    return next((found for step in steps if (found := _other(*step)) is not None), None)
