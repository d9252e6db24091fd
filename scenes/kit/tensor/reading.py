"""What a position of a sequence may read, and which token it predicts."""

from collections.abc import Sequence

from manim import RIGHT, VGroup

from scenes.geometry import px
from scenes.kit.base.flow import arrow
from scenes.kit.base.hatch import Hatch
from scenes.kit.base.legend import Legend
from scenes.kit.base.theme import paint
from scenes.kit.tensor.grid import Grid, ring

__all__ = ["ReadingStrip"]

_OUTLINE = 3


class ReadingStrip(VGroup):
    """Tokens in a row: outlined what `position` may read, hatched the later ones, which it may not.

    An arrow leads to the token that is predicted. `tokens`: texts, the one after the last known
    among them. With `causal=False` all known ones are read and none is predicted. `pitch`: px
    from token to token. Part: `tokens`, a Grid.
    """

    def __init__(self, tokens: Sequence[str], position: int, causal: bool = True,
                 pitch: float = 150) -> None:
        self.tokens = cells = Grid([tokens], "ink", (104, 80), 38)
        super().__init__(cells.arrange(RIGHT, buff=px(pitch - 104)))
        for cell in cells[:position + 1] if causal else cells[:-1]:
            cell[0].set_stroke(paint("ink"), _OUTLINE)
        if not causal:
            cells[-1].set_opacity(0)
            return
        here, following = cells[position], cells[position + 1]
        self.add(*(Hatch(cell[0].width, cell[0].height, pitch=24).move_to(cell)
                   for cell in cells[position + 1:]))
        self.add(ring(following[0], "d", 5, 3), arrow(here, following, "d", 5, 4))

    @staticmethod
    def legend(*words: str) -> Legend:
        """What it means to be read, hidden and predicted; fewer words name fewer of them."""
        read = Grid([[""]], "ink", (40, 36))[0][0].set_stroke(paint("ink"), _OUTLINE)
        samples = read, Hatch(px(40), px(36), pitch=24), ring(read, "d", 5)
        return Legend(zip(samples, words))
