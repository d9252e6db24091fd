"""A camera move: a picture grows about one of its parts until that part fills a region."""

from typing import Any

import numpy as np
from manim import Animation, Mobject, RoundedRectangle, Scene, VMobject, smooth

from scenes.geometry import Region

__all__ = ["Zoom"]

_REST, _PART = (0.0, 0.7), (0.6, 1.0)  # shares of the way in which the rest, the part, fade
_ABOVE = 3  # the part passes over its neighbours


def _fade(share: float, span: tuple[float, float]) -> float:
    """Opacity at a share of the way: 1 before the span, 0 behind it."""
    start, end = span
    return 1 - float(smooth(float(np.clip((share - start) / (end - start), 0, 1))))


class Zoom(Animation):
    """Into `part` of `picture`: its `box` becomes the frame of `region`, what is in it grows,

    the rest moves aside and fades. Last the part fades as well; then the picture is out of the
    scene, at home and whole, ready to come back. `back=True` is the same way back; then it stays.
    Points and opacities come from arrays kept at the beginning: cheap in every frame.
    """

    def __init__(self, picture: Mobject, part: Mobject, box: RoundedRectangle, region: Region,
                 back: bool = False, **options: Any) -> None:
        self.back, self._box = back, box
        inside = set(part.get_family())
        self._center, self._goal = box.get_center(), np.array(region.center)
        self._growth = min(region.width / box.width, region.height / box.height)
        frame = RoundedRectangle(corner_radius=box.corner_radius, width=region.width,
                                 height=region.height).move_to(self._goal)
        self._frames = box.points.copy(), frame.points
        self._parts = [(m, m.points.copy(), m.get_fill_opacity(), m.get_stroke_opacity(),
                        m.z_index, m in inside)
                       for m in picture.get_family() if isinstance(m, VMobject) and len(m.points)]
        super().__init__(picture, introducer=back, remover=not back, **options)

    def begin(self) -> None:
        for mobject, *_, layer, inside in self._parts:
            mobject.z_index = layer + _ABOVE * inside
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self._show(1 - share if self.back else share)

    def _show(self, share: float) -> None:
        """The picture at a share of the way in; equal shares multiply its size equally."""
        scale = self._growth**share
        here = self._center + (self._goal - self._center) * share
        for mobject, points, fill, stroke, _, inside in self._parts:
            left = _fade(share, _PART if inside else _REST)
            mobject.points = (points - self._center) * scale + here
            mobject.set_fill(opacity=fill * left, family=False)
            mobject.set_stroke(opacity=stroke * left, family=False)
        near, far = self._frames
        self._box.points = near + (far - near) * share

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        self._show(0)
        for mobject, *_, layer, _ in self._parts:
            mobject.z_index = layer
