"""Drawing acts with manim 0.22; only this file, patches.py and vmobjects.py lean on its internals.

A Player plays an act beat by beat and hands frames to a callable. One act a process: manim's
configuration and the kit's theme are global.
"""

import logging
from contextlib import suppress
from copy import deepcopy
from functools import partial
from types import SimpleNamespace

import manim
import numpy as np
from manim import CairoRenderer, config
from manim.mobject.svg.svg_mobject import SVG_HASH_TO_MOB_MAP

from scenes.stage import load_act
from studio.draw.painter import Painter
from studio.draw.patches import hasten
from studio.draw.vmobjects import look, plain, shape
from studio.render.order import Order

__all__ = ["Player", "require", "stock"]

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


class _Enough(Exception):
    """What is wanted of a beat was drawn."""


class _Drawer(CairoRenderer):
    """Plays animations in whole frames and draws only those that are wanted; see Player.play."""

    def __init__(self):
        super().__init__(file_writer_class=_Sections)
        self.want = self.take = self.stop = None
        self._at, self._section = 0, None
        self._painter = None

    def play(self, scene, *animations, **options):
        section = self.file_writer.sections[-1]
        if section is not self._section:
            self._section, self._at = section, 0
        self.skip_animations = section.skip_animations
        scene.compile_animation_data(*animations, **options)
        still = scene.is_current_animation_frozen_frame()
        step = 1 / config.frame_rate
        times = np.arange(0, scene.duration, step)
        count = int(scene.duration / step) if still else len(times)
        wanted = () if section.skip_animations else self.want(section.name, self._at, count)
        scene.begin_animations()
        if still:
            if len(wanted):
                self._paint(scene, {})
                self.take(section.name, wanted[0], self.pixels, len(wanted), self._boxes)
        else:
            self._move(scene, times, wanted)
        self._at += count
        self.time += count * step
        self.num_plays += 1
        if self.stop is not None and self._at >= self.stop:
            raise _Enough

    def _move(self, scene, times, wanted):
        shown = scene.get_mobject_family_members()
        known, updated = {}, bool(scene.updaters) or any(m.updaters for m in shown)
        for frame in wanted:
            self._advance(scene, times[frame - self._at], updated)
            self._paint(scene, known)
            self.take(self._section.name, frame, self.pixels, 1, self._boxes)
        if updated and not len(wanted):
            scene.update_to_time(scene.duration)
        for animation in scene.animations:
            animation.finish()
            animation.clean_up_from_scene(scene)
        if len(wanted):
            scene.update_mobjects(0)

    def _advance(self, scene, time, updated):
        if updated:
            scene.update_to_time(time)
            return
        for animation in scene.animations:  # all that is left of update_to_time
            animation.interpolate(time / animation.run_time)

    def _paint(self, scene, known):
        """Draw what manim would: its still objects, then from the first moving one on."""
        moving = scene.moving_mobjects
        form = [(m.z_index, len(m.submobjects), len(m.points) > 0) for m in moving]
        touched = known.get("moving")
        if known.get("form") != form:
            touched, shown = None, self.camera.get_mobjects_to_display(moving)
            things = scene.static_mobjects + shown
            known.update(form=form, moving=shown, things=things, plain=all(map(plain, things)))
        if self._painter is None:
            camera = self.camera
            self._painter = Painter(
                camera.pixel_width, camera.pixel_height, (camera.frame_width, camera.frame_height),
                camera.background[0, 0], look, partial(shape, camera))
        if known["plain"]:
            self._boxes = self._painter.paint(known["things"], touched)
            self.pixels = self._painter.pixels
        else:
            self._painter.forget()
            self.camera.reset()
            self.camera.capture_mobjects(known["things"], include_submobjects=False)
            self.pixels, self._boxes = self.camera.pixel_array, None


class Player:
    """One act in this process: plays its beats one by one, drawn or fast-forwarded."""

    def __init__(self, order: Order, media_dir):
        require()
        _configure(order, media_dir)
        hasten()
        self._drawer = _Drawer()
        self._act = load_act(order.act)(settings=dict(order.settings), language=order.language,
                                        theme=order.theme, renderer=self._drawer)
        self._own = {*vars(self._act), "beat"} - {"mobjects", "foreground_mobjects", "frame"}
        self._frame = deepcopy(self._act.frame)

    def start(self) -> None:
        """Bring the act to the start of its first beat."""
        self.restore({"mobjects": [], "foreground_mobjects": [], "frame": deepcopy(self._frame)})
        self._act.prepare()

    def state(self) -> dict:
        """What the beats so far have left: to be kept by value, pictures and furniture alike."""
        return {name: value for name, value in vars(self._act).items() if name not in self._own}

    def restore(self, state: dict) -> None:
        """Go on from a state of the same act, language, theme and parameters."""
        for name in set(vars(self._act)) - self._own:
            delattr(self._act, name)
        vars(self._act).update(state)

    def play(self, index: int, want=None, take=None, stop: int | None = None) -> None:
        """Play the beat that begins where the act stands.

        `want(beat, start, count)` says which of a movement's frames to draw, counted from the
        beat's start; without it the beat is fast-forwarded. `take(beat, frame, pixels, repeat,
        boxes)` receives RGBA [h, w, 4], valid until the next call, and where it differs from
        the picture drawn before (None: unknown). A hold is one picture with `repeat` > 1.
        From frame `stop` on the beat is not played: restore a state before going on.
        """
        self._act.drawn = range(index, index + 1) if want else range(0)
        self._drawer.want, self._drawer.take, self._drawer.stop = want, take, stop
        with suppress(_Enough):
            self._act.perform(index)


class _Stock(_Sections):
    """A file writer that hands frames on instead."""

    take = None  # take(beat, pixels, repeat)

    def write_frame(self, frame, repeat=1):
        self.take(self.sections[-1].name, frame, repeat)

    def is_already_cached(self, _):
        return False

    def finish(self, *_, **__):
        pass

    add_partial_movie_file = begin_animation = end_animation = finish


def stock(order: Order, beats: range, take, media_dir) -> None:
    """Let manim's own renderer draw beats; `take(beat, pixels, repeat)` receives RGBA."""
    _configure(order, media_dir)
    SVG_HASH_TO_MOB_MAP.clear()  # a second act in a process would get other pictures of formulas
    writer = type("Writer", (_Stock,), {"take": staticmethod(take)})
    load_act(order.act)(settings=dict(order.settings), language=order.language, theme=order.theme,
                        beats=beats, renderer=CairoRenderer(file_writer_class=writer)).render()
