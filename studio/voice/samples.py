"""Lines of narration to try voices and rules on: all acts, with the numbers of many parameters."""

import random
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

from scenes.stage import ParamError, act_names, load_act, parse, plan

__all__ = ["narration"]

SEED, SPREAD = 1, 8  # settings an act, besides its defaults


def narration(language: str) -> list[str]:
    """Every different line of all acts, in all variants that `SPREAD` random settings meet."""
    found: dict[str, None] = {}
    for name in act_names():
        lecture = load_act(name)
        for settings in _settings(lecture.params):
            try:
                planned = plan(lecture, parse(lecture.params, settings), language=language)
            except ParamError:  # values that do not go together
                continue
            found |= dict.fromkeys(line.text[language] for beat in planned.beats
                                   for line in beat.lines)
    return list(found)


def _settings(params: type[Any]) -> Iterator[dict[str, str]]:
    yield {}
    chosen = random.Random(SEED)
    for _ in range(SPREAD):
        yield {field.name: _value(field, chosen) for field in fields(params)}
    for field in fields(params):
        for _ in range(SPREAD):
            yield {field.name: _value(field, chosen)}


def _value(field: Field[Any], chosen: random.Random) -> str:
    bounds, default = field.metadata["bounds"], field.default

    def one(sample: object) -> str:
        if isinstance(sample, bool):
            return chosen.choice(("true", "false"))
        if isinstance(sample, str):
            return str(chosen.choice(bounds.choices))
        if isinstance(sample, int):
            return str(chosen.randint(int(bounds.low), int(bounds.high)))
        return f"{chosen.uniform(bounds.low, bounds.high):.2f}"

    if isinstance(default, tuple):
        return ",".join(one(default[0]) for _ in range(chosen.randint(bounds.least, bounds.most)))
    return one(default)
