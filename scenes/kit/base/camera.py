"""The camera looks aside: what was seen leaves the picture, what stands beside it comes in."""

from typing import Any

import numpy as np
from manim import Animation, Group, Mobject, Scene
from manim.typing import Vector3DLike

__all__ = ["Pan"]


class Pan(Animation):
    """`leaving` moves out by `way` (manim units); `coming` moves in and ends where it stands now.

    What has left is out of the scene, and back at home: another Pan can bring it in again.
    """

    def __init__(self, leaving: Mobject, coming: Mobject, way: Vector3DLike,
                 **options: Any) -> None:
        self.leaving, self.coming, self._way = leaving, coming, np.asarray(way, float)
        self._home = [(m, m.points.copy(), k) for k, side in enumerate((leaving, coming))
                      for m in side.get_family() if len(m.points)]
        super().__init__(Group(leaving, coming), introducer=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        for mobject, points, comes in self._home:
            mobject.points = points + self._way * (share - comes)

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        for mobject, points, _ in self._home:
            mobject.points = points.copy()
        scene.remove(self.mobject, self.leaving, *self.leaving.submobjects)  # type: ignore[arg-type]
        scene.add(self.coming)
