"""K and V of every layer as bars, as long as the tokens cached."""

from manim import DOWN, LEFT, RIGHT, FadeIn, LaggedStart, Mobject, Rectangle, VGroup

from scenes.geometry import px
from scenes.kit.base.text import SMALL, Label, number
from scenes.kit.base.theme import paint

__all__ = ["KvLayers"]


class KvLayers(VGroup):
    """`tokens` cached in each of `layers`; a token is at most 44 px wide, all of them `width`.

    `word` stands before the first layer's number. Parts: `pairs`, (K, V) of each layer; its top
    left, `pairs[0][0].get_left()`, is the origin.
    """

    def __init__(self, layers: int, tokens: int, word: str, width: float = 660) -> None:
        self._pitch = min(44, width / (tokens + 1))
        self.pairs, tags = VGroup(), VGroup()
        for layer in range(layers):
            pair = VGroup(*(self._bar(self._pitch * tokens, role)
                            .move_to(DOWN * px(48 * layer + 18 * half), LEFT)
                            for half, role in enumerate("kv")))
            tag = number(layer, SMALL).move_to(pair.get_left() + LEFT * px(40))
            self.pairs.add(pair)
            tags.add(tag.set_z_index(1))
        tags.add(Label(word, SMALL).set_z_index(1).next_to(tags[0], LEFT, buff=px(20)))
        super().__init__(self.pairs, tags)

    def _bar(self, length: float, role: str) -> Rectangle:
        return Rectangle(width=px(length), height=px(15), stroke_width=0, fill_color=paint(role),
                         fill_opacity=1).set_z_index(1)

    def store(self, key: Mobject, value: Mobject) -> LaggedStart:
        """Animation: a token's K and V travel into every layer's bars, which grow by it."""
        news = []
        for pair in self.pairs:
            for source, bar, role in zip((key, value), pair, "kv"):
                cell = self._bar(self._pitch - 3, role).next_to(bar, RIGHT, buff=px(3))
                news.append(FadeIn(cell, target_position=source, scale=3))
        return LaggedStart(*news, lag_ratio=0.08)
