"""The pool of physical blocks from above, as a recorded state has it."""

from collections.abc import Mapping
from typing import cast

from manim import DOWN, LEFT, Animation, VGroup

from scenes.geometry import STAGE, Region, px
from scenes.kit import CacheBlock, IdQueue
from scenes.kit.engine.block import block_height, block_width, fit_blocks
from scenes.views.cache import physical_looks
from scenes.views.order import during, in_turn
from traces.state import State

__all__ = ["BlockPoolView"]

_QUEUE = 96  # px: height of the line of free ids


class BlockPoolView(VGroup):
    """All blocks of the pool, in rows, by id. `roles`: request name -> role of its hue.

    `region` is filled as far as the blocks' shape allows; `queue`, the caption of the free
    queue, brings the free ids in their order below the blocks. ValueError where the region is
    too small. Parts: `blocks`, `queue` (or None); `state` is the one shown.
    """

    GAP = 20  # px between blocks

    def __init__(self, state: State, roles: Mapping[str, str], region: Region = STAGE,
                 queue: str = "", decode: bool = False) -> None:
        self.state, self.roles = state, roles
        pool = state.pool
        room = region.inset(bottom=_QUEUE) if queue else region
        columns, cell = fit_blocks(pool.num_blocks, pool.block_size, room.width / px(1),
                                   room.height / px(1), gap=self.GAP)
        if not columns:
            raise ValueError(f"no room for {pool.num_blocks} blocks")
        looks = physical_looks(state, roles, decode)
        self.blocks = VGroup(*(CacheBlock(str(k), pool.block_size, cell, look)
                               for k, look in enumerate(looks)))
        across = block_width(pool.block_size, cell) + self.GAP
        down = block_height(pool.block_size, cell) + self.GAP
        for k, block in enumerate(self.blocks):
            block.move_to((px(across) * (k % columns), -px(down) * (k // columns), 0))
        super().__init__(self.blocks)
        room.place(self.blocks)
        self.queue = self._queue(queue, room) if queue else None

    def _queue(self, caption: str, room: Region) -> IdQueue:
        pool = self.state.pool
        line = IdQueue(caption, pool.free, pool.num_blocks, self.blocks.width / px(1))
        line.shift(self.blocks.get_corner(DOWN + LEFT) - line.caption.get_left()
                   + DOWN * px(_QUEUE - 34))
        self.add(line)
        return line

    def block(self, index: int) -> CacheBlock:
        """The drawing of a physical block."""
        return cast(CacheBlock, self.blocks[index])

    def to(self, state: State, decode: bool = False) -> list[Animation]:
        """Animations to another state of the same pool: what is given back goes tail first,

        then free blocks are taken; what is written or shared moves all the while.
        `decode`: what is scheduled in `state` is a decode's tokens.
        """
        old, self.state = self.state.pool, state
        freed = [block for block in state.pool.free if block not in old.free]
        taken = [block for block in old.free if block not in state.pool.free]
        looks = physical_looks(state, self.roles, decode)
        moves = {k: block.to(look) for k, (block, look) in enumerate(zip(self.blocks, looks))}
        animations = in_turn([moves.pop(block) for block in freed], 0, 0.9)
        if freed:  # the new owner comes when the old one has gone
            animations += [a for block in taken for a in during(moves.pop(block), 0.55, 1)]
        animations += [animation for group in moves.values() for animation in group]
        return animations + (self.queue.to(state.pool.free) if self.queue else [])
