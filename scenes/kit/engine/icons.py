"""Small pictures of what the engine's stages do, built from the pieces that the acts use large."""

from collections.abc import Sequence
from typing import Any

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    LaggedStart,
    Line,
    Rectangle,
    RoundedRectangle,
    Transform,
    VGroup,
)

from scenes.geometry import px
from scenes.kit.base.text import SMALL, Label
from scenes.kit.base.theme import REQUESTS, mix, paint
from scenes.kit.engine.kv import KVCell, Slot
from scenes.kit.engine.tokens import TokenStrip

__all__ = ["PoolIcon", "batch_icon", "budget_icon", "layers_icon", "queues_icon", "race_icon",
           "token_icon"]

_CELL = 24  # px
_A, _B, _C, _D, _E = REQUESTS


def queues_icon(waiting: str, running: str) -> VGroup:
    """Two short lines of requests under their captions: those that wait, those that run."""
    rows = [(waiting, ((_D, 6, "kkkkkk"), (_E, 4, "kkkk"))),
            (running, ((_A, 5, "ccccck."), (_B, 3, "ccck."), (_C, 4, "cccck.")))]
    parts = VGroup()
    for caption, requests in rows:
        strips = (TokenStrip(prompt, looks, role, _CELL, 4) for role, prompt, looks in requests)
        lines = VGroup(*strips).arrange(DOWN, buff=px(10), aligned_edge=LEFT)
        parts.add(VGroup(Label(caption, SMALL, "ink"), lines).arrange(DOWN, buff=px(16),
                                                               aligned_edge=LEFT))
    return parts.arrange(DOWN, buff=px(34), aligned_edge=LEFT)


def budget_icon() -> VGroup:
    """Tokens of several requests under one budget; what is left of it stays empty."""
    rows = VGroup(*(TokenStrip(n, "c" * n, role, _CELL, 4)
                    for role, n in ((_A, 1), (_B, 1), (_C, 1))))
    rows.arrange(DOWN, buff=px(12), aligned_edge=LEFT)
    budget = VGroup(*(_square(role) for role in (_A, _B, _C, None, None, None)))
    budget.arrange(RIGHT, buff=px(4))
    frame = RoundedRectangle(corner_radius=px(8), width=budget.width + px(18),
                             height=budget.height + px(18), stroke_width=2.5,
                             stroke_color=paint("muted"))
    return VGroup(rows, VGroup(frame, budget.move_to(frame))).arrange(DOWN, buff=px(26))


def _square(role: str | None, cell: float = _CELL) -> RoundedRectangle:
    """A filled cell in a hue, or an empty one."""
    return RoundedRectangle(corner_radius=px(5), width=px(cell), height=px(cell), stroke_width=2,
                            stroke_color=paint(role or "muted"), fill_opacity=1,
                            fill_color=paint(role) if role else paint("ground"))


def batch_icon() -> VGroup:
    """The scheduled tokens of all requests end to end; under each its two numbers."""
    columns = VGroup(*(
        VGroup(_square(role, 28), *(Rectangle(width=px(28), height=px(28), stroke_width=1.5,
                                              stroke_color=paint("muted"),
                                              fill_color=mix("muted", 0.25), fill_opacity=1)
                                    for _ in range(2))).arrange(DOWN, buff=px(10))
        for role in (_A, _B, _C)))
    return columns.arrange(RIGHT, buff=px(5))


def layers_icon(count: int = 4) -> VGroup:
    """Layers on top of one another; the top one shows its Q, K and V."""
    layers = VGroup()
    for k in range(count):
        layer = RoundedRectangle(corner_radius=px(8), width=px(132), height=px(66),
                                 stroke_width=2.5, stroke_color=paint("muted"),
                                 fill_color=mix("muted", 0.14), fill_opacity=1)
        layers.add(layer.shift((px(14) * k, px(30) * (count - 1 - k), 0)))
    cells = VGroup(*(Rectangle(width=px(28), height=px(28), stroke_width=0, fill_opacity=1,
                               fill_color=paint(role)) for role in "qkv"))
    return VGroup(layers, cells.arrange(RIGHT, buff=px(7)).move_to(layers[-1]))


