"""A strip of tokens: one cell each, whose look says what the engine knows and has computed."""

from manim import RIGHT, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["ABSENT", "CACHED", "KNOWN", "SCHEDULED", "TokenKey", "TokenStrip"]

ABSENT, KNOWN, SCHEDULED, CACHED = ".", "k", "s", "c"


class TokenStrip(VGroup):
    """Square cells for the prompt, round ones for generated tokens.

    `looks` has one letter a cell: "." not there yet, "k" known (outline), "s" scheduled in this
    step (focus, filled), "c" K/V cached (filled in the request's own colour).
    """

    def __init__(self, prompt: int, looks: str, role="q", cell=40, gap=5):
        self.role, self.cell, self.looks = role, cell, looks
        cells = [
            RoundedRectangle(
                corner_radius=px(5 if k < prompt else cell * 0.4), width=px(cell), height=px(cell)
            )
            for k in range(len(looks))
        ]
        super().__init__(*cells)
        self.arrange(RIGHT, buff=px(gap))
        for cell_, look in zip(cells, looks):
            self._paint(cell_, look)

    def _paint(self, cell, look):
        width = max(2.0, self.cell / 14)
        fill = {CACHED: paint(self.role), SCHEDULED: paint("focus")}.get(look, mix(self.role, 0.1))
        edge = paint("focus") if look == SCHEDULED else paint(self.role)
        there = look != ABSENT
        cell.set_fill(fill, 1.0 if there else 0.0)
        cell.set_stroke(edge, width, 1.0 if there else 0.0)
        return cell

    def show(self, looks: str) -> list:
        """Animations from the present looks to others; unchanged cells stay still."""
        moves = [
            self._paint(self[k].animate, look)
            for k, look in enumerate(looks)
            if look != self.looks[k]
        ]
        self.looks = looks
        return moves

    def restyle(self, cells, looks: str):
        """Give `cells` (this strip, or the target of its animation) other looks at once."""
        for k, look in enumerate(looks):
            if look != self.looks[k]:
                self._paint(cells[k], look)
        self.looks = looks


class TokenKey(VGroup):
    """What the looks mean: pairs of (look, words) in one row; "g" is a generated token."""

    def __init__(self, entries, role="q", cell=32, buff=44):
        items = VGroup()
        for look, words in entries:
            sample = TokenStrip(0, KNOWN, role, cell) if look == "g" else TokenStrip(
                1, look, role, cell)
            items.add(VGroup(sample, Label(words, 26, "muted").next_to(sample, buff=px(14))))
        super().__init__(*items.arrange(RIGHT, buff=px(buff)))


def name_tag(name: str, role: str, size=32):
    """A request's letter, in its colour."""
    return number(name, size, role, "bold")
