"""A figure that can change in its place."""

from manim import LEFT, UP, Animation, VGroup
from manim.typing import Vector3DLike

from scenes.geometry import px
from scenes.kit.base.motion import swap
from scenes.kit.base.text import Style, number

__all__ = ["Readout"]


class Readout(VGroup):
    """A figure that can change: `to` rolls the old one out of its place, then the new one in."""

    def __init__(self, value: object, size: Style | float = 44, role: str = "ink",
                 weight: str = "semibold", anchor: Vector3DLike = LEFT) -> None:
        self._size, self._role, self._weight, self._anchor = size, role, weight, anchor
        super().__init__(number(value, size, role, weight))
        self.value = str(value)

    def to(self, value: object, role: str | None = None) -> list[Animation]:
        if str(value) == self.value and role in (None, self._role):
            return []
        self._role = role or self._role
        old = self[0]
        new = number(value, self._size, self._role, self._weight)
        new.move_to(old.get_edge_center(self._anchor), self._anchor)
        self.remove(old)
        self.add(new)
        self.value = str(value)
        return swap(old, new, UP * px(16))
