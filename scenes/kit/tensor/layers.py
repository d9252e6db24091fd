"""A token before and after a stack of layers."""

from manim import LEFT, RIGHT, RoundedRectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.theme import mix, paint
from scenes.kit.engine.tokens import TokenStrip

__all__ = ["LayerStack"]


class LayerStack(VGroup):
    """`count` layers side by side, layer `focus` (from 0) lit. Parts: `layers`, `tokens`."""

    def __init__(self, count: int, focus: int = 0, role: str = "q") -> None:
        looks = ("focus" if k == focus else "muted" for k in range(count))
        self.layers = VGroup(*(RoundedRectangle(
            corner_radius=px(5), width=px(30), height=px(150), stroke_width=2.5,
            stroke_color=paint(look), fill_color=mix(look, 0.25), fill_opacity=1)
            for look in looks)).arrange(RIGHT, buff=px(14))
        self.tokens = VGroup(*(TokenStrip(1, "c", role, 56).next_to(self.layers, side, buff=px(40))
                               for side in (LEFT, RIGHT)))
        super().__init__(self.tokens[0], self.layers, self.tokens[1])
