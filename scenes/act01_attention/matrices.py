"""How this act draws its matrices, and works out one cell of a product."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from scenes.kit import Corner, Grid, ProductLine
from scenes.stage import EASY, Act

__all__ = ["LARGE", "SHADES", "integers", "large", "work_out"]

LARGE = (128, 92)  # px of a cell with decimals
SHADES = np.array([0.14, 0.34, 0.56])  # one shade a token: what moves together keeps its shade


def integers(values: Sequence[Sequence], role: Any = "ink") -> Grid:
    """A matrix of whole numbers, several of which share a picture."""
    return Grid(values, role, (96, 72), 34)


def large(values: Sequence[Sequence], role: str = "ink", size: float = 34) -> Grid:
    """A matrix that the picture is about, or one with decimals; `size` in px."""
    return Grid(values, role, LARGE, size)


def work_out(act: Act, corner: Corner, cell: tuple[int, int], line: ProductLine, pace: int,
             beside: Any = None, deliver: int = EASY) -> None:
    """One cell of a product: its factors fly into a line, add up, and the sum takes its place.

    `pace` is of the flight, `deliver` of the way back; `beside` comes with the sum.
    """
    act.move(line.fly(*corner.factors(*cell), lag=0.8), pace=pace)
    act.move(line.add_up(), beside)
    act.move(line.deliver(corner.result.label(*cell)), pace=deliver)
