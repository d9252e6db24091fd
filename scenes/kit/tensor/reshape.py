"""A numbered tensor as a stack of matrices; its elements travel to their place in another one."""

from collections.abc import Hashable, Mapping, Sequence
from typing import cast

import numpy as np
from manim import DOWN, LaggedStart, VGroup
from numpy.typing import ArrayLike

from scenes.geometry import px
from scenes.kit.base.gather import carry
from scenes.kit.tensor.grid import Grid

__all__ = ["GridStack"]


class GridStack(VGroup):
    """`values` [n, rows, columns]: n matrices, one below the other. Parts: its `Grid`s.

    `shares` [n, rows, columns] fills every cell by its strength, such as one shade a token;
    `role`: one for all, or an array that spreads over the values, such as one hue a matrix;
    `keys` (as `values`) names the cells for `cell` and `flow`; default: the values themselves.
    """

    def __init__(self, values: ArrayLike, role: ArrayLike = "ink",
                 cell: tuple[float, float] = (72, 64), size: float = 30, shares: ArrayLike = 0.24,
                 keys: ArrayLike | None = None, gap: float = 28) -> None:
        values = np.asarray(values)
        shares = np.broadcast_to(np.asarray(shares, float), values.shape)
        roles = np.broadcast_to(np.array(role, object), values.shape)
        super().__init__(*(Grid(block.tolist(), hue, cell, size, share)
                           for block, hue, share in zip(values, roles, shares)))
        self.arrange(DOWN, buff=px(gap))
        cells = [cast(VGroup, cell_) for grid in self for cell_ in grid]
        names = np.asarray(values if keys is None else keys).ravel().tolist()
        self._cells: Mapping[Hashable, VGroup] = dict(zip(names, cells))

    def cell(self, key: Hashable) -> VGroup:
        """The cell of an element: box and number."""
        return self._cells[key]

    def flow(self, other: "GridStack", keys: Sequence[Hashable] | np.ndarray | None = None,
             lag: float = 0.12, group: int = 1) -> LaggedStart:
        """Animation: copies of the elements `keys` (all, in their order) travel into `other`.

        `group` neighbours travel as one block, so that their numbers stay side by side.
        """
        keys = list(self._cells) if keys is None else keys
        blocks = [keys[k:k + group] for k in range(0, len(keys), group)]
        return LaggedStart(*(
            carry(*(VGroup(*map(stack.cell, block)) for stack in (self, other)))
            for block in blocks), lag_ratio=lag)
