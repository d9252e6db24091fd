"""The kinds of traces: one module each declares its types and proves the relations in it."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module

from traces.trace import Trace

__all__ = ["KINDS", "checker"]

# kind → module of this folder
KINDS = {module.name.replace("_", "-"): module.name
         for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}


def checker(kind: str) -> Callable[[Trace], None] | None:
    """``check(trace)`` of a kind, which raises TraceError; None for a kind that nobody knows."""
    if kind not in KINDS:
        return None
    check: Callable[[Trace], None] = import_module(f"{__name__}.{KINDS[kind]}").check
    return check
