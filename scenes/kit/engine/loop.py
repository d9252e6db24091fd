"""A loop of stages: boxes in a row, arrows between them, and the way home."""

from collections.abc import Sequence

from manim import RIGHT, VGroup

from scenes.geometry import px
from scenes.kit.base.flow import Node, arc, arrow

__all__ = ["Loop"]


class Loop(VGroup):
    """`stages`: (name, question) from left to right. Sizes in px; the boxes' middle is the origin.

    Parts: `nodes`, `ways` (the arrows between them), `home` (from the last one to the first).
    """

    def __init__(self, stages: Sequence[tuple[str, str]], width: float = 320, height: float = 150,
                 gap: float = 48, size: float = 34) -> None:
        self.nodes = VGroup(*(Node(name, note, "muted", width, height, mono=True, size=size)
                              for name, note in stages)).arrange(RIGHT, buff=px(gap))
        self.ways = VGroup(*(arrow(a, b, buff=6) for a, b in zip(self.nodes, self.nodes[1:])))
        self.home = arc(self.nodes[-1].get_top(), self.nodes[0].get_top(), 0.26)
        super().__init__(self.nodes, self.ways, self.home)
