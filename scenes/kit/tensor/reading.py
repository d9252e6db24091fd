"""What a position of a sequence may read, and which token it predicts."""

from collections.abc import Sequence

from manim import RIGHT, VGroup

from scenes.geometry import px
from scenes.kit.base.flow import arrow
from scenes.kit.base.theme import paint
from scenes.kit.tensor.grid import Grid, ring

__all__ = ["ReadingStrip"]

_OUTLINE = 3


class ReadingStrip(VGroup):
    """The tokens that `position` may read, in a row; an arrow leads to the one it predicts.

    `tokens`: texts, the one after the last known among them. With `causal=False` all known ones
    are read and none is predicted. `pitch`: px from token to token. Parts: `tokens`, a Grid;
    `predicts`: the arrow and the outlined token, or nothing.
    """

    def __init__(self, tokens: Sequence[str], position: int, causal: bool = True,
                 pitch: float = 150) -> None:
        known = [*tokens[:position + 1], tokens[position + 1]] if causal else [*tokens[:-1]]
        cells = Grid([known], "ink", (104, 80), 38).arrange(RIGHT, buff=px(pitch - 104))
        self.tokens, self.predicts = cells, VGroup()
        super().__init__(cells)
        if causal:
            following = cells[-1]
            cells.remove(following)
            following[0].set_fill(opacity=0).set_stroke(opacity=0)
            self.predicts.add(arrow(cells[-1], following, "d", 5, 4), following,
                              ring(following[0], "d", 5, 3))
            self.add(self.predicts)
        for box, _ in cells:
            box.set_stroke(paint("ink"), _OUTLINE)
