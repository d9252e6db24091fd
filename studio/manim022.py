"""Drawing acts with manim 0.22: everything that leans on its internals is in this file.

`draw` plays a range of beats in this process and hands every frame to a callable. One act a
process: manim's configuration and the kit's theme are global.
"""

import logging
from types import SimpleNamespace

import manim
import numpy as np
from manim import CairoRenderer, config

from scenes.stage import load_act
from studio.order import Order

__all__ = ["draw", "require"]

PINNED = "0.22."


def require() -> None:
    """RuntimeError on another manim: this file must then be read against it again."""
    if not manim.__version__.startswith(PINNED):
        raise RuntimeError(f"manim {manim.__version__}: the studio draws with {PINNED}*")


def _configure(order: Order, media_dir) -> None:
    width, height = order.size
    logging.getLogger("manim").setLevel(logging.WARNING)
    config.update({
        "dry_run": True, "disable_caching": True, "progress_bar": "none", "verbosity": "WARNING",
        "pixel_width": width, "pixel_height": height, "frame_rate": order.fps, "frame_height": 8.0,
        "frame_width": 8.0 * 16 / 9, "media_dir": str(media_dir),
    })


class _Sections:
    """In the place of manim's file writer: knows which beat is played, writes nothing."""

    def __init__(self, settings):
        self.output_spec = settings.plan.output
        self.sections = [SimpleNamespace(name="", skip_animations=False)]

    def next_section(self, name, section_type, skip_animations):
        self.sections.append(SimpleNamespace(name=name, skip_animations=skip_animations))

    def abort_encode_jobs(self, **_):
        pass


class _Drawer(CairoRenderer):
    """Plays animations in whole frames and draws only those that are wanted.

    `want(beat, start, count)` says which of a movement's frames to draw, counted from the
    beat's start; `take(beat, frame, pixels, repeat)` receives RGBA [h, w, 4], valid until the
    next call. A hold is one picture with `repeat` > 1.
    """

    def __init__(self, want, take):
        super().__init__(file_writer_class=_Sections)
        self._want, self._take = want, take
        self._at = 0
        self._name = ""

    def play(self, scene, *animations, **options):
        section = self.file_writer.sections[-1]
        if section.name != self._name:
            self._name, self._at = section.name, 0
        self.skip_animations = section.skip_animations
        scene.compile_animation_data(*animations, **options)
        still = scene.is_current_animation_frozen_frame()
        step = 1 / config.frame_rate
        times = np.arange(0, scene.duration, step)
        count = int(scene.duration / step) if still else len(times)
        wanted = () if section.skip_animations else self._want(self._name, self._at, count)
        scene.begin_animations()
        if still:
            self._hold(scene, wanted)
        else:
            self._move(scene, times, wanted)
        self._at += count
        self.time += count * step
        self.num_plays += 1

    def _hold(self, scene, wanted):
        if len(wanted):
            self.static_image = None
            self.update_frame(scene, mobjects=scene.static_mobjects + scene.moving_mobjects)
            self._take(self._name, wanted[0], self.camera.pixel_array, len(wanted))

    def _move(self, scene, times, wanted):
        frames = [frame - self._at for frame in wanted]
        if frames:
            self.save_static_frame_data(scene, scene.static_mobjects)
        for frame in frames:
            scene.update_to_time(times[frame])
            self.update_frame(scene, scene.moving_mobjects)
            self._take(self._name, self._at + frame, self.camera.pixel_array, 1)
        if not frames:
            scene.update_to_time(scene.duration)
        for animation in scene.animations:
            animation.finish()
            animation.clean_up_from_scene(scene)
        if frames:
            scene.update_mobjects(0)
        self.static_image = None


def _every(beat, start, count):
    return range(start, start + count)


def draw(order: Order, beats: range, take, media_dir, want=_every) -> None:
    """Play `beats` of the ordered act, earlier ones fast-forwarded; see _Drawer for the calls."""
    require()
    _configure(order, media_dir)
    act = load_act(order.act)(settings=dict(order.settings), language=order.language,
                              theme=order.theme, beats=beats, renderer=_Drawer(want, take))
    act.render()
