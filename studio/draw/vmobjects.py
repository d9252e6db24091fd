"""How manim 0.22's VMobjects are drawn, for the painter."""

from typing import Any

import numpy as np
from manim import Camera, Mobject, VMobject
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP

from studio.draw.paths import cairo_path_data
from studio.draw.shapes import Box, Outline, Paint, Shape

__all__ = ["appearance", "is_paintable", "make_shape"]

_TRANSPARENT = np.zeros((1, 4))
_COLORS = "fill_rgbas", "stroke_rgbas", "background_stroke_rgbas"


def appearance(mobject: VMobject) -> tuple[Any, ...]:
    """Everything that decides how a VMobject is drawn, as a comparable value; points first."""
    fields = mobject.__dict__
    fill, stroke, background = (fields.get(name, _TRANSPARENT) for name in _COLORS)
    has_gradient = len(fill) > 1 or len(stroke) > 1 or len(background) > 1
    direction = mobject.get_sheen_direction().tobytes() if has_gradient else b""
    return (mobject.points.tobytes(), fill.tobytes(), stroke.tobytes(), background.tobytes(),
            mobject.stroke_width,
            mobject.background_stroke_width, mobject.joint_type, mobject.cap_style, direction)


def make_shape(camera: Camera, mobject: VMobject, looks: tuple[Any, ...],
               previous: tuple[tuple[Any, ...], Shape] | None) -> tuple[Shape, Box]:
    """The Shape of a VMobject whose appearance is `looks`, and its box of pixels.

    `previous`: (appearance, Shape) of when it was drawn last; what did not change is reused.
    """
    old_looks, old_shape = previous or ((None,), None)
    if old_shape and old_looks[0] == looks[0]:
        outline = old_shape.outline
    else:
        if not np.isfinite(mobject.points).all():
            raise ValueError(f"a {type(mobject).__name__} has coordinates that are no numbers")
        data = cairo_path_data(mobject.points, mobject.tolerance_for_point_equality)
        outline = Outline(data, _extent(mobject.points) if len(data) else ())
    if old_shape and old_looks[1:] == looks[1:] and not looks[-1]:  # it only moved
        paints = old_shape.background, old_shape.fill, old_shape.stroke
        join, cap = old_shape.join, old_shape.cap
    else:
        paints = _paints(mobject, camera.cairo_line_width_multiple)
        join, cap = LINE_JOIN_MAP[mobject.joint_type], CAP_STYLE_MAP[mobject.cap_style]
    shape, width = Shape(outline, *paints, join, cap), camera.pixel_width
    return shape, shape.box(width / camera.frame_width, width, camera.pixel_height)


def _extent(points: np.ndarray) -> tuple[float, ...]:
    across, up = points[:, 0], points[:, 1]
    return float(across.min()), float(across.max()), float(up.min()), float(up.max())


def _paints(mobject: VMobject, line_width: float) -> tuple[Paint | None, Paint | None,
                                                           Paint | None]:
    """Background stroke, fill, stroke; None for what does not show."""
    def paint(name: str, width: float) -> Paint | None:
        colors = mobject.__dict__.get(name, _TRANSPARENT).tolist()
        if not any(color[3] for color in colors):
            return None
        if len(colors) == 1:
            return Paint(colors, width)
        return Paint(colors, width, *(tuple(point[:2]) for point in
                                      mobject.get_gradient_start_and_end_points()))

    background, front = (mobject.get_stroke_width(behind) * line_width
                         for behind in (True, False))
    return (paint("background_stroke_rgbas", background) if background else None,
            paint("fill_rgbas", 0), paint("stroke_rgbas", front) if front else None)


def is_paintable(mobject: Mobject) -> bool:
    """Whether the painter can draw it; pictures and point clouds are left to manim's camera."""
    return (isinstance(mobject, VMobject) and mobject.background_image is None
            and not mobject.shade_in_3d)
