"""manim's Cairo renderer, told which frames to draw: whole frames, only what changed, no file."""

from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from manim import CairoRenderer, Mobject, Scene, config

from studio.draw.painter import Painter
from studio.draw.shapes import Box
from studio.draw.vmobjects import appearance, is_paintable, make_shape

__all__ = ["BeatEnded", "ChangedBoxes", "OnPicture", "SectionWriter", "SelectFrames",
           "SelectiveRenderer"]

ChangedBoxes = list[Box] | None
# (beat, first frame, count) -> which of these frames to draw, counted from the beat's start
SelectFrames = Callable[[str, int, int], Sequence[int]]
# (beat, frame, RGBA [h, w, 4] valid until the next call, number of frames it is shown, where it
# differs from the picture drawn before: boxes, or None when that is unknown)
OnPicture = Callable[[str, int, np.ndarray, int, ChangedBoxes], None]


class SectionWriter:
    """In the place of manim's file writer: knows which beat is played, writes nothing."""

    def __init__(self, settings: Any) -> None:
        self.output_spec = settings.plan.output
        self.sections = [SimpleNamespace(name="", skip_animations=False)]

    def next_section(self, name: str, section_type: str, skip_animations: bool) -> None:
        """manim says that a beat begins."""
        self.sections.append(SimpleNamespace(name=name, skip_animations=skip_animations))

    def abort_encode_jobs(self, **_: Any) -> None:
        """manim says that it was interrupted."""


class BeatEnded(Exception):  # noqa: N818 - not an error
    """All that was to be drawn of a beat was drawn."""


class SelectiveRenderer(CairoRenderer):
    """Plays animations in whole frames and draws those that `select` names.

    `select`, `on_picture` and `stop` are set before each beat; see Player.play.
    """

    def __init__(self) -> None:
        super().__init__(file_writer_class=SectionWriter)  # type: ignore[arg-type]
        self.select: SelectFrames = lambda *_: ()
        self.on_picture: OnPicture = lambda *_: None
        self.stop: int | None = None
        self._next_frame = 0
        self._section: Any = None
        self.pixels: Any = None
        self._painter: Painter | None = None
        self._changed: ChangedBoxes = None

    def play(self, scene: Scene, *animations: Any, **options: Any) -> None:
        """manim calls it for every play and wait."""
        section = self.file_writer.sections[-1]
        if section is not self._section:
            self._section, self._next_frame = section, 0
        self.skip_animations = section.skip_animations
        scene.compile_animation_data(*animations, **options)
        is_hold = scene.is_current_animation_frozen_frame()
        step = 1 / config.frame_rate
        times = np.arange(0, scene.duration, step)
        count = int(scene.duration / step) if is_hold else len(times)
        selected: Sequence[int] = ()
        if not section.skip_animations:
            selected = self.select(section.name, self._next_frame, count)
        scene.begin_animations()
        if is_hold:
            if len(selected):
                self._paint(scene, {})
                self.on_picture(section.name, selected[0], self.pixels, len(selected),
                                self._changed)
        else:
            self._move(scene, times, selected)
        self._next_frame += count
        self.time += count * step
        self.num_plays += 1
        if self.stop is not None and self._next_frame >= self.stop:
            raise BeatEnded

    def _move(self, scene: Scene, times: np.ndarray, selected: Sequence[int]) -> None:
        family = scene.get_mobject_family_members()
        has_updaters = bool(scene.updaters) or any(mobject.updaters for mobject in family)
        cache: dict[str, Any] = {}
        for frame in selected:
            self._interpolate(scene, times[frame - self._next_frame], has_updaters)
            self._paint(scene, cache)
            self.on_picture(self._section.name, frame, self.pixels, 1, self._changed)
        if has_updaters and not len(selected):
            scene.update_to_time(scene.duration)
        for animation in scene.animations or ():
            animation.finish()
            animation.clean_up_from_scene(scene)
        if len(selected):
            scene.update_mobjects(0)

    def _interpolate(self, scene: Scene, time: float, has_updaters: bool) -> None:
        if has_updaters:
            scene.update_to_time(time)
            return
        for animation in scene.animations or ():  # all that is left of update_to_time
            animation.interpolate(time / animation.run_time)

    def _paint(self, scene: Scene, cache: dict[str, Any]) -> None:
        """Draw what manim would: its still objects, then from the first moving one on.

        `cache` holds what stays the same during one movement.
        """
        moving = scene.moving_mobjects
        order = [(m.z_index, len(m.submobjects), len(m.points) > 0) for m in moving]
        candidates: list[Mobject] | None = cache.get("moving")
        if cache.get("order") != order:
            candidates, displayed = None, self.camera.get_mobjects_to_display(moving)
            items = scene.static_mobjects + displayed
            cache.update(order=order, moving=displayed, items=items,
                         paintable=all(map(is_paintable, items)))
        painter = self._painter = self._painter or self._new_painter()
        if cache["paintable"]:
            self._changed = painter.paint(cache["items"], candidates)
            self.pixels = painter.pixels
        else:
            painter.invalidate()
            self.camera.reset()
            self.camera.capture_mobjects(cache["items"], include_submobjects=False)
            self.pixels, self._changed = self.camera.pixel_array, None

    def _new_painter(self) -> Painter:
        camera: Any = self.camera
        return Painter(camera.pixel_width, camera.pixel_height,
                       (camera.frame_width, camera.frame_height), camera.background[0, 0],
                       appearance, partial(make_shape, camera))
