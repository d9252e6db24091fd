"""Frozen parameters of an act: one field each, with its range; parsed from `--set name=value`."""

import re
from dataclasses import MISSING, dataclass, field, fields
from difflib import get_close_matches

__all__ = ["Bounds", "ParamError", "describe", "nearest", "param", "parse"]


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


def param(default, low=None, high=None, *, choices=(), least=1, most=1, help=""):
    """A field of an act's frozen `Params` dataclass; the type is that of the default."""
    bounds = Bounds(low, high, tuple(choices), least, most, help)
    return field(default=default, metadata={"bounds": bounds})


def nearest(name: str, known) -> str:
    """Words naming what was probably meant, for an error message."""
    known = list(known)
    return ", ".join(get_close_matches(name, known, n=3, cutoff=0.4) or known)


def parse(cls, settings):
    """`{"budget": "8"}` as an instance of the frozen dataclass `cls`.

    Raises ParamError for an unknown name, a value that is not of the parameter's type, out of
    its range, or refused by the dataclass's own `__post_init__`.
    """
    known = {f.name: f for f in fields(cls)}
    values = {}
    for name, text in settings.items():
        if name not in known:
            valid = nearest(name, known) or "none: this act has no parameters"
            raise ParamError(f"unknown parameter {name!r}; valid: {valid}")
        values[name] = _value(known[name], text)
    try:
        return cls(**values)
    except ValueError as error:
        raise ParamError(f"{', '.join(values) or cls.__name__}: {error}") from error


def _value(f, text):
    bounds, default = f.metadata["bounds"], f.default
    wrong = ParamError(f"{f.name}={text}: expected {describe(f)}")
    if isinstance(default, tuple):
        items = [item.strip() for item in str(text).split(",")]
        if not bounds.least <= len(items) <= bounds.most:
            raise wrong
        return tuple(_scalar(item, default[0], bounds, wrong) for item in items)
    return _scalar(str(text), default, bounds, wrong)


def _scalar(text, default, bounds, wrong):
    if isinstance(default, bool):
        if text.lower() not in ("true", "false"):
            raise wrong
        return text.lower() == "true"
    if isinstance(default, str):
        if text not in bounds.choices:
            raise wrong
        return text
    if not _NUMBER[type(default)].fullmatch(text):
        raise wrong
    value = type(default)(text)
    if not (bounds.low <= value <= bounds.high):
        raise wrong
    return value


def describe(f) -> str:
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


def shown(value) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, tuple):
        return ",".join(shown(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)