def race_icon(shares: Sequence[float] = (0.3, 0.45, 1.0, 0.18, 0.6)) -> VGroup:
    """A distribution over tokens, of which one is drawn."""
    bars = VGroup(*(Rectangle(width=px(22), height=px(130 * share), stroke_width=0,
                              fill_color=mix("muted", 0.6), fill_opacity=1) for share in shares))
    bars.arrange(RIGHT, buff=px(9), aligned_edge=DOWN)
    base = Line(bars.get_corner(DOWN + LEFT), bars.get_corner(DOWN + RIGHT), stroke_width=2.5,
                color=paint("muted")).scale(1.08)
    bars[-1].set_fill(paint("ink"))
    mark = _square("ink", 18).next_to(bars[-1], UP, buff=px(10))
    return VGroup(bars, base, mark)


def token_icon() -> VGroup:
    """A request's tokens, with the one that was just sampled at their end; its K and V are new."""
    strip = TokenStrip(4, "cccck", _A, 30, 5)
    cells = VGroup(*(KVCell(Slot.CACHED, 30) for _ in range(4)))
    cells.arrange(RIGHT, buff=px(5)).next_to(strip, DOWN, buff=px(14)).align_to(strip, LEFT)
    return VGroup(strip, cells)


# as many places as the running requests of `queues_icon` have cached tokens
_HELD = ((_A, 2), (_B, 2), (_A, 2), (None, 0), (_C, 2), (_B, 1), (None, 0), (_A, 1), (_C, 2),
         (None, 0))


class PoolIcon(VGroup):
    """Blocks of the cache in a row: taken by requests, or free. Parts: a frame and two cells.

    `held`: a block's request (None: free) and its filled places.
    """

    def __init__(self, held: Sequence[tuple[str | None, int]] = _HELD) -> None:
        self.roles = tuple(role for role, _ in held)
        super().__init__(*(self._block(role, count) for role, count in held))
        self.arrange(RIGHT, buff=px(16))

    @staticmethod
    def _block(role: str | None, count: int) -> VGroup:
        cells = VGroup(*(KVCell(Slot.CACHED if k < count else Slot.EMPTY, 48) for k in range(2)))
        cells.arrange(RIGHT, buff=px(5))
        frame = RoundedRectangle(corner_radius=px(10), width=cells.width + px(20), height=px(72),
                                 fill_opacity=1, **_framed(role))
        return VGroup(frame, cells.move_to(frame))

    def write(self) -> list[Animation]:
        """Animations: the places that are still empty in taken blocks get their K and V."""
        return [move for role, (_, cells) in zip(self.roles, self) if role
                for cell in cells for move in cell.to(Slot.CACHED)]

    def free(self, role: str) -> list[Animation]:
        """Animations: a request's blocks are free again."""
        blocks = [block for owner, block in zip(self.roles, self) if owner == role]
        look = _framed(None)
        return [*(frame.animate.set_fill(look["fill_color"]).set_stroke(
                    look["stroke_color"], look["stroke_width"]) for frame, _ in blocks),
                *(move for _, cells in blocks for cell in cells for move in cell.to(Slot.EMPTY))]

    def take(self, role: str, *owners: str | None) -> LaggedStart:
        """Animation: one after another, the blocks of these owners become this request's."""
        look, taken = _framed(role), list[AnimationGroup]()
        for owner, (frame, cells) in zip(self.roles, self):
            if owner in owners:
                edge = frame.copy().set_fill(look["fill_color"]).set_stroke(
                    look["stroke_color"], look["stroke_width"])
                fills = (move for cell in cells for move in cell.to(Slot.CACHED))
                taken.append(AnimationGroup(Transform(frame, edge), *fills))
        return LaggedStart(*taken, lag_ratio=0.4)


def _framed(role: str | None) -> dict[str, Any]:
    """How a block's frame looks: in its owner's hue, or free."""
    return {"stroke_width": 3.5 if role else 2, "fill_color": mix(role or "muted", 0.12),
            "stroke_color": paint(role) if role else mix("muted", 0.4)}
