"""Rows of numbers become another row, place by place."""

from collections.abc import Sequence

from manim import Animation, FadeIn

from scenes.kit.base.gather import arrive
from scenes.kit.tensor.grid import Grid

__all__ = ["elementwise"]


def elementwise(sources: Sequence[Grid], target: Grid) -> list[Animation]:
    """Animations: the number in place k of every source travels to place k of the target.

    The target's boxes appear on the way. All grids have as many cells.
    """
    columns = zip(*(source.labels for source in sources))
    return [FadeIn(target.boxes), *(arrive(column, label)
                                    for column, label in zip(columns, target.labels))]
