"""How this act draws its matrices, and the trail along which they are left behind."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from scenes.kit import Grid, Trail, Waypoint
from scenes.stage import Act

__all__ = ["CELL", "GROWN", "LARGE", "integers", "large", "numbered", "trail"]

GROWN = 1.2  # the scores while they are divided and masked
LARGE = (128, 92)  # px of a cell with decimals
CELL = (108, 92)  # px of a cell of numbered elements
SHADES = np.array([0.16, 0.36, 0.54])  # one shade a token: what moves together keeps its shade


def integers(values: Sequence[Sequence], role: Any = "ink") -> Grid:
    """A matrix of whole numbers, several of which share a picture."""
    return Grid(values, role, (96, 72), 34)


def large(values: Sequence[Sequence], role: str = "ink", size: float = 34) -> Grid:
    """A matrix that the picture is about, or one with decimals; `size` in px."""
    return Grid(values, role, LARGE, size)


def numbered(numbers: np.ndarray, role: str = "q") -> Grid:
    """Elements of [token, head, d] by their numbers in memory: head 0 in `role`, head 1 in e."""
    hues = np.array([role, "e"])[numbers % 4 // 2]
    return Grid(numbers.tolist(), hues, CELL, 38, SHADES[numbers // 4])


def trail(act: Act) -> Trail:
    """All that this act computes, in order."""
    return Trail((Waypoint("ids", (3, 1), "ink"), Waypoint("X", (3, 4), "ink"),
                  Waypoint("Q", (3, 4), "q"), Waypoint("K", (3, 2), "k", False),
                  Waypoint("V", (3, 2), "v", False),
                  Waypoint(act.label("scores"), (3, 3), "ink"),
                  Waypoint(act.label("weights"), (3, 3), "d"),
                  Waypoint(act.label("output"), (3, 2), "v")))
