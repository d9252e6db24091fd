"""The area under a curve, such as how likely each distance is."""

from collections.abc import Sequence

import numpy as np
from manim import Polygon, VGroup, VMobject

from scenes.kit.base.theme import mix, paint

__all__ = ["Area"]


class Area(VGroup):
    """`xs`, `heights` [n] in manim units; heights count from the line y = `base`.

    Parts: `ground` (filled), `curve`. It is drawn where xs and base say, not at the origin.
    """

    def __init__(self, xs: Sequence[float] | np.ndarray,
                 heights: Sequence[float] | np.ndarray, base: float, role: str = "e") -> None:
        points = [(x, base + height, 0) for x, height in zip(xs, heights)]
        self.ground = Polygon((xs[0], base, 0), *points, (xs[-1], base, 0), stroke_width=0,
                              fill_color=mix(role, 0.3), fill_opacity=1)
        self.curve = VMobject(stroke_width=4, stroke_color=paint(role))
        self.curve.set_points_as_corners(points)
        super().__init__(self.ground, self.curve)
