"""Formulas set by Typst: no LaTeX anywhere."""

from manim import MathTypst

from scenes.kit.base.theme import paint

__all__ = ["Formula"]


class Formula(MathTypst):
    """Typst mathematics, such as `frac(Q K^T, sqrt(d))`; `size` is the em in px at 1080p."""

    def __init__(self, source: str, size: float = 40, role: str = "ink") -> None:
        # manim's cached copies forget to scale the strokes of bars and roots
        super().__init__(source, font_size=size / 1.875, use_svg_cache=False)
        self.set_color(paint(role))
