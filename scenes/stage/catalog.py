"""Acts are found by glob: `scenes/act04_scheduler.py` holds the class Act04."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from scenes.stage.params import nearest

if TYPE_CHECKING:
    from scenes.stage.act import Act

__all__ = ["UnknownActError", "act_names", "load_act"]


class UnknownActError(ValueError):
    """No such act; the message names the nearest."""


def _modules() -> dict[str, str]:
    files = sorted(Path(__file__).parent.parent.glob("act[0-9][0-9]_*.py"))
    return {
        path.stem[:5]: path.stem
        for path in files  # an act may keep its story or its first beats in files of its own
        if f"class {path.stem[:5].capitalize()}(" in path.read_text(encoding="utf-8")
    }


def act_names() -> tuple[str, ...]:
    """Names of all acts, in order: ("act01", "act02", ...)."""
    return tuple(_modules())


def load_act(name: str) -> "type[Act]":
    """The Act class of a name such as "act04"; raises UnknownActError."""
    modules = _modules()
    if name not in modules:
        raise UnknownActError(f"unknown act {name!r}; valid: {nearest(name, modules)}")
    return getattr(import_module(f"scenes.{modules[name]}"), name.capitalize())
