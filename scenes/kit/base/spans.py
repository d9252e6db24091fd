"""One line of code or figures in several colours."""

from collections.abc import Iterable
from typing import Any

from manim import RIGHT, VGroup

from scenes.kit.base.text import CODE, Style, number

__all__ = ["Spans"]


class Spans(VGroup):
    """Pairs of a text and its role, set as one line. Parts: one label a pair.

    Spaces inside a text keep their width, so that the pieces read as one line.
    """

    def __init__(self, parts: Iterable[tuple[object, str]], style: Style | float = CODE,
                 **options: Any) -> None:
        super().__init__(*(number(text, style, role, **options) for text, role in parts))
        self.arrange(RIGHT, buff=0)
