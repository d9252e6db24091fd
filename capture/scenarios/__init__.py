"""The scenarios by name. A module in this folder offers some as ``SCENARIOS``; nothing else is
registered. Importing one must not need torch or the engine."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from traces.schema import DATA

__all__ = ["Job", "Scenario", "scenarios"]


@dataclass(frozen=True, slots=True)
class Job:
    """What the command line gave: ``out`` holds one folder a trace."""

    model: Path | None = None
    out: Path = DATA
    command: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """``record`` writes traces and returns their paths; ``gpus`` 0: it runs on any CPU."""

    name: str
    summary: str
    record: Callable[[Job], list[Path]]
    gpus: int = 0


def scenarios() -> dict[str, Scenario]:
    """Every scenario by name, in alphabetical order."""
    found = [scenario for module in pkgutil.iter_modules(__path__)
             for scenario in import_module(f"{__name__}.{module.name}").SCENARIOS]
    return {scenario.name: scenario for scenario in sorted(found, key=lambda s: s.name)}
