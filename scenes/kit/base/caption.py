"""A small line beside the thing that it names."""

from typing import Any

from manim import DOWN, Mobject
from manim.typing import Vector3DLike

from scenes.geometry import px
from scenes.kit.base.text import NOTE, Label, Style

__all__ = ["caption"]


def caption(target: Mobject, text: object, style: Style | float = NOTE,
            side: Vector3DLike = DOWN, gap: float = 24, **options: Any) -> Label:
    """A label `gap` px from a side of `target`; `style` and `options` as for Label."""
    return Label(text, style, **options).next_to(target, side, buff=px(gap))
