"""How manim 0.22's VMobjects are drawn, for the painter; see player.py."""

import numpy as np
from manim import VMobject
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP

from studio.draw.paths import flat_path
from studio.draw.shapes import Outline, Paint, Shape

__all__ = ["look", "plain", "shape"]

_CLEAR = np.zeros((1, 4))
_COLORS = "fill_rgbas", "stroke_rgbas", "background_stroke_rgbas"


def look(mobject) -> tuple:
    """Everything that decides how a VMobject is drawn, as a comparable value; points first."""
    has = mobject.__dict__
    fill, stroke, back = (has.get(name, _CLEAR) for name in _COLORS)
    many = len(fill) > 1 or len(stroke) > 1 or len(back) > 1
    spread = mobject.get_sheen_direction().tobytes() if many else b""
    return (mobject.points.tobytes(), fill.tobytes(), stroke.tobytes(), back.tobytes(),
            mobject.stroke_width,
            mobject.background_stroke_width, mobject.joint_type, mobject.cap_style, spread)


def shape(camera, mobject, seen, old):
    """The Shape of a VMobject that looks as `seen`, and its box of pixels; `old`: see Painter."""
    known, before = old or ((None,), None)
    if known[0] == seen[0]:
        outline = before.outline
    else:
        rows = flat_path(mobject.points, mobject.tolerance_for_point_equality)
        outline = Outline(rows, _extent(mobject.points) if len(rows) else ())
    if known[1:] == seen[1:] and not seen[-1]:  # it only moved
        paints, join, cap = (before.back, before.fill, before.front), before.join, before.cap
    else:
        paints = _paints(mobject, camera.cairo_line_width_multiple)
        join, cap = LINE_JOIN_MAP[mobject.joint_type], CAP_STYLE_MAP[mobject.cap_style]
    made, width = Shape(outline, *paints, join, cap), camera.pixel_width
    return made, made.box(width / camera.frame_width, width, camera.pixel_height)


def _extent(points) -> tuple[float, ...]:
    across, up = points[:, 0], points[:, 1]
    return float(across.min()), float(across.max()), float(up.min()), float(up.max())


def _paints(mobject, thin) -> tuple[Paint | None, Paint | None, Paint | None]:
    """Stroke behind, fill, stroke before; None for what does not show."""
    def paint(name, width):
        colors = mobject.__dict__.get(name, _CLEAR).tolist()
        if not any(color[3] for color in colors):
            return None
        if len(colors) == 1:
            return Paint(colors, width)
        return Paint(colors, width, *(tuple(p[:2]) for p in
                                      mobject.get_gradient_start_and_end_points()))

    back, front = (mobject.get_stroke_width(behind) * thin for behind in (True, False))
    return (paint("background_stroke_rgbas", back) if back else None, paint("fill_rgbas", 0),
            paint("stroke_rgbas", front) if front else None)


def plain(mobject) -> bool:
    """Whether the painter can draw it; pictures and point clouds are left to manim's camera."""
    return (isinstance(mobject, VMobject) and mobject.background_image is None
            and not mobject.shade_in_3d)
