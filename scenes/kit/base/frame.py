"""The furniture of every picture: act and title on the left, badge and anchor on the right."""

from collections.abc import Callable

from manim import LEFT, ORIGIN, RIGHT, UP, Animation, RoundedRectangle, VGroup, VMobject
from manim.typing import Vector3D

from scenes.geometry import MARGIN, px
from scenes.kit.base.motion import come, leave
from scenes.kit.base.text import Label, number
from scenes.kit.base.theme import paint, use

__all__ = ["Frame", "TitleError", "badge"]

_CORNER_X, _CORNER_Y = 64 / 9, 4.0
_LIFT, _STILL = px(6) * UP, ORIGIN


def badge(text: str) -> VGroup:
    """A framed note of where the numbers come from."""
    label = number(text, 22, "muted")
    box = RoundedRectangle(corner_radius=px(6), width=label.width + px(30), height=px(44),
                           stroke_width=1.5, stroke_color=paint("line"),
                           fill_color=paint("panel"), fill_opacity=1)
    return VGroup(box, label.move_to(box).set_z_index(1))


class TitleError(ValueError):
    """A title runs off the picture."""


class Frame:
    """Header, badge and anchor of an act; `turn` gives way from one beat's to the next one's."""

    def __init__(self, theme: str, act_line: str) -> None:
        self.ground = use(theme).ground
        self.act_line = act_line
        self._shown: dict[str, tuple[str, VMobject]] = {}

    @property
    def shown(self) -> list[VMobject]:
        """The furniture now in the picture."""
        return [mobject for _, mobject in self._shown.values()]

    def _place(self, mobject: VMobject, side: Vector3D, top: float) -> VMobject:
        mobject.move_to((0, _CORNER_Y - px(top), 0))
        edge = _CORNER_X - px(MARGIN)
        x = -edge if side is LEFT else edge
        return mobject.align_to((x, 0, 0), side)

    def _parts(self, title: str, source: str,
               anchor: str = "") -> dict[str, tuple[str, Callable[[], VMobject]]]:
        parts = {"badge": (source, lambda: self._place(badge(source), RIGHT, 86))}
        if title:
            parts["act"] = (self.act_line,
                            lambda: self._place(Label(self.act_line, 26, "muted"), LEFT, 74))
            parts["title"] = (title, lambda: self._title(title))
        if anchor:
            parts["anchor"] = (anchor, lambda: self._place(number(anchor, 22, "muted"), RIGHT, 134))
        return parts

    def _title(self, title: str) -> VMobject:
        label = self._place(Label(title, 40, weight="semibold"), LEFT, 122)
        room = 2 * (_CORNER_X - px(MARGIN))
        if label.width > room:
            raise TitleError(f"the title is {label.width / room:.0%} of the picture's width; "
                             f"shorten it: {title!r}")
        return label

    def open(self, source: str) -> list[VMobject]:
        """A title card's furniture: the badge alone, there from the first frame."""
        key, (text, build) = next(iter(self._parts("", source).items()))
        self._shown = {key: (text, build())}
        return [self._shown[key][1]]

    def turn(self, title: str, source: str, anchor: str = "") -> list[Animation]:
        """Animations from the present furniture to that of the next beat; what stays is still."""
        wanted, animations = self._parts(title, source, anchor), list[Animation]()
        for key in ("act", "title", "badge", "anchor"):
            old = self._shown.get(key)
            new = wanted.get(key)
            if old and new and old[0] == new[0]:
                continue
            if old:
                animations.append(leave(old[1], _LIFT if key == "title" else _STILL))
                del self._shown[key]
            if new:
                self._shown[key] = (new[0], new[1]())
                animations.append(come(self._shown[key][1], _STILL if old else _LIFT))
        return animations
