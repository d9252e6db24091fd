"""A quantity as the words speak of it: its name, its figure now, and what it counts."""

from manim import DOWN, LEFT, Animation, VGroup

from scenes.geometry import px
from scenes.kit.base.text import NOTE, Label
from scenes.kit.engine.gauge import Readout

__all__ = ["Metric"]


class Metric(VGroup):
    """A large figure that can change, under its name and over a note. Parts: `figure`.

    `size`: em height of the figure in px at 1080p.
    """

    def __init__(self, name: str, value: object, note: str, role: str = "ink",
                 size: float = 96) -> None:
        self.figure = Readout(value, size, role, "bold")
        super().__init__(Label(name, 36, role, "semibold"), self.figure, Label(note, NOTE))
        self.arrange(DOWN, buff=px(36), aligned_edge=LEFT)

    def to(self, value: object) -> list[Animation]:
        """Animations to another value; none if it is the same."""
        return self.figure.to(value)
