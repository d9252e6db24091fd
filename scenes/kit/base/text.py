"""Lines of text that sit on their baseline."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from manim import LEFT, ManimColor, VGroup, VMobject
from manim.typing import Point3D

from scenes.geometry import px
from scenes.kit.base import fonts
from scenes.kit.base.theme import paint

__all__ = ["BODY", "CODE", "FIGURE", "LEAD", "NOTE", "SHAPE", "SMALL", "Label",
           "Paragraph", "Style", "is_chinese", "number", "shape_text"]

_WEIGHTS = {"regular": 400, "medium": 500, "semibold": 600, "bold": 700}
_CAP = 0.727  # cap height of Inter, in em; JetBrains Mono has 0.73
_SMALLEST_CHINESE = 28  # px


class Style(NamedTuple):
    """How a line is set: em height in px at 1080p, weight, role of its colour, face."""

    size: float
    weight: str = "regular"
    role: str = "ink"
    mono: bool = False


LEAD = Style(34, "semibold")  # the name of a picture's part
BODY = Style(30)
NOTE = Style(28, role="muted")  # what stands beside a thing and explains it
SHAPE = Style(28, role="muted", mono=True)  # a matrix's name and shape, X [3, 4]
SMALL = Style(26, role="muted")  # the smallest: axes, legends
CODE = Style(30, mono=True)
FIGURE = Style(34, "semibold", mono=True)  # a number that the words name


class Label(VMobject):
    """One line of text as one shape.

    Its box runs from the baseline to the cap height, whatever letters it holds, so that labels
    set side by side share a baseline and digits stand in the middle of a cell.

    `size` is a style, or the em height in pixels at 1080p; text with Chinese is at least 28.
    `role` and `weight` replace those of the style.
    """

    def __init__(self, text: object, size: Style | float = BODY, role: str | None = None,
                 weight: str | None = None, mono: bool | None = None,
                 color: ManimColor | None = None) -> None:
        super().__init__(stroke_width=0, fill_opacity=1)
        style = size if isinstance(size, Style) else Style(size)
        self.text, self.role = str(text), role or style.role
        self.size = max(style.size, _SMALLEST_CHINESE) if is_chinese(self.text) else style.size
        optical = int(min(32, max(14, self.size * 0.75)))
        family = "mono" if (style.mono if mono is None else mono) else "sans"
        weight_ = _WEIGHTS[weight or style.weight]
        curves, width = fonts.outline(self.text, family, weight_, optical)
        em = px(self.size)
        box = np.zeros((2, 4, 2))  # two empty curves at the corners: they draw nothing
        box[1, :] = (width, _CAP)
        points = np.zeros((4 * (len(curves) + 2), 3))
        points[:, :2] = np.concatenate([box, curves]).reshape(-1, 2) * em
        self.set_points(points)
        self.set_color(paint(self.role) if color is None else color)
        self.center()

    @property
    def ink_points(self) -> np.ndarray:
        """Points of the letters alone, [n, 3]: what a layout check measures."""
        return self.points[8:]

    # Descenders and accents are outside the box on purpose; manim's layout must not see them.
    def get_anchors(self) -> list[Point3D]:
        return list(self.points[[0, 7]])

    def reduce_across_dimension(self, reduce_func: Any, dim: int) -> float:
        extreme: float = reduce_func(self.points[[0, 7], dim])
        return extreme


def is_chinese(text: str) -> bool:
    return any("\u2e80" <= char <= "\u9fff" for char in text)


def number(value: object, size: Style | float = CODE, role: str | None = None,
           weight: str | None = None, **options: Any) -> Label:
    """A figure, shape or piece of code in the monospaced face."""
    return Label(value, size, role, weight, mono=True, **options)


def shape_text(sizes: Iterable[int]) -> str:
    """A tensor's shape as code writes it: [8, 1024]."""
    return f"[{', '.join(map(str, sizes))}]"


class Paragraph(VGroup):
    """Lines set flush left, broken at `width` pixels (at any character in Chinese)."""

    def __init__(self, text: str, size: Style | float = BODY, role: str | None = None,
                 width: float | None = None, leading: float = 1.45, **options: Any) -> None:
        height = size.size if isinstance(size, Style) else size
        lines = wrap(text, height, width) if width else text.split("\n")
        labels = [Label(line, size, role, **options) for line in lines]
        super().__init__(*labels)
        for above, label in zip(labels, labels[1:]):
            label.align_to(above, LEFT)
            step = px(leading * label.size)
            label.shift((0, above.get_bottom()[1] - step - label.get_bottom()[1], 0))
        self.center()


def wrap(text: str, size: float, width: float) -> list[str]:
    """Break text into lines at most `width` px wide; a word longer than a line stays whole."""
    lines = []
    for paragraph in text.split("\n"):
        line = ""
        for word in _words(paragraph):
            if line and fonts.advance((line + word).rstrip()) * max(size, 1) > width:
                lines.append(line.rstrip())
                line = ""
            line += word
        lines.append(line.rstrip())
    return lines


_NO_START = frozenset("，。；：、？！）」』”’…")


def _words(text: str) -> list[str]:
    words: list[str] = []
    for char in text:
        opens = not words or words[-1].endswith(" ") or (is_chinese(char) or is_chinese(words[-1]))
        if words and (char == " " or char in _NO_START or not opens):
            words[-1] += char
        else:
            words.append(char)
    return words
