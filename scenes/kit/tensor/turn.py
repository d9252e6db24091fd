"""A matrix is transposed: it turns about its diagonal as one card does."""

from typing import Any

import numpy as np
from manim import Animation, Scene, VGroup

from scenes.kit.tensor.grid import Grid

__all__ = ["Turn"]

_GONE, _BACK = 0.3, 0.7  # shares of the way between which the numbers are away


def _mirrored(box: Any) -> np.ndarray:
    """A box' points reflected about the diagonal through its middle, from the upper left down."""
    middle = box.get_center()
    apart = box.points - middle
    mirrored: np.ndarray = middle + np.stack([-apart[:, 1], -apart[:, 0], apart[:, 2]], axis=1)
    return mirrored


class Turn(Animation):
    """`source` [m, n] turns about its diagonal and becomes `target` [n, m], where that stands.

    Half-way all of it is seen from the edge; its numbers are away then, and come back upright.
    `stays`: a copy turns, and the source keeps its numbers.
    """

    def __init__(self, source: Grid, target: Grid, stays: bool = False, **options: Any) -> None:
        self.target, self._stays = target, stays
        rows, columns = source.shape
        pairs = [(source.cell(r, c), target.cell(c, r)) for r in range(rows)
                 for c in range(columns)]
        cells, self._ways = VGroup(), []
        for old, new in pairs:
            cell = VGroup(old[0].copy(), old[1].copy(), new[1].copy())
            end = new[0].copy()
            end.points = _mirrored(end)
            cells.add(cell)
            self._ways.append((old[0].points.copy(), _fit(end.points, new[0].points),
                               old[0].get_center(), new[0].get_center()))
        super().__init__(cells, introducer=True, remover=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        near = 0.0 if self._stays else float(np.clip(1 - share / _GONE, 0, 1))
        far = float(np.clip((share - _BACK) / (1 - _BACK), 0, 1))
        flat = (1 - np.cos(np.pi * share)) / 2
        for (box, old, new), (start, end, here, there) in zip(self.mobject, self._ways):
            box.points = start + (end - start) * flat
            middle = here + (there - here) * flat
            for label, shown in ((old, near), (new, far)):
                if len(label.points):
                    label.move_to(middle).set_opacity(shown)

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        scene.add(self.target)


def _fit(points: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Points stretched to the extent of others."""
    low, high = place.min(axis=0), place.max(axis=0)
    span = np.ptp(points, axis=0)
    shares: np.ndarray = (points - points.min(axis=0)) / np.where(span > 0, span, 1)
    fitted: np.ndarray = low + shares * (high - low)
    return fitted
