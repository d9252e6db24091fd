"""A matrix as a grid of cells, each with its number."""

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from manim import LEFT, UP, Mobject, Rectangle, SurroundingRectangle, VGroup, VMobject
from manim.typing import Vector3D
from numpy.typing import ArrayLike

from scenes.geometry import px
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Grid", "ring"]


class Grid(VGroup):
    """`values`: rows of numbers or texts, shown as they are ("" leaves a cell empty).

    `roles`: one role for all cells, one per column, or rows of roles; "ink": a cell without colour.
    `share`: how strongly the role fills a cell; one number, one per row, or rows of numbers.
    `cell` is (width, height) in px at 1080p. Parts: `cell(r, c)`, `row(r)`, `column(c)`,
    `labels`, `boxes`; a cell is a VGroup of box and label.
    """

    def __init__(self, values: Sequence[Sequence[object]], roles: ArrayLike = "ink",
                 cell: tuple[float, float] = (72, 64), size: float = 30,
                 share: ArrayLike = 0.24) -> None:
        self.shape = (len(values), len(values[0]))
        self.roles, self.size = np.broadcast_to(np.array(roles, object), self.shape), size
        width, height = px(cell[0]), px(cell[1])
        shares, cells = np.ones(self.shape) * _by_row(share), []
        for r, row in enumerate(values):
            for c, value in enumerate(row):
                role = self.roles[r, c]
                fill = paint("panel") if role == "ink" else mix(role, shares[r, c])
                box = Rectangle(width=width, height=height, stroke_width=2,
                                stroke_color=mix("muted", 0.45), fill_color=fill, fill_opacity=1)
                box.move_to((c * width, -r * height, 0))
                cells.append(VGroup(box, self._label(value).move_to(box)))
        super().__init__(*cells)
        self.center()

    def _label(self, value: object) -> VMobject:
        return number(value, self.size).set_z_index(1) if str(value) else VGroup()

    def label(self, r: int, c: int) -> Label:
        """The number in a cell."""
        return cast(Label, self.cell(r, c)[1])

    def cell(self, r: int, c: int) -> VGroup:
        return cast(VGroup, self[r * self.shape[1] + c])

    def row(self, r: int) -> VGroup:
        return VGroup(*(self.cell(r, c) for c in range(self.shape[1])))

    def column(self, c: int) -> VGroup:
        return VGroup(*(self.cell(r, c) for r in range(self.shape[0])))

    @property
    def boxes(self) -> VGroup:
        return VGroup(*(box for box, _ in self))

    @property
    def labels(self) -> VGroup:
        return VGroup(*(label for _, label in self))

    @property
    def rows(self) -> list[VGroup]:
        return [self.row(r) for r in range(self.shape[0])]

    def others(self, r: int, c: int) -> list[Label]:
        """The numbers in all cells but one, row by row."""
        return [cast(Label, cell[1]) for cell in self if cell is not self.cell(r, c)]

    def header(self, first: int, last: int, text: str, role: str) -> VGroup:
        """A coloured bar with a name over the columns first..last."""
        span = VGroup(self.cell(0, first), self.cell(0, last))
        bar = Rectangle(width=span.width, height=px(8), stroke_width=0, fill_color=paint(role),
                        fill_opacity=1).next_to(span, UP, buff=px(8))
        return VGroup(bar, number(text, 28, role, "semibold").next_to(bar, UP, buff=px(14)))

    def axis(self, texts: Iterable[object], side: Vector3D = LEFT, role: str = "muted",
             size: float = 26) -> VGroup:
        """One small label per row (LEFT, RIGHT) or column (UP, DOWN)."""
        along_rows = side[0] != 0
        ends = [self.cell(k, 0 if side[0] < 0 else -1) if along_rows
                else self.cell(0 if side[1] > 0 else self.shape[0] - 1, k)
                for k in range(self.shape[0] if along_rows else self.shape[1])]
        if along_rows and side[0] > 0:
            ends = [self.cell(k, self.shape[1] - 1) for k in range(self.shape[0])]
        return VGroup(*(number(t, size, role).next_to(end, side, buff=px(16))
                        for t, end in zip(texts, ends)))


def _by_row(share: ArrayLike) -> np.ndarray:
    """One number per row as a column, so that it spreads along the rows."""
    shares = np.asarray(share, float)
    return shares[:, None] if shares.ndim == 1 else shares


def ring(target: Mobject, role: str = "focus", width: float = 5, buff: float = 0,
         corner: float = 0.0) -> SurroundingRectangle:
    """A frame that points at a cell, a row, a column or any mobject; `corner`: its radius in px."""
    return SurroundingRectangle(target, buff=px(buff), stroke_width=width, color=paint(role),
                                corner_radius=px(corner)).set_z_index(2)
