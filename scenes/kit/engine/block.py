"""A block of the KV cache: its places, whose it is, how many hold it, and its hash."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from manim import (
    LEFT,
    RIGHT,
    Animation,
    DashedVMobject,
    FadeIn,
    FadeOut,
    MoveToTarget,
    RoundedRectangle,
    VGroup,
    VMobject,
    smooth,
)
from manim.utils.rate_functions import squish_rate_func

from scenes.geometry import px
from scenes.kit.base.text import SMALL, number
from scenes.kit.base.theme import mix, paint
from scenes.kit.engine.kv import KVBar, KVCell, Slot
from scenes.kit.engine.readout import Readout

__all__ = ["BlockLook", "CacheBlock", "block_height", "block_width", "fit_blocks",
           "tag"]

# Manim redraws on top what is animated: each part has its layer, so that no frame covers its cells
_INSIDE, _TEXT = 1, 2
PAD, GAP, LINE = 12, 6, 44  # px: inside the frame, between places, for a line of text
MOST = 16  # more places than these are drawn as one bar
_BAR, _DASH = 60, 13  # px: height of a bar, length of a dash


@dataclass(frozen=True)
class BlockLook:
    """One block, as plain data. Counts are tokens: `cached`, then `computing`, then `known`.

    `owners`: (letter, role) of each request whose table holds it; nobody: the block is free.
    `mark`: what its hash is written as, "" before it is published; `findable`: a look-up finds it.
    """

    cached: int = 0
    computing: int = 0
    known: int = 0
    decode: bool = False
    owners: tuple[tuple[str, str], ...] = ()
    mark: str = ""
    findable: bool = False

    def slots(self, size: int) -> tuple[Slot, ...]:
        """The look of each of a block's `size` places."""
        written = Slot.CACHED if self.owners else Slot.KEPT
        now = Slot.DECODE if self.decode else Slot.PREFILL
        slots = (written,) * self.cached + (now,) * self.computing + (Slot.KNOWN,) * self.known
        return slots + (Slot.EMPTY,) * (size - len(slots))


def block_width(size: int, cell: float) -> float:
    """Px that a block of `size` places takes, each `cell` px wide."""
    count = min(size, MOST)
    return count * cell + (count - 1) * GAP + 2 * PAD


def block_height(size: int, cell: float) -> float:
    """Px from the line with its name to the line with its hash."""
    return (cell if size <= MOST else _BAR) + 2 * LINE + PAD


