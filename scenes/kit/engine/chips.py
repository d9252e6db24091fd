"""Tokens with their text: one box each, whose look says what the engine has done with it."""

from collections.abc import Sequence
from typing import Any

from manim import LEFT, DashedVMobject, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base import fonts
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import number
from scenes.kit.base.theme import mix, paint

__all__ = ["Chip", "Chips", "place", "visible"]

_MOST = 12  # letters of a token that are shown


def visible(text: str, most: int = _MOST) -> str:
    """A token's text so that white space is seen: "␣" a space, "⏎" a line break.

    What no pinned font has becomes "?", what is longer than `most` letters ends in "…".
    """
    text = text.replace(" ", "␣").replace("\n", "⏎").replace("\t", "→")
    text = "".join(char if _written(char) else "?" for char in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _written(char: str) -> bool:
    """Whether labels of both faces have the letter."""
    return fonts.covers("cjk", char) or all(fonts.covers(f, char) for f in ("mono", "sans"))


class Chip(VGroup):
    """One token. Looks: "k" known (outline), "s" computed now (bright edge), "c" computed."""

    def __init__(self, text: str, look: str = "k", role: str = "q", size: float = 30,
                 height: float = 60, width: float | None = None) -> None:
        self.role = role
        self.text = number(visible(text), size).set_z_index(1)
        self.box = RoundedRectangle(corner_radius=px(8), width=px(width or 0) or
                                    self.text.width + px(26), height=px(height))
        super().__init__(self.box, self.text.move_to(self.box))
        self._paint(self.box, self.text, look)

    def _paint(self, box: Any, text: Any, look: str) -> list[Any]:
        """Give the parts, or what animates them, their colours."""
        filled = look in "csd"
        box.set_fill(paint(self.role) if filled else mix(self.role, 0.1), 1)
        box.set_stroke(paint("ink" if look in "sd" else self.role), 4 if look in "sd" else 2.5)
        text.set_fill(paint("ground" if filled else "ink"))
        return [box, text]

    def turn(self, look: str) -> "Chip":
        """Give it another look at once; the chip."""
        self._paint(self.box, self.text, look)
        return self

    def to(self, look: str) -> list[Movement]:
        """Animations to another look."""
        return self._paint(self.box.animate, self.text.animate, look)


class Chips(VGroup):
    """Tokens in reading order, in lines at most `width` px wide."""

    def __init__(self, texts: Sequence[str], looks: str = "k", role: str = "q",
                 width: float = 1700, size: float = 30, height: float = 60, gap: float = 8,
                 leading: float = 16) -> None:
        looks = looks if len(looks) == len(texts) else looks[0] * len(texts)
        super().__init__(*(Chip(t, look, role, size, height) for t, look in zip(texts, looks)))
        x = y = 0.0
        for chip in self:
            if x and x + chip.width > px(width):
                x, y = 0.0, y - px(height + leading)
            chip.move_to((x, y, 0), LEFT)
            x += chip.width + px(gap)
        self.center()

    def to(self, looks: Sequence[str]) -> list[Movement]:
        """Animations to other looks, one letter a token."""
        return [move for chip, look in zip(self, looks) for move in chip.to(look)]


def place(width: float, height: float = 60, role: str = "muted") -> DashedVMobject:
    """A dashed outline, px wide: here the next token, or its K and V, will stand."""
    box = RoundedRectangle(corner_radius=px(8), width=px(width), height=px(height),
                           stroke_width=2.5, stroke_color=paint(role))
    return DashedVMobject(box, num_dashes=max(8, int((width + height) / 10)))
