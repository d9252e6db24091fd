"""Frozen parameters of an act: one field each, with its range; parsed from `--set name=value`."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol, TypeVar

__all__ = ["Bounds", "ParamError", "Params", "describe", "nearest", "param", "parse"]


_NUMBER = {int: re.compile(r"-?[0-9]+"), float: re.compile(r"-?[0-9]+(\.[0-9]+)?")}


class ParamError(ValueError):
    """An unknown parameter or a value out of range; the message names the valid ones."""


@dataclass(frozen=True)
class Bounds:
    """Least and greatest value of a number, or of each entry of a list of `least..most` entries."""

    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 1
    help: str = ""


class Params(Protocol):
    """An act's parameters: a frozen dataclass of `param` fields."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


_Params = TypeVar("_Params", bound=Params)
_Default = TypeVar("_Default")
_Scalar = bool | int | float | str


def param(default: _Default, low: float | None = None, high: float | None = None, *,
          choices: Iterable[str] = (), least: int = 1, most: int = 1, help: str = "") -> _Default:
    """A field of an act's frozen `Params` dataclass; the type is that of the default."""
    bounds = Bounds(low, high, tuple(choices), least, most, help)
    return field(default=default, metadata={"bounds": bounds})


def nearest(name: str, known: Iterable[str]) -> str:
    """Words naming what was probably meant, for an error message."""
    names = list(known)
    return ", ".join(get_close_matches(name, names, n=3, cutoff=0.4) or names)


def parse(cls: type[_Params], settings: Mapping[str, object]) -> _Params:
    """`{"budget": "8"}` as an instance of the frozen dataclass `cls`.

    Raises ParamError for an unknown name, a value that is not of the parameter's type, out of
    its range, or refused by the dataclass's own `__post_init__`.
    """
    known = {f.name: f for f in fields(cls)}
    values: dict[str, object] = {}
    for name, text in settings.items():
        if name not in known:
            valid = nearest(name, known) or "none: this act has no parameters"
            raise ParamError(f"unknown parameter {name!r}; valid: {valid}")
        values[name] = _value(known[name], text)
    try:
        return cls(**values)
    except ValueError as error:
        raise ParamError(f"{', '.join(values) or cls.__name__}: {error}") from error


def _value(f: Field[Any], text: object) -> _Scalar | tuple[_Scalar, ...]:
    bounds: Bounds = f.metadata["bounds"]
    default = f.default
    assert default is not MISSING
    wrong = ParamError(f"{f.name}={text}: expected {describe(f)}")
    if isinstance(default, tuple):
        items = [item.strip() for item in str(text).split(",")]
        if not bounds.least <= len(items) <= bounds.most:
            raise wrong
        return tuple(_scalar(item, default[0], bounds, wrong) for item in items)
    return _scalar(str(text), default, bounds, wrong)


def _scalar(text: str, default: _Scalar, bounds: Bounds, wrong: ParamError) -> _Scalar:
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise wrong
        return text.lower() == "true"
    if isinstance(default, str):
        if text not in bounds.choices:
            raise wrong
        return text
    assert bounds.low is not None and bounds.high is not None, "a number has a range"
    if not _NUMBER[type(default)].fullmatch(text):
        raise wrong
    value = type(default)(text)
    if not (bounds.low <= value <= bounds.high):
        raise wrong
    return value


def describe(f: Field[Any]) -> str:
    """The range of a parameter in words: "int 1..64", "2..5 of int 1..24"."""
    bounds, default = f.metadata["bounds"], f.default
    assert default is not MISSING
    sample = default[0] if isinstance(default, tuple) else default
    if isinstance(sample, bool):
        return "true or false"
    if isinstance(sample, str):
        return "one of " + ", ".join(bounds.choices)
    kind = f"{type(sample).__name__} {bounds.low}..{bounds.high}"
    if not isinstance(default, tuple):
        return kind
    count = f"{bounds.least}" if bounds.least == bounds.most else f"{bounds.least}..{bounds.most}"
    return f"{count} of {kind}, separated by commas"


def shown(value: object) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, tuple):
        return ",".join(shown(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
