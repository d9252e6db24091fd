"""Numbers travel to where they are used, and become the result there."""

from collections.abc import Iterable

from manim import AnimationGroup, FadeIn, FadeOut

__all__ = ["gather"]


def gather(sources: Iterable, target, scale=0.7) -> AnimationGroup:
    """Animation: copies of `sources` travel into `target`, fading, while it appears.

    A cross-fade, not a morph: digits of one number do not melt into those of another.
    """
    copies = (source.copy() for source in sources)
    return AnimationGroup(*(FadeOut(copy, target_position=target, scale=scale) for copy in copies),
                          FadeIn(target))
