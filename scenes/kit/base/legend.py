"""What the looks in a picture mean: a sample of each, and words beside it."""

from collections.abc import Iterable

from manim import RIGHT, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.caption import caption
from scenes.kit.base.text import NOTE, Style

__all__ = ["Legend"]


class Legend(VGroup):
    """Pairs of a sample (any mobject) and its words, in one row. Parts: one group a pair.

    `gap`: px between pairs; within a pair it is 16.
    """

    def __init__(self, entries: Iterable[tuple[VMobject, str]], style: Style | float = NOTE,
                 gap: float = 50) -> None:
        super().__init__(*(VGroup(sample, caption(sample, words, style, RIGHT, 16))
                           for sample, words in entries))
        self.arrange(RIGHT, buff=px(gap))
