"""Steps as columns that are packed with tokens: each token is one cell, in every arrangement."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    Line,
    MoveToTarget,
    RoundedRectangle,
    VGroup,
    VMobject,
)

from scenes.geometry import px
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import LEAD, Label, number
from scenes.kit.base.theme import mix, paint

__all__ = ["Columns", "Packing", "Shelf", "Token"]

Token = tuple[str, int]  # a request's name, and which of its tokens
Columns = Sequence[Sequence[Token]]  # for each step its tokens, from below

_GAP, _TICKS = 4, 34  # px: between cells; from the floor down to the numbers
_SMALLEST = 27  # px: a letter below that is left out
_LAYER, _NEXT = 2.0, 0.02  # every cell with its letter is a layer of its own, above all else


class Shelf(NamedTuple):
    """Where columns stand: `left` and `floor` in manim units; px of a step and of a cell.

    `first`: index of the leftmost column; `drop`: px from the floor down to what hangs under it.
    """

    left: float
    floor: float
    pitch: float
    width: float
    height: float
    first: int = 0
    drop: float = 62

    def at(self, column: float, row: float) -> np.ndarray:
        """Middle of the cell in a row, from 0 at the floor."""
        return np.array((self.left + px(self.pitch * (column - self.first + 0.5)),
                         self.floor + px((self.height + _GAP) * (row + 0.5)), 0))

    def under(self, column: float, row: float, height: float) -> np.ndarray:
        """Middle of a mark of `height` px that hangs below the floor and its number."""
        return np.array((self.at(column, 0)[0],
                         self.floor - px(self.drop + (height + _GAP) * (row + 0.5)), 0))


class Packing(VGroup):
    """One cell for each token: prefilled ones square, decoded ones round with a dot.

    `prompts`: request -> tokens of its prompt; `roles`: request -> role. Nothing stands in the
    picture before `furnish`, `drop` or `to` bring it. `columns`: where the cells are now.
    Parts: `cells` (token -> box and letter), `ticks` (column -> number), `line` (the budget).
    """

    def __init__(self, shelf: Shelf, tokens: Iterable[Token], prompts: Mapping[str, int],
                 roles: Mapping[str, str]) -> None:
        self.shelf, self.columns = shelf, list[list[Token]]()
        self.cells = {token: _cell(token[0], roles[token[0]], token[1] >= prompts[token[0]],
                                   _LAYER + _NEXT * k) for k, token in enumerate(tokens)}
        self.ticks, self.line = dict[int, Label](), VGroup()
        super().__init__(*self.cells.values())

    def column(self, k: int) -> VGroup:
        """The cells of a step."""
        return VGroup(*(self.cells[token] for token in self.columns[k]))

    def drop(self, k: int, tokens: Sequence[Token], sources: Sequence[VMobject],
             lag: float = 0.25) -> LaggedStart:
        """Animation: from where their requests stand, tokens fall onto column k, one by one."""
        self.columns += [[] for _ in range(k + 1 - len(self.columns))]
        moves = []
        for token, source in zip(tokens, sources):
            cell = self.cells[token]
            goal = self._aim(cell, k, len(self.columns[k]))
            _shape(cell, source.width / px(1), source.height / px(1))
            cell.move_to(source)
            cell[0].set_fill(mix(cell.role, 0.1))
            cell[1:].set_opacity(0)
            self.columns[k].append(token)
            cell.target = goal
            moves.append(MoveToTarget(cell, path_arc=-0.35))
        return LaggedStart(*moves, lag_ratio=lag)

    def undo(self, k: int, tokens: Sequence[Token], sources: Sequence[VMobject],
             lag: float = 0.15) -> LaggedStart:
        """Animation: tokens that do not fit go back from column k to where they came from."""
        moves = []
        for token, source in zip(tokens, sources):
            cell, size = self.cells[token], (source.width / px(1), source.height / px(1))
            goal = cell.generate_target()
            _shape(goal, *size)
            goal.move_to(source).set_opacity(0)
            self.columns[k].remove(token)
            moves.append(MoveToTarget(cell, path_arc=0.35, remover=True))
        return LaggedStart(*moves[::-1], lag_ratio=lag)

    def to(self, columns: Columns, shelf: Shelf | None = None, lag: float = 0.04,
           ahead: Collection[Token] = ()) -> LaggedStart:
        """Animation: the cells go where another arrangement has them, from its first step on.

        Newcomers appear there, who has no place fades. `ahead`: those that go before the others.
        """
        before = {token for column in self.columns for token in column}
        self.shelf, self.columns = shelf or self.shelf, [list(column) for column in columns]
        moves: list[Animation] = []
        places = {token: (k, row) for k, column in enumerate(self.columns)
                  for row, token in enumerate(column)}
        for token in sorted(places, key=lambda token: token not in ahead):  # stable
            cell = self.cells[token]
            goal = self._aim(cell, *places[token])
            if token in before:
                before.remove(token)
                cell.target = goal
                moves.append(MoveToTarget(cell, path_arc=-0.3))
            else:
                cell.become(goal)
                moves.append(FadeIn(cell))
        moves += [FadeOut(self.cells[token]) for token in sorted(before)]
        return LaggedStart(*moves, lag_ratio=lag)

    def furnish(self, count: int, limit: int, text: str = "",
                shelf: Shelf | None = None) -> list[Movement]:
        """Animations: numbers under `count` columns of the shelf, and a dashed line at the height

        of `limit` tokens, under its name. What stands already moves there; a text stays unless
        there is another one.
        """
        self.shelf = shelf or self.shelf
        every = 1 if self.shelf.pitch >= 40 else 5
        wanted = {k: self.shelf.at(k, 0) + (self.shelf.floor - self.shelf.at(k, 0)[1]
                                            - px(_TICKS)) * UP
                  for k in range(self.shelf.first, self.shelf.first + count)
                  if not (k + 1) % every or every == 1}
        moves: list[Movement] = [FadeOut(self._drop_tick(k)) for k in [*self.ticks]
                                 if k not in wanted]
        for k, place in wanted.items():
            if k in self.ticks:
                moves.append(self.ticks[k].animate.move_to(place))
            else:
                self.ticks[k] = number(k + 1, 32, "muted").move_to(place)
                self.add(self.ticks[k])
                moves.append(FadeIn(self.ticks[k]))
        return moves + self._draw_line(count, limit, text)

    def unfurnish(self) -> list[Movement]:
        """Animations: numbers and budget leave."""
        old, self.line = self.line, VGroup()
        moves: list[Movement] = [FadeOut(self._drop_tick(k)) for k in [*self.ticks]]
        if len(old):
            self.remove(old)
            moves.append(FadeOut(old))
        return moves

    def clear(self) -> list[Movement]:
        """Animations: everything leaves."""
        gone = [self.cells[token] for column in self.columns for token in column]
        self.columns = []
        return [*map(FadeOut, gone), *self.unfurnish()]

    def empty(self, counts: Sequence[int], height: float) -> VGroup:
        """Hatched marks of `height` px under the columns: seats in which nobody sits."""
        return VGroup(*(Hatch(px(self.shelf.width), px(height)).move_to(
            self.shelf.under(k, row, height)) for k, count in enumerate(counts)
            for row in range(count)))

    def pauses(self, names: Sequence[Sequence[str]], height: float) -> VGroup:
        """Marks of `height` px under the columns: who gets no token in this step."""
        roles = {name: cell.role for (name, _), cell in self.cells.items()}
        return VGroup(*(_pause(name, roles[name], self.shelf.width, height).move_to(
            self.shelf.under(k, row, height)) for k, each in enumerate(names)
            for row, name in enumerate(each) if k >= self.shelf.first))

    def _drop_tick(self, k: int) -> Label:
        tick = self.ticks.pop(k)
        self.remove(tick)
        return tick

    def _aim(self, cell: "_Cell", column: int, row: int) -> "_Cell":
        """The cell as it stands in its place; the cell itself is not moved."""
        goal = cell.copy()
        goal.dress()
        _shape(goal, self.shelf.width, self.shelf.height)
        goal.move_to(self.shelf.at(column, row))
        return goal

    def _draw_line(self, count: int, limit: int, text: str) -> list[Movement]:
        """The budget as a line over the columns, its name above its right end."""
        y = self.shelf.floor + px((self.shelf.height + _GAP) * limit + 2)
        left = self.shelf.left
        dashes = _dashes(left, left + px(self.shelf.pitch * count), y)
        old = self.line
        words = Label(text or old[1].text, LEAD, "ink")
        words.next_to(dashes, UP, buff=px(18)).align_to(dashes, RIGHT)
        if not len(old):
            self.line = VGroup(dashes, words)
            self.add(self.line)
            return [FadeIn(self.line, shift=DOWN * px(20))]
        moves: list[Movement] = [old[0].animate.become(dashes)]
        if words.text == old[1].text:
            return [*moves, old[1].animate.move_to(words)]
        gone, self.line = old[1], VGroup(old[0], words)
        self.remove(old)
        self.add(self.line)
        return [*moves, FadeOut(gone), FadeIn(words)]


class _Cell(VGroup):
    """A token: its box, its request's letter, and a dot where a decode computes it."""

    def __init__(self, role: str, round_: bool, *parts: VMobject) -> None:
        self.role, self.round = role, round_
        super().__init__(*parts)

    def dress(self) -> None:
        """The looks of a token that is computed."""
        self.set_opacity(1)
        self[0].set_fill(paint(self.role), 1).set_stroke(paint(self.role), 2, 1)


