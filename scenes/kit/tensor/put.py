"""The number in a cell gives way to another one, in the same cell."""

from collections.abc import Iterable

from manim import Animation, VGroup

from scenes.kit.base.motion import come, swap
from scenes.kit.base.text import number

__all__ = ["put", "put_all"]


def put(cell: VGroup, text: object, size: float, role: str = "ink") -> list[Animation]:
    """Animations: the number in a grid's cell, or what covers it, gives way to `text`, px high.

    The cell holds the new one from now on, so that it moves along with its grid.
    """
    box, *olds = cell
    new = number(text, size, role).move_to(box).set_z_index(1)
    cell.remove(*olds)
    cell.add(new)
    seen = [old for old in olds if old.get_family()[0].has_points() or len(old)]
    return swap(VGroup(*seen), new) if seen else [come(new)]


def put_all(cells: Iterable[VGroup], texts: Iterable[object], size: float,
            role: str = "ink") -> list[Animation]:
    """As `put`, for several cells at once."""
    return [move for cell, text in zip(cells, texts) for move in put(cell, text, size, role)]
