"""K and V of one token in all layers, as a wall: two columns a head, one row a layer."""

from manim import Line, Rectangle, VGroup
from manim.typing import Point3D, Point3DLike

from scenes.geometry import px
from scenes.kit.base.theme import mix, paint

__all__ = ["KvWall"]


class KvWall(VGroup):
    """`heads` pairs of columns, a K and a V each, of `layers` rows; `cell` in px at 1080p.

    The middle of its upper edge stands at `top`. Parts: `columns` (K, V, K, V, …), `rows` (the
    lines between layers).
    """

    def __init__(self, heads: int, layers: int, cell: tuple[float, float],
                 top: Point3DLike) -> None:
        width, high = px(cell[0]), px(cell[1] * layers)
        x, y = top[0] - heads * width, top[1]
        self.columns = VGroup(*(Rectangle(
            width=width, height=high, stroke_width=2, stroke_color=paint(role),
            fill_color=mix(role, 0.35), fill_opacity=1)
            .move_to((x + (k + 0.5) * width, y - high / 2, 0))
            for k, role in enumerate("kv" * heads)))
        self.rows = VGroup(*(Line(
            (x, y - px(cell[1]) * r, 0), (x + 2 * heads * width, y - px(cell[1]) * r, 0),
            stroke_width=1.5, color=paint("ground")) for r in range(1, layers)))
        super().__init__(self.columns, self.rows)

    def door(self, head: int) -> Point3D:
        """The middle of a head's upper edge."""
        return VGroup(*self.columns[2 * head:2 * head + 2]).get_top()