def fit_blocks(count: int, size: int, width: float, height: float, more: float = 0,
               gap: float = 24, most: float = 84) -> tuple[int, float]:
    """Columns, and the px of a place, with which `count` blocks fill `width` x `height` px best.

    `more`: px that each row needs besides its block; a place is at most `most` px wide. Of equal
    sizes the fewest rows win. (0, 0): they do not fit.
    """
    best, places = (0, 0.0), min(size, MOST)
    for columns in range(count, 0, -1):
        rows = -(-count // columns)
        across = ((width - gap * (columns - 1)) / columns - 2 * PAD - GAP * (places - 1)) / places
        down = (height - gap * (rows - 1)) / rows - more
        cell = min(across, most, down - block_height(size, 0) if size <= MOST else most)
        if down >= block_height(size, cell) - 1e-6 and cell > best[1] + 0.5:
            best = (columns, cell)
    return best


def tag(letter: str, role: str, size: float = 28) -> VGroup:
    """A request's letter on its hue."""
    text = number(letter, size, "ground", "bold").set_z_index(_TEXT)
    box = RoundedRectangle(corner_radius=px(7), width=max(text.width + px(16), px(size + 6)),
                           height=px(size + 6), stroke_width=0, fill_color=paint(role),
                           fill_opacity=1).set_z_index(_INSIDE)
    return VGroup(box, text.move_to(box))


def _dashes(frame: VMobject) -> VMobject:
    """A dashed copy of an outline as one shape."""
    dashes = VMobject(stroke_width=0, stroke_color=paint("ink"))
    dashes.set_points(_dash_points(frame.width, frame.height))
    return dashes


def _outline(width: float, height: float) -> RoundedRectangle:
    return RoundedRectangle(corner_radius=px(12), width=width, height=height)


@cache
def _dash_points(width: float, height: float) -> np.ndarray:
    """Cutting an outline into dashes takes long, and all blocks of a pool have one size."""
    frame = _outline(width, height)
    dashes = DashedVMobject(frame, round((width + height) / px(_DASH)))
    return np.concatenate([dash.points for dash in dashes])


class CacheBlock(VGroup):
    """A block with `name` above on the left, and on the right its owners' letters, or a `note`.

    Below its places: the mark of its hash on the left, framed while a look-up finds it, and the
    count of tables that hold it. Free and findable: a dashed frame. Parts: `frame`, `dashes`,
    `heading`, `note`, `cells` (or one bar), `owners`, `mark`, `found`, `refs`.
    """

    def __init__(self, name: str, size: int, cell: float = 56, look: BlockLook | None = None,
                 note: str = "", counted: bool = True) -> None:
        self.size, self.look, self._noted, self._counted = size, BlockLook(), bool(note), counted
        width, height = px(block_width(size, cell)), px(block_height(size, cell))
        self.frame = _outline(width, height)
        self.dashes = _dashes(self.frame)
        self.cells = VGroup(*(KVCell(Slot.EMPTY, cell) for _ in range(size))).arrange(
            RIGHT, buff=px(GAP)) if size <= MOST else VGroup(
            KVBar(size, block_width(size, cell) - 2 * PAD, _BAR))
        self.cells.set_z_index(_INSIDE)
        left, right, line = -width / 2 + px(PAD), width / 2 - px(PAD), height / 2 - px(LINE / 2 + 3)
        self.heading = number(name, 28, "muted", "medium").set_z_index(_TEXT)
        self.heading.move_to((left + px(4), line, 0), LEFT)
        self.note = number(note, SMALL).set_z_index(_TEXT).move_to((right - px(4), line, 0), RIGHT)
        self.owners = VGroup()
        self.mark = Readout("", 26, "muted", "medium").set_z_index(_TEXT)
        self.mark.move_to((left + px(11), -line, 0), LEFT)
        self.found = RoundedRectangle(corner_radius=px(7), width=px(54), height=px(34),
                                      stroke_width=0, stroke_color=paint("ink"))
        self.found.move_to((left, -line, 0), LEFT).set_z_index(_INSIDE)
        self.refs = Readout("", 26, "muted", "medium", RIGHT).set_z_index(_TEXT)
        self.refs.move_to((right - px(4), -line, 0), RIGHT)
        super().__init__(self.frame, self.dashes, self.cells, self.heading, self.note, self.owners,
                         self.found, self.mark, self.refs)
        self._paint_frame(self.frame)
        if look is not None:
            self.take(look)

    def take(self, look: BlockLook) -> "CacheBlock":
        """Take a look at once, before the block is in the picture; itself."""
        for animation in self.to(look):
            animation.begin()
            animation.finish()
        return self

    def to(self, look: BlockLook) -> list[Animation]:
        """Animations to another look; what stays the same stays still."""
        old, self.look = self.look, look
        moves = self._fill(look.slots(self.size))
        if look.owners != old.owners or look.findable != old.findable:
            moves += self._own(old)
        if look.mark != old.mark or look.findable != old.findable:
            moves += self._hash(look)
        return moves

    def _fill(self, slots: Sequence[Slot]) -> list[Animation]:
        if len(self.cells) < self.size:
            moves: list[Animation] = self.cells[0].to(slots)
            return moves
        return [move for cell, slot in zip(self.cells, slots) for move in cell.to(slot)]

    def _own(self, old: BlockLook) -> list[Animation]:
        self._paint_frame(self.frame.generate_target())
        dashed = self.look.findable and not self.look.owners
        self.dashes.generate_target().set_stroke(width=3.0 if dashed else 0)
        moves: list[Animation] = [MoveToTarget(self.frame), MoveToTarget(self.dashes)]
        if not self._noted:
            moves += self._letters(old)
        count = len(self.look.owners)
        if self._counted:
            role = "ink" if count > 1 else "muted"
            moves += self.refs.to(f"×{count}" if count else "", role)
            self.refs.set_z_index(_TEXT)
        return moves

    def _letters(self, old: BlockLook) -> list[Animation]:
        """Letters that stay move aside; those that go are gone before the new ones come."""
        here = dict(zip(old.owners, self.owners))
        x, line = self.frame.get_right()[0] - px(PAD - 2), self.heading.get_y()
        moves: list[Animation] = [
            FadeOut(letter, rate_func=squish_rate_func(smooth, 0, 0.5))
            for owner, letter in here.items() if owner not in self.look.owners]
        letters = []
        for owner in reversed(self.look.owners):
            letter = here.get(owner) or tag(*owner)
            target = letter.copy().move_to((x, line, 0), RIGHT)
            x -= letter.width + px(6)
            if owner in here:
                letter.target = target
                moves.append(MoveToTarget(letter))
            else:
                letter.move_to(target)
                moves.append(FadeIn(letter, rate_func=squish_rate_func(smooth, 0.4, 1)))
            letters.append(letter)
        self.owners.submobjects = letters[::-1]
        return moves

    def _hash(self, look: BlockLook) -> list[Animation]:
        found = self.found.generate_target()
        found.set_stroke(width=2.0 if look.mark and look.findable else 0)
        if look.mark:
            text = number(look.mark, 26, weight="medium")
            found.stretch_to_fit_width(text.width + px(22)).align_to(self.found, LEFT)
        moves = self.mark.to(look.mark, "ink" if look.findable else "muted")
        self.mark.set_z_index(_TEXT)
        return [MoveToTarget(self.found), *moves]

    def _paint_frame(self, frame: VMobject) -> None:
        if self.look.owners:
            role = self.look.owners[0][1]
            frame.set_stroke(paint(role), 4).set_fill(mix(role, 0.12), 1)
        else:
            findable = self.look.findable
            frame.set_stroke(mix("muted", 0.4), 0 if findable else 2).set_fill(paint("panel"), 1)
