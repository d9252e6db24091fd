"""One request's logical blocks over its block table, as a recorded state has them."""

from typing import cast

from manim import DOWN, LEFT, UP, Animation, Line, MoveToTarget, RoundedRectangle, VGroup

from scenes.geometry import STAGE, Region, px
from scenes.kit import LEAD, NOTE, BlockLook, CacheBlock, Label, Readout, mix, paint, tag
from scenes.kit.engine.block import block_height, block_width, fit_blocks
from scenes.views.cache import table_looks
from scenes.views.order import in_turn
from traces.state import State

__all__ = ["BlockTableView", "Entry"]

_GAP, _STEM, _ENTRY = 20, 40, 68  # px: between blocks, block to entry, an entry's height


class Entry(VGroup):
    """One entry of a block table: a physical id in a box, hung from its logical block.

    Parts: `stem`, `box`, `value`.
    """

    def __init__(self, block: CacheBlock, role: str) -> None:
        self.role, self.known = role, False
        foot = block.get_bottom()
        self.stem = Line(foot, foot + DOWN * px(_STEM))
        self.box = RoundedRectangle(corner_radius=px(8), width=px(116), height=px(_ENTRY))
        self.box.move_to(foot + DOWN * px(_STEM), UP)
        self.value = Readout("", LEAD.size, "ink", "semibold", (0, 0, 0)).set_z_index(1)
        self.value.move_to(self.box)
        super().__init__(self.stem, self.box, self.value)
        self._paint(self.stem, self.box)

    def _paint(self, stem: Line, box: RoundedRectangle) -> None:
        color = paint(self.role) if self.known else mix("muted", 0.4)
        stem.set_stroke(color, 4 if self.known else 2)
        box.set_stroke(color, 4 if self.known else 2)
        box.set_fill(mix(self.role, 0.12) if self.known else paint("panel"), 1)

    def to(self, block: int | None) -> list[Animation]:
        """Animations to another physical id; None: the table ends before this entry."""
        moves = self.value.to("" if block is None else block)
        self.value.set_z_index(1)  # the box may be drawn anew after it
        if self.known != (block is not None):
            self.known = block is not None
            self._paint(self.stem.generate_target(), self.box.generate_target())
            moves += [MoveToTarget(self.stem), MoveToTarget(self.box)]
        return list(moves)


class BlockTableView(VGroup):
    """Request `name`, in the hue of `role`: its logical blocks, and under each its table entry.

    There is room for `blocks` blocks, faint until they are there. `captions`: what the blocks
    and the table are called. A block's note are the positions of its tokens. Parts: `blocks`,
    `entries`, `tag`, `captions`; `state` is the one shown. ValueError where `region` is too small.
    """

    def __init__(self, state: State, name: str, role: str, blocks: int,
                 captions: tuple[str, str], region: Region = STAGE, decode: bool = False) -> None:
        self.request, self.role, self.state = name, role, state
        self.tag = tag(name, role, 40)
        self.captions = VGroup(*(Label(text, NOTE) for text in captions))
        side = max(caption.width for caption in self.captions) / px(1) + 36
        room = region.inset(left=side)
        size = state.pool.block_size
        columns, cell = fit_blocks(blocks, size, room.width / px(1), room.height / px(1),
                                   _STEM + _ENTRY, _GAP)
        if not columns:
            raise ValueError(f"no room for {blocks} blocks of request {name}")
        self.blocks, self.entries = VGroup(), VGroup()
        across = block_width(size, cell) + _GAP
        down = block_height(size, cell) + _STEM + _ENTRY + 2 * _GAP
        for i in range(blocks):
            note = f"{i * size}–{(i + 1) * size - 1}"
            block = CacheBlock(str(i), size, cell, note=note, counted=False)
            block.move_to((px(across) * (i % columns), -px(down) * (i // columns), 0))
            self.blocks.add(block)
            self.entries.add(Entry(block, role))
        super().__init__(self.blocks, self.entries, self.captions, self.tag)
        self._place(region, px(side))
        for animation in self.to(state, decode):
            animation.begin()
            animation.finish()

    def _place(self, region: Region, side: float) -> None:
        picture = VGroup(self.blocks, self.entries)
        picture.move_to((0, 0, 0), LEFT)
        first, entry = self.blocks[0], self.entry(0).box
        self.tag.move_to((-side, first.get_top()[1] - px(4), 0), UP + LEFT)
        self.captions[0].move_to((-side, self.tag.get_bottom()[1] - px(36), 0), LEFT)
        self.captions[1].move_to((-side, entry.get_y(), 0), LEFT)
        region.place(self)

    def block(self, index: int) -> CacheBlock:
        """The drawing of logical block `index`."""
        return cast(CacheBlock, self.blocks[index])

    def entry(self, index: int) -> Entry:
        """Entry `index` of the block table."""
        return cast(Entry, self.entries[index])

    def to(self, state: State, decode: bool = False) -> list[Animation]:
        """Animations to another state: blocks that come do so in order, a freed table goes tail

        first. `decode`: what is scheduled in `state` is a decode's token. ValueError for a table
        longer than the room for it.
        """
        table = state[self.request].block_table if self.request in state else ()
        if len(table) > len(self.blocks):
            raise ValueError(f"request {self.request} holds {len(table)} blocks, there is room "
                             f"for {len(self.blocks)}")
        looks = table_looks(state, self.request, self.role, decode)
        shrinks = not table and any(entry.known for entry in self.entries)
        self.state, groups = state, []
        for i, (block, entry) in enumerate(zip(self.blocks, self.entries)):
            inside = i < len(table)
            groups.append([*block.to(looks[i] if inside else BlockLook()),
                           *entry.to(table[i] if inside else None)])
        return in_turn([group for group in (groups[::-1] if shrinks else groups) if group])
