"""The scenarios by name. A module in this folder offers some as ``SCENARIOS``; nothing else is
registered. Importing one must not need torch or the engine."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from capture.recording import Recording
from traces.files import DATA

__all__ = ["Job", "Scenario", "scenarios"]


@dataclass(frozen=True, slots=True)
class Job:
    """What the command line gave: ``out`` holds one folder a trace."""

    model: Path | None = None
    out: Path = DATA


@dataclass(frozen=True, slots=True)
class Scenario:
    """``record`` returns the traces that it recorded; ``gpus`` 0: it runs on any CPU; ``model``:
    whose weights it is made for, ``none`` if it needs none, empty if it records nothing."""

    name: str
    summary: str
    record: Callable[[Job], list[Recording]]
    gpus: int = 0
    model: str = "none"


def scenarios() -> dict[str, Scenario]:
    """Every scenario by name, in alphabetical order."""
    found = [scenario for module in pkgutil.iter_modules(__path__)
             for scenario in import_module(f"{__name__}.{module.name}").SCENARIOS]
    return {scenario.name: scenario for scenario in sorted(found, key=lambda s: s.name)}
