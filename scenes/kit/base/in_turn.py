"""Movements that follow each other, each starting before the last has ended."""

from collections.abc import Iterable

from manim import Animation, FadeIn, LaggedStart, Mobject

__all__ = ["in_turn"]


def in_turn(things: Iterable[Mobject | Animation], lag: float = 0.3) -> LaggedStart:
    """Animation: each thing starts when the share `lag` of the one before is over.

    Mobjects fade in.
    """
    return LaggedStart(*(thing if isinstance(thing, Animation) else FadeIn(thing)
                         for thing in things), lag_ratio=lag)
