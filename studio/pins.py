"""Which packages the project needs, in which versions: read from pyproject.toml, the one place."""

import sys
import tomllib
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

from studio.errors import RenderError

__all__ = ["own_version", "pinned", "require_module", "requirements"]

_PROJECT = Path(__file__).parents[1] / "pyproject.toml"


@cache
def requirements(extra: str = "") -> tuple[Requirement, ...]:
    """What rendering needs, or what an extra such as "deck" adds. KeyError for no such extra."""
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    lines = project["optional-dependencies"][extra] if extra else project["dependencies"]
    return tuple(map(Requirement, lines))


def own_version() -> str:
    """Name and version of the project, of manim, PyAV and Python, in one line."""
    project = tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]
    parts = [f"{name} {_found(name)}" for name in ("manim", "av")]
    return ", ".join([f"{project['name']} {project['version']}", *parts,
                      f"Python {sys.version.split()[0]}"])


def _found(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "missing"


def pinned(package: str, extra: str = "") -> Requirement:
    """The requirement of one package. KeyError when it is not there."""
    for requirement in requirements(extra):
        if requirement.name == package:
            return requirement
    raise KeyError(package)


def require_module(module: str, package: str, extra: str) -> None:
    """Raise RenderError, with the line that installs it, when an extra's module is missing."""
    try:
        import_module(module)
    except ModuleNotFoundError:
        wanted = pinned(package, extra)
        raise RenderError(f"{package} is missing: pip install '{wanted}'") from None
