"""A framed area with a caption."""

from manim import LEFT, UP, RoundedRectangle, VGroup
from manim.typing import Point3D

from scenes.geometry import px
from scenes.kit.base.text import Label
from scenes.kit.base.theme import paint

__all__ = ["Panel"]


class Panel(VGroup):
    """A framed area with a caption and room for rows below it."""

    def __init__(self, caption: str, width: float, height: float, role: str = "muted") -> None:
        self.box = RoundedRectangle(
            corner_radius=px(12), width=px(width), height=px(height), stroke_width=2,
            stroke_color=paint("line"), fill_color=paint("panel"), fill_opacity=1)
        self.caption = Label(caption, 28, role).set_z_index(1)
        self.caption.move_to(self.box, UP + LEFT).shift((px(32), -px(20), 0))
        super().__init__(self.box, self.caption)

    def slot(self, index: float, pitch: float) -> Point3D:
        """Left end of the middle of row `index`."""
        corner = self.box.get_corner(UP + LEFT)
        return corner + [px(32), -px(100 + pitch * index), 0]
