"""A rule, the numbers put into it, and what comes out."""

from collections.abc import Sequence

from manim import DOWN, LEFT, RIGHT, FadeIn, LaggedStart, VGroup

from scenes.geometry import px
from scenes.kit.base.text import number

__all__ = ["Derivation"]


class Derivation(VGroup):
    """One row a rule: (rule, the same with numbers, result); `gap` from row to row in px."""

    def __init__(self, rows: Sequence[tuple[str, str, str]], gap: float = 44) -> None:
        super().__init__(*(
            VGroup(number(rule, 32, "muted"), number(f"= {numbers} =", 32),
                   number(result, 36, "focus", "bold"))
            .arrange(RIGHT, buff=px(20), aligned_edge=DOWN) for rule, numbers, result in rows))
        self.arrange(DOWN, buff=px(gap), aligned_edge=LEFT)

    def appear(self) -> LaggedStart:
        """Animation: row after row."""
        return LaggedStart(*(FadeIn(row, shift=RIGHT * px(12)) for row in self), lag_ratio=0.5)
