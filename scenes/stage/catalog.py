"""Acts are found by name: `scenes/act04_scheduler/__init__.py` defines `lecture`."""

from importlib import import_module
from pathlib import Path

from scenes.stage.lecture import Lecture
from scenes.stage.params import nearest

__all__ = ["UnknownActError", "act_folder", "act_names", "load_act"]

SCENES = Path(__file__).parent.parent


class UnknownActError(ValueError):
    """No such act; the message names the nearest."""


def _folders() -> dict[str, Path]:
    folders = sorted(path.parent for path in SCENES.glob("act[0-9][0-9]_*/__init__.py"))
    found: dict[str, Path] = {}
    for folder in folders:
        if folder.name[:5] in found:
            raise UnknownActError(f"scenes/{folder.name}: {folder.name[:5]} is "
                                  f"scenes/{found[folder.name[:5]].name} already; number it anew")
        found[folder.name[:5]] = folder
    return found


def act_names() -> tuple[str, ...]:
    """Names of all acts, in order: ("act01", "act02", ...)."""
    return tuple(_folders())


def act_folder(name: str) -> Path:
    """The folder of an act such as "act04"; raises UnknownActError."""
    folders = _folders()
    if name not in folders:
        raise UnknownActError(f"unknown act {name!r}; valid: {nearest(name, folders)}")
    return folders[name]


def load_act(name: str) -> Lecture:
    """The lecture of a name such as "act04"; raises UnknownActError."""
    lecture: Lecture = import_module(f"scenes.{act_folder(name).name}").lecture
    return lecture
