"""What an act lets be tried in its page, beyond what its film shows."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from scenes.stage.params import Params, parse, shown

__all__ = ["Lab"]


@dataclass(frozen=True, eq=False)
class Lab:
    """A lab replays the workload of `film`, an act's parameters, in the browser.

    `memory` is a frozen dataclass of further `param` fields, which the film holds at their
    defaults. `examples`: name -> the settings that differ from the film's. `roles`: request ->
    role of its hue.
    """

    film: type[Params]
    memory: type[Params]
    roles: Mapping[str, str]
    examples: Mapping[str, Mapping[str, object]]

    @cached_property
    def fields(self) -> list[dict[str, Any]]:
        """Every field's name, default, least and greatest value, as plain data; of a list also
        the `least` and `most` number of entries."""
        return [self._field(f.name, f.default, f.metadata["bounds"], cls is self.film)
                for cls in (self.film, self.memory) for f in fields(cls)]

    @staticmethod
    def _field(name: str, default: Any, bounds: Any, in_film: bool) -> dict[str, Any]:
        is_list = isinstance(default, tuple)
        return {"name": name, "default": list(default) if is_list else default,
                "low": bounds.low, "high": bounds.high, "film": in_film,
                **({"least": bounds.least, "most": bounds.most} if is_list else {})}

    def settings(self, example: str) -> tuple[Any, Any]:
        """The film's parameters and those of memory in an example; ParamError where it has a
        name or value that they do not take."""
        given = {name: shown(value) for name, value in self.examples[example].items()}
        names = {f.name for f in fields(self.memory)}
        return (parse(self.film, {k: v for k, v in given.items() if k not in names}),
                parse(self.memory, {k: v for k, v in given.items() if k in names}))
