"""Threads from the entries of a block table to the physical blocks that they name."""

from manim import DOWN, UP, CubicBezier, VGroup

from scenes.geometry import px
from scenes.kit import paint
from scenes.views.block_pool import BlockPoolView
from scenes.views.block_table import BlockTableView

__all__ = ["threads"]


def threads(table: BlockTableView, pool: BlockPoolView) -> VGroup:
    """One thread an entry, in the request's hue, as both views stand now; the table's order.

    They lie over the pool: where it has rows, let the table's blocks be in the first one.
    """
    lines = VGroup()
    request = table.state[table.request]
    for i, block in enumerate(request.block_table):
        start = table.entry(i).box.get_bottom()
        end = pool.block(block).get_top()
        bend = max(float(start[1] - end[1]) / 2, px(40))
        lines.add(CubicBezier(start, start + DOWN * bend, end + UP * bend, end, stroke_width=4,
                              color=paint(table.role)).set_z_index(2))
    return lines
