"""Threads from the entries of a block table to the physical blocks that they name."""

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, CubicBezier, VGroup

from scenes.geometry import px
from scenes.kit import paint
from scenes.views.block_pool import BlockPoolView
from scenes.views.block_table import BlockTableView

__all__ = ["threads"]


def threads(table: BlockTableView, pool: BlockPoolView) -> VGroup:
    """One thread an entry, in the order of the table, as both views stand; the pool is below.

    A block of the pool's first row is met from above; to the others a thread goes down the
    gutter beside them, so that it crosses no block.
    """
    roof, lines = pool.blocks.get_top()[1], VGroup()
    for i, index in enumerate(table.state[table.request].block_table):
        block, start = pool.block(index), table.entry(i).box.get_bottom()
        first = block.get_top()[1] > roof - px(10)
        side = LEFT if block.get_left()[0] > pool.blocks.get_left()[0] + px(10) else RIGHT
        gutter = block.get_edge_center(side) + side * px(BlockPoolView.GAP / 2)
        end = block.get_top() if first else np.array([gutter[0], roof, 0.0])
        bend = max(float(start[1] - end[1]) / 2, px(24))
        line = CubicBezier(start, start + DOWN * bend, end + UP * bend, end, stroke_width=4,
                           color=paint(table.role)).set_z_index(2)
        if not first:
            line.add_line_to(gutter)
            line.add_line_to(block.get_edge_center(side))
        lines.add(line)
    return lines
