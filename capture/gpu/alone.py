"""Run one function in a fresh process: what it leaves on the GPU ends with it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any

__all__ = ["alone"]


def alone(function: Callable[..., Any], *args: Any) -> Any:
    """``function(*args)`` in a spawned process; its result, or the exception that it raised."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn) as process:
        return process.submit(function, *args).result()
