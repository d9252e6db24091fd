"""A hatched rectangle: capacity that does nothing, told by pattern as well as by colour."""

import numpy as np
from manim import Rectangle, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.theme import mix, paint

__all__ = ["Hatch"]


class Hatch(VGroup):
    """Diagonal lines inside a rectangle of `width` x `height` manim units."""

    def __init__(self, width: float, height: float, role: str = "stop", pitch: float = 11,
                 fill: float = 0.10) -> None:
        box = Rectangle(width=width, height=height, stroke_width=1.5, stroke_color=paint(role),
                        fill_color=mix(role, fill), fill_opacity=1)
        lines = VMobject(stroke_width=1.5, stroke_color=mix(role, 0.55))
        step = px(pitch)
        for offset in np.arange(step / 2, width + height, step):
            a = (max(0.0, offset - height), min(offset, height))
            b = (min(offset, width), max(0.0, offset - width))
            lines.start_new_path(np.array([a[0] - width / 2, a[1] - height / 2, 0]))
            lines.add_line_to(np.array([b[0] - width / 2, b[1] - height / 2, 0]))
        super().__init__(box, lines)
