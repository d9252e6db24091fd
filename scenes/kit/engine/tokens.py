"""A strip of tokens: one cell each, whose look says what the engine knows and has computed."""

from typing import Any, cast

import numpy as np
from manim import RIGHT, Rectangle, RoundedRectangle, VGroup, VMobject

from scenes.geometry import px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["ABSENT", "CACHED", "DECODED", "KNOWN", "SCHEDULED", "TokenStrip",
           "name_tag"]

# looks of a cell: not there yet; id known; computed in this step, by prefill or by decode; cached
ABSENT, KNOWN, SCHEDULED, DECODED, CACHED = ".", "k", "s", "d", "c"
_NOW = (SCHEDULED, DECODED)


class TokenStrip(VGroup):
    """Square cells for the prompt, round ones for generated tokens; `cell` and `gap` in px.

    `looks` has one letter a cell: "." not there yet, "k" known (outline), "s" computed now by a
    prefill (filled, bright edge, stripe), "d" computed now by a decode (the stripe is dotted),
    "c" K and V cached (filled). A cell is a group of box and stripe.
    """

    def __init__(self, prompt: int, looks: str, role: str = "ra", cell: float = 48,
                 gap: float = 5) -> None:
        self.role, self.cell, self.looks = role, cell, looks
        super().__init__(*(
            VGroup(RoundedRectangle(corner_radius=px(5 if k < prompt else cell * 0.4),
                                    width=px(cell), height=px(cell)), _stripe(cell, look))
            for k, look in enumerate(looks)))
        self.arrange(RIGHT, buff=px(gap))
        for (box, stripe), look in zip(self, looks):
            self._paint(box, stripe, look)

    def _paint(self, box: Any, stripe: Any, look: str) -> list[Any]:
        """Give a cell's parts, or what animates them, their colours."""
        there, now = look != ABSENT, look in _NOW
        fill = paint(self.role) if now or look == CACHED else mix(self.role, 0.1)
        width = max(2.0, self.cell / 14)
        box.set_fill(fill, float(there))
        box.set_stroke(paint("ink" if now else self.role), 1.6 * width if now else width,
                       float(there))
        stripe.set_fill(paint("ground"), float(now))
        return [box, stripe]

    def show(self, looks: str) -> list[Any]:  # type: ignore[override]  # manim's opens a viewer
        """Animations from the present looks to others; unchanged cells stay still."""
        moves: list[Any] = []
        for k, look in enumerate(looks):
            if look != self.looks[k]:
                box, stripe = self[k]
                _reshape(stripe, self.cell, look)
                moves += self._paint(box.animate, stripe.animate, look)
        self.looks = looks
        return moves

    def restyle(self, cells: VMobject, looks: str) -> None:
        """Give `cells` (this strip, or the target of its animation) other looks at once."""
        for k, look in enumerate(looks):
            if look != self.looks[k]:
                for strip in (self, cells):
                    box, stripe = cast(VGroup, strip[k])
                    _reshape(stripe, self.cell, look)
                self._paint(box, stripe, look)
        self.looks = looks


def _stripe(cell: float, look: str) -> VMobject:
    """The mark of what this step computes: a band, or three dots for a decode."""
    stripe = VMobject(stroke_width=0, fill_opacity=0)
    stripe.set_points(_bands(cell, look))
    return stripe


def _bands(cell: float, look: str) -> np.ndarray:
    count = 3 if look == DECODED else 1
    part = px(cell * 0.62) / (1.8 * count - 0.8)
    return np.concatenate([Rectangle(width=part, height=px(cell * 0.13)).shift(
        RIGHT * 1.8 * part * (k - (count - 1) / 2)).points for k in range(count)])


def _reshape(stripe: VMobject, cell: float, look: str) -> None:
    """Cut a hidden stripe anew, where it is, for the look that it is about to tell."""
    if look in _NOW:
        middle = stripe.get_center()
        stripe.set_points(_bands(cell, look)).move_to(middle)


def name_tag(name: str, role: str, size: float = 32) -> Label:
    """A request's letter, in its colour."""
    return number(name, size, role, "bold")
