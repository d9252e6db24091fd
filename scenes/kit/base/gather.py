"""Numbers travel to where they are used, and become the result there."""

from collections.abc import Iterable

from manim import AnimationGroup, FadeIn, FadeOut, LaggedStart, Mobject, ReplacementTransform

__all__ = ["arrive", "carry", "gather"]

_ABOVE = 4  # labels lie at 1, frames at 2, product lines at 3


def gather(sources: Iterable, target, scale=0.7) -> AnimationGroup:
    """Animation: copies of `sources` travel into `target`, fading, while it appears.

    A cross-fade, not a morph: digits of one number do not melt into those of another.
    """
    copies = (source.copy() for source in sources)
    return AnimationGroup(*(FadeOut(copy, target_position=target, scale=scale) for copy in copies),
                          FadeIn(target))


def arrive(sources: Iterable[Mobject], target: Mobject) -> LaggedStart:
    """Animation: copies of `sources` travel to `target`, which appears when they are almost gone.

    Digits on their way never stand on top of those that they become.
    """
    copies = (source.copy() for source in sources)
    return LaggedStart(AnimationGroup(*(FadeOut(copy, target_position=target, scale=0.7)
                                        for copy in copies)), FadeIn(target), lag_ratio=0.7)


def carry(source, target) -> ReplacementTransform:
    """Animation: a copy of `source` travels to where `target` stands and becomes it.

    On its way it passes over everything: no number shines through a block in flight.
    """
    return ReplacementTransform(source.copy().set_z_index(_ABOVE), target)
