"""Steps as columns, requests or slots as rows: what was computed when, and what stood idle."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from manim import (
    DOWN,
    LEFT,
    Dot,
    FadeIn,
    LaggedStart,
    Line,
    Rectangle,
    RoundedRectangle,
    VGroup,
    VMobject,
)
from manim.typing import Point3DLike

from scenes.geometry import px
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Cell", "Key", "Timeline", "pause"]


class Cell(NamedTuple):
    """One step of one row. `kind`:

    "work" (filled, with `text`; a dot where it has none, bare where it is a space), "decode"
    (filled, a dot or `text`), "stall" (outline, pause bars), "idle" (hatched), "wait" (a thin
    line), "flag" (`text` alone, in the role's colour).
    """

    kind: str
    role: str = "muted"
    text: str = ""


_Cells = Sequence[Sequence[Cell | None]]


class Timeline(VGroup):
    """`rows`: (tag, role) from above; `cells[row][column]`: a Cell or None.

    `phases[column]`: "prefill" (a solid band over the column) or "decode" (an open one).
    Sizes in px at 1080p; ticks count from `first`. `places`: faint outlines of all cells that
    may come, for `rows` rows and the columns.
    """

    def __init__(self, rows: Sequence[tuple[str, str]], cells: _Cells,
                 phases: Sequence[str] = (), width: float = 60, height: float = 52,
                 gap: float = 4, first: int = 1) -> None:
        self.first = first
        self.width_, self.height_, self.gap = width, height, gap
        self.tags = VGroup()
        for index, (text, role) in enumerate(rows):
            tag = number(text, 28, role, "bold" if len(text) == 1 else "regular")
            tag.move_to(self.at(0, index), LEFT)
            self.tags.add(tag.shift((-px(width / 2 + 22) - tag.width, 0, 0)))
        count = max(len(row) for row in cells)
        self.columns = [self._column(k, cells, phases) for k in range(count)]
        self.places = VGroup(*(self._place().move_to(self.at(k, index)) for k in range(count)
                               for index in range(len(rows))))
        super().__init__(self.places, self.tags, *self.columns)

    def at(self, column: float, row: float) -> Point3DLike:
        """Middle of a cell, before the timeline is moved."""
        return (px((self.width_ + self.gap) * column), -px((self.height_ + self.gap) * row), 0)

    def _place(self) -> RoundedRectangle:
        return RoundedRectangle(corner_radius=px(5), width=px(self.width_),
                                height=px(self.height_), stroke_width=1.5,
                                stroke_color=paint("line"))

    def _column(self, k: int, cells: _Cells, phases: Sequence[str]) -> VGroup:
        column = VGroup()
        for index, row in enumerate(cells):
            if k < len(row) and (cell := row[k]) is not None:
                column.add(self._cell(cell).move_to(self.at(k, index)))
        top = px(self.height_ / 2)
        if k < len(phases):
            band = Rectangle(width=px(self.width_), height=px(7), stroke_width=1.5,
                             stroke_color=paint("muted"), fill_color=paint("muted"),
                             fill_opacity=float(phases[k] == "prefill"))
            column.add(band.move_to(self.at(k, 0)).shift((0, top + px(14), 0)))
        step = self.first + k
        if self.width_ >= 34 or k == 0 or step % 5 == 0:
            tick = number(step, 26, "muted")
            column.add(tick.move_to(self.at(k, 0)).shift((0, top + px(40), 0)))
        return column

    def _cell(self, cell: Cell) -> VMobject:
        w, h = px(self.width_), px(self.height_)
        if cell.kind == "wait":
            return Line((-w / 2, 0, 0), (w / 2, 0, 0), stroke_width=3, color=mix(cell.role, 0.5))
        if cell.kind == "flag":
            return number(cell.text, 28, cell.role, "bold")
        if cell.kind == "idle":
            return Hatch(w, h)
        solid = cell.kind != "stall"
        box = RoundedRectangle(corner_radius=px(5), width=w, height=h, stroke_width=2,
                               stroke_color=paint(cell.role), fill_color=mix(cell.role, 0.12),
                               fill_opacity=1)
        if not solid:
            return VGroup(box, pause(h * 0.4))
        return self._solid(cell, box.set_fill(paint(cell.role)))

    def _solid(self, cell: Cell, box: VMobject) -> VGroup:
        """A computed cell: its text, a dot for none, nothing for a space or what does not fit."""
        if cell.text.isspace():
            return VGroup(box)
        if not cell.text:
            return VGroup(box, Dot(radius=px(6), color=paint("ground")).set_z_index(1))
        text = number(cell.text, 28 if self.width_ >= 48 else 26, "ground", "semibold")
        fits = text.width <= px(self.width_) - px(2)
        return VGroup(box, text.set_z_index(1)) if fits else VGroup(box)

    def reveal(self, start: int = 0, stop: int | None = None,
               lag: float = 0.5) -> LaggedStart | None:
        """Animation: the columns [start, stop) appear one after another; None if there are none."""
        columns = self.columns[start:stop]
        if not columns:
            return None
        return LaggedStart(*(FadeIn(c, shift=DOWN * px(8)) for c in columns), lag_ratio=lag)


def pause(height: float = px(26)) -> VGroup:
    """Two bars: nothing happens here in this step."""
    bars = (Line((x, -height / 2, 0), (x, height / 2, 0), stroke_width=4, color=paint("stop"))
            for x in (-px(6), px(6)))
    return VGroup(*bars).set_z_index(1)


class Key(VGroup):
    """What the cells mean: pairs of a Cell and words, in one row."""

    def __init__(self, entries: Iterable[tuple[Cell, str]], buff: float = 44) -> None:
        items = VGroup()
        for cell, words in entries:
            sample = Timeline([], [[cell]], width=44, height=36).columns[0][0]
            items.add(VGroup(sample, Label(words, 26, "muted").next_to(sample, buff=px(14))))
        super().__init__(*items.arrange(buff=px(buff)))