def _cell(letter: str, role: str, decoded: bool, layer: float) -> _Cell:
    box = RoundedRectangle(corner_radius=0.1, width=1, height=1, stroke_width=2,
                           stroke_color=paint(role), fill_color=paint(role), fill_opacity=1)
    name = number(letter, 36, "ground", "bold")
    cell = _Cell(role, decoded, box, name)
    for part, above in zip(cell, (0, _NEXT / 2)):
        part.set_z_index(layer + above)
    return cell


def _shape(cell: _Cell, width: float, height: float) -> None:
    """Give a cell another size, in px, about its middle; its letter has room, or is not seen."""
    box, name = cell[0], cell[1]
    radius = px(min(width, height) * (0.48 if cell.round else 0.16))
    middle = box.get_center()
    box.set_points(RoundedRectangle(corner_radius=radius, width=px(width),
                                    height=px(height)).points).move_to(middle)
    size = min(46.0, 0.62 * height, 1.1 * width)
    if max(size, _SMALLEST) > min(0.9 * height, 1.4 * width):
        name.set_opacity(0)
    name.scale(max(size, _SMALLEST) * px(1) * 0.727 / name.height).move_to(middle)


def _dashes(left: float, right: float, y: float, count: int = 48) -> VMobject:
    """A dashed line as one shape, always of as many dashes."""
    line = VMobject(stroke_width=4, stroke_color=paint("muted"))
    step = (right - left) / (count - 0.4)
    for k in range(count):
        start = left + step * k
        line.append_points(Line((start, y, 0), (start + 0.6 * step, y, 0)).points)
    return line


def _pause(name: str, role: str, width: float, height: float) -> VGroup:
    """A request's letter and two bars: it gets nothing in this step."""
    box = RoundedRectangle(corner_radius=px(min(width, height) * 0.48), width=px(width),
                           height=px(height), stroke_width=3, stroke_color=paint("stop"),
                           fill_color=mix("stop", 0.1), fill_opacity=1)
    bar = px(height * 0.22)
    bars = VGroup(*(Line((x, -bar, 0), (x, bar, 0), stroke_width=5, color=paint("stop"))
                    for x in (-px(5), px(5))))
    parts = VGroup(bars)
    if width >= 60:
        parts = VGroup(number(name, 32, role, "bold"), bars).arrange(RIGHT, buff=px(12))
    return VGroup(box, parts.move_to(box).set_z_index(1))
