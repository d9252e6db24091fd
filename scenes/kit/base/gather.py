"""Numbers travel to where they are used, and become the result there."""

from collections.abc import Iterable

from manim import AnimationGroup, Mobject, ReplacementTransform

from scenes.kit.base.motion import Flight

__all__ = ["carry", "gather"]

_ABOVE = 4  # labels lie at 1, frames at 2, product lines at 3


def gather(
    sources: Iterable[Mobject], target: Mobject, via: float | None = None, role: str = "muted",
    layer: int = 0
) -> AnimationGroup:
    """Animation: copies of `sources` fly to where `target` stands, and become it together.

    `layer`: of the first; of two gatherings that meet, the one above hides the other.
    """
    return AnimationGroup(
        *(Flight(source, target, via, role, layer + k) for k, source in enumerate(sources))
    )


def carry(source: Mobject, target: Mobject) -> ReplacementTransform:
    """Animation: a copy of `source` travels to where `target` stands and becomes it.

    On its way it passes over everything: no number shines through a block in flight.
    """
    return ReplacementTransform(source.copy().set_z_index(_ABOVE), target)
