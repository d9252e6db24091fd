"""The traces that an act is told from: who they are, and that they are what was recorded."""

from collections.abc import Iterable
from pathlib import Path

from scenes.stage import Plan
from studio.errors import RenderError
from studio.render.order import Order
from traces import TraceError, digests, watching

__all__ = ["plan_and_traces", "proved", "traces_today"]


def plan_and_traces(order: Order) -> tuple[Plan, frozenset[str]]:
    """An order's plan, and the id of every trace that telling it loads; raises as `planned`."""
    with watching() as loaded:
        plan = order.planned()
    return plan, frozenset(loaded)


def proved(names: Iterable[str], kept: Path | None = None) -> dict[str, str]:
    """Trace id -> SHA-256 of its file, each proved, or found proved in the folder `kept`.

    Raises RenderError with one line for the first that cannot be.
    """
    try:
        return digests(names, kept)
    except TraceError as error:
        raise RenderError(f"not proved: {error}") from error


def traces_today(order: Order) -> dict[str, str]:
    """The same for an order as it would be told now."""
    return proved(plan_and_traces(order)[1])
