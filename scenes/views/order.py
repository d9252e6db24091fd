"""Movements of one transition in their order: what the engine did first moves first."""

from collections.abc import Sequence

from manim import Animation, AnimationGroup, linear
from manim.utils.rate_functions import squish_rate_func

__all__ = ["during", "in_turn"]


def during(moves: Sequence[Animation], start: float, end: float) -> list[Animation]:
    """The movements as one, within a share of the whole's time, 0 to 1; none for none."""
    if not moves:
        return []
    return [AnimationGroup(*moves, rate_func=squish_rate_func(linear, start, end))]


def in_turn(groups: Sequence[Sequence[Animation]], start: float = 0.0, end: float = 1.0,
            share: float = 0.45) -> list[Animation]:
    """Groups of movements one after another, overlapping; each lasts `share` of start … end."""
    length = (end - start) * (share if len(groups) > 1 else 1)
    step = (end - start - length) / max(len(groups) - 1, 1)
    return [move for k, moves in enumerate(groups)
            for move in during(moves, start + k * step, start + k * step + length)]
