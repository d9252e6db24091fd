"""Steps as columns that are packed with tokens: each token is one cell, in every arrangement."""

from bisect import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, groupby

from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    MoveToTarget,
    VGroup,
    VMobject,
)

from scenes.geometry import STAGE, px
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.motion import Movement, dim, vanish
from scenes.kit.base.text import LEAD, Label, number
from scenes.kit.base.theme import mix
from scenes.kit.chart.packed_token import (
    CELL_GAP,
    PackedToken,
    Path,
    Shelf,
    dashes,
    over,
    packed_token,
    pause_mark,
)

__all__ = ["Columns", "Packing", "Token"]

Token = tuple[str, int]  # a request's name, and which of its tokens
Columns = Sequence[Sequence[Token]]  # for each step its tokens, from below

_TICKS = 34  # px from the floor down to the numbers
_BACK = 0.55  # how much of its brightness a column loses that has been told of
_OVER_LINE = 14  # px from the line up to what lies on it
_LAYER, _NEXT = 2.0, 0.02  # every cell with its letter is a layer of its own, above all else


class Packing(VGroup):
    """One cell for each token: prefilled ones square, decoded ones round with a dot.

    `prompts`: request -> tokens of its prompt; `roles`: request -> role. Nothing stands in the
    picture before `furnish`, `drop` or `to` bring it. `columns`: where the cells are now.
    Like tokens in line have one letter, in their middle. Parts: `cells` (token -> box and
    letter), `ticks` (column -> number), `line` (the budget).
    """

    def __init__(self, shelf: Shelf, tokens: Iterable[Token], prompts: Mapping[str, int],
                 roles: Mapping[str, str]) -> None:
        self.shelf, self.columns = shelf, list[list[Token]]()
        self.cells = {token: packed_token(token[0], roles[token[0]], token[1] >= prompts[token[0]],
                                   _LAYER + _NEXT * k) for k, token in enumerate(tokens)}
        self.ticks, self.line = dict[int, Label](), VGroup()
        self._limit = 0  # tokens under the line; what falls on more than that lies on it
        super().__init__(*self.cells.values())

    def column(self, k: int) -> VGroup:
        """The cells of a step."""
        return VGroup(*(self.cells[token] for token in self.columns[k]))

    def drop(self, k: int, tokens: Sequence[Token], sources: Sequence[VMobject],
             lag: float = 0.25) -> LaggedStart:
        """Animation: from where their requests stand, tokens fall onto column k, one by one.

        Those that find no room under the line come to lie on it, side by side.
        """
        self.columns += [[] for _ in range(k + 1 - len(self.columns))]
        first, moves = len(self.columns[k]), []
        self.columns[k] += tokens
        for row, (token, source) in enumerate(zip(tokens, sources), first):
            cell = self.cells[token]
            goal = self._aim(cell, k, row, self._limit)
            cell.shape(source.width / px(1), source.height / px(1))
            cell.move_to(source)
            cell[0].set_fill(mix(cell.role, 0.1))
            cell[1:].set_opacity(0)
            cell.target = goal
            moves.append(MoveToTarget(cell, path_func=self._over(k)))
        return LaggedStart(*moves, lag_ratio=lag)

    def undo(self, k: int, tokens: Sequence[Token], sources: Sequence[VMobject],
             lag: float = 0.15) -> LaggedStart:
        """Animation: tokens that do not fit go back from column k to where they came from."""
        moves = []
        for token, source in zip(tokens, sources):
            cell, size = self.cells[token], (source.width / px(1), source.height / px(1))
            goal = cell.generate_target()
            goal.shape(*size)
            goal.move_to(source)
            goal[0].set_fill(mix(cell.role, 0.1))
            goal[1:].set_opacity(0)
            self.columns[k].remove(token)
            moves.append(MoveToTarget(cell, path_func=self._over(k), remover=True))
        for row, token in enumerate(self.columns[k]):  # their letter moves to their new middle
            self.cells[token].target = self._aim(self.cells[token], k, row)
            moves.append(MoveToTarget(self.cells[token]))
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
        gone = [vanish(self.cells[token]) for token in sorted(before)]
        return LaggedStart(*gone, *moves, lag_ratio=lag)

    def recede(self, ks: Iterable[int]) -> list[Animation]:
        """Animations: these columns step back; `to` makes them bright again."""
        return [dim(cell, _BACK) for k in ks for token in self.columns[k]
                if (cell := self.cells[token])[0].get_fill_opacity() > 1 - _BACK / 2]

    def furnish(self, count: int, limit: int, text: str = "",
                shelf: Shelf | None = None) -> list[Movement]:
        """Animations: numbers under `count` columns of the shelf, and a dashed line at the height

        of `limit` tokens, under its name. What stands already moves there; a text stays unless
        there is another one.
        """
        self.shelf, self._limit = shelf or self.shelf, limit
        every = 1 if self.shelf.pitch >= 40 else 5
        wanted = {k: self.shelf.at(k, 0) + (self.shelf.floor - self.shelf.at(k, 0)[1]
                                            - px(_TICKS)) * UP
                  for k in range(self.shelf.first, self.shelf.first + count)
                  if not (k + 1) % every or every == 1}
        moves: list[Movement] = [vanish(self._drop_tick(k)) for k in [*self.ticks]
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
        return VGroup(*(pause_mark(name, roles[name], self.shelf.width, height).move_to(
            self.shelf.under(k, row, height)) for k, each in enumerate(names)
            for row, name in enumerate(each) if k >= self.shelf.first))

    def _over(self, k: int) -> Path:
        """The way from the lines to column k: up before the columns, over them, down."""
        passed = self.columns[self.shelf.first:k + 1]
        top = self.shelf.at(0, max((len(column) for column in passed), default=0))[1]
        return over(self.shelf.left - px(24), min(top, STAGE.top - px(self.shelf.height / 2)))

    def _drop_tick(self, k: int) -> Label:
        tick = self.ticks.pop(k)
        self.remove(tick)
        return tick

    def _aim(self, cell: PackedToken, column: int, row: int, limit: int = 0) -> PackedToken:
        """The cell as it stands in its place; the cell itself is not moved.

        `limit`: rows that there are; 0: as many as are needed.
        """
        shelf, goal = self.shelf, cell.copy()
        goal.dress()
        goal.shape(shelf.width, shelf.height)
        rows = self.columns[column][:limit or None]
        if row >= len(rows):
            aside = (row - limit) * (shelf.width + CELL_GAP) / shelf.pitch
            over = len(self.columns[column]) - limit
            goal.move_to(shelf.at(column + aside, limit) + px(_OVER_LINE) * UP)
            goal.speak(over, row - limit)
            return goal
        goal.move_to(shelf.at(column, row))
        if max(map(len, self.columns)) > 1:
            goal.speak(*self._run(rows, row))
        else:  # all lie in one line
            here = bisect([k for k, each in enumerate(self.columns) if each], column) - 1
            goal.speak(*self._run([*chain(*self.columns)], here))
        return goal

    def _run(self, rows: Sequence[Token], row: int) -> tuple[int, int]:
        """Like tokens in line around one of them: how many, and which of them it is."""
        runs = groupby(range(len(rows)), lambda k: (
            rows[k][0], k if self.cells[rows[k]].round else None))
        run = next(run for _, each in runs if row in (run := [*each]))
        return len(run), run.index(row)

    def _draw_line(self, count: int, limit: int, text: str) -> list[Movement]:
        """The budget as a line over the columns, its name above its right end."""
        y = self.shelf.floor + px((self.shelf.height + CELL_GAP) * limit + 2)
        left = self.shelf.left
        line = dashes(left, left + px(self.shelf.pitch * count), y)
        old = self.line
        words = Label(text or old[1].text, LEAD, "ink")
        words.next_to(line, UP, buff=px(18)).align_to(line, RIGHT)
        if not len(old):
            self.line = VGroup(line, words)
            self.add(self.line)
            return [FadeIn(self.line, shift=DOWN * px(20))]
        moves: list[Movement] = [old[0].animate.become(line)]
        if words.text == old[1].text:
            return [*moves, old[1].animate.move_to(words)]
        gone, self.line = old[1], VGroup(old[0], words)
        self.remove(old)
        self.add(self.line)
        return [*moves, FadeOut(gone), FadeIn(words)]
