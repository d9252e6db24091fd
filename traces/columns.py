"""A run as columns: the tokens that each step computes, and the seats that it leaves empty."""

from __future__ import annotations

from collections.abc import Iterable

from traces.contrast import SimulatedStep
from traces.seats import IDLE, Seating
from traces.step import Step

__all__ = ["Column", "columns_of", "idle_seats"]

Column = tuple[tuple[str, int], ...]  # a request, and the index of one of its tokens


def columns_of(steps: Iterable[Step | SimulatedStep]) -> tuple[Column, ...]:
    """For each step the tokens that it computes, in the order in which it serves requests."""
    return tuple(tuple((name, index) for name, start, count in _parts(step)
                       for index in range(start, start + count)) for step in steps)


def idle_seats(seating: Seating) -> list[int]:
    """For each step how many seats are empty."""
    return [sum(seat == IDLE for seat in column) for column in zip(*seating.seats)]


def _parts(step: Step | SimulatedStep) -> Iterable[tuple[str, int, int]]:
    if isinstance(step, SimulatedStep):
        return step.parts
    return ((part.request, part.start, part.count) for part in step.scheduled)
