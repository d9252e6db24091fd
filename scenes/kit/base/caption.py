"""A small line beside the thing that it names."""

from collections.abc import Sequence
from typing import Any

from manim import DOWN, Mobject

from scenes.geometry import px
from scenes.kit.base.text import NOTE, Label, Style

__all__ = ["caption"]


def caption(target: Mobject, text: object, style: Style | float = NOTE,
            side: Sequence[float] = DOWN, gap: float = 24, **options: Any) -> Label:
    """A label `gap` px from a side of `target`; `style` and `options` as for Label."""
    return Label(text, style, **options).next_to(target, side, buff=px(gap))
