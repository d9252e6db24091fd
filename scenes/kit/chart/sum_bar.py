"""A sum that grows and shrinks before the eye: a bar to both sides of zero."""

from manim import LEFT, RIGHT, Line, Rectangle, VGroup

from scenes.geometry import Region, px
from scenes.kit.base.motion import Movement
from scenes.kit.base.text import Label
from scenes.kit.base.theme import mix, paint
from scenes.kit.engine.readout import Readout

__all__ = ["SumBar"]


class SumBar(VGroup):
    """A signed sum as a bar from a middle line, to scale; `to` moves its end.

    It lies at height y across `region`, name at the left, figure at the right; `largest`: the
    furthest that it will reach. Parts: `axis`, `tag`, `bar`, `total`.
    """

    def __init__(self, region: Region, y: float, largest: float, name: str) -> None:
        left, right = region.left + px(200), region.right - px(260)
        self.zero = ((left + right) / 2, y, 0)
        self.unit = (right - left) / 2 / largest
        self.axis = Line((self.zero[0], y - px(42), 0), (self.zero[0], y + px(42), 0),
                         stroke_width=4, color=paint("muted"))
        self.tag = Label(name, 52, "muted").move_to((region.left, y, 0), LEFT)
        self.bar = self._bar(0)
        self.total = Readout("0", 64, "ink", "bold").move_to((right + px(30), y, 0), LEFT)
        super().__init__(self.axis, self.tag, self.bar, self.total)

    def _bar(self, value: float) -> Rectangle:
        bar = Rectangle(width=max(abs(value) * self.unit, px(4)), height=px(64), stroke_width=3,
                        stroke_color=paint("ink"), fill_color=mix("ink", 0.35), fill_opacity=1)
        return bar.move_to(self.zero, LEFT if value >= 0 else RIGHT)

    def to(self, value: float, written: str, role: str = "ink") -> list[Movement]:
        """Animations: the bar ends at another value."""
        return [self.bar.animate.become(self._bar(value)), *self.total.to(written, role)]
