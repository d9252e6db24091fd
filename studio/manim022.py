"""Drawing acts with manim 0.22: all that leans on its internals is here and in manim022_fast.

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
from manim import CairoRenderer, VMobject, config
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP
from manim.mobject.svg.svg_mobject import SVG_HASH_TO_MOB_MAP

from scenes.stage import load_act
from studio.manim022_fast import hasten
from studio.order import Order
from studio.painter import Paint, Painter, Shape
from studio.paths import flat_path

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


def _look(mobject) -> tuple:
    """Everything that decides how a VMobject is drawn, as a comparable value; points first."""
    has = mobject.__dict__
    fill, stroke = has.get("fill_rgbas", _CLEAR), has.get("stroke_rgbas", _CLEAR)
    spread = mobject.get_sheen_direction().tobytes() if len(fill) + len(stroke) > 2 else b""
    return (mobject.points.tobytes(), fill.tobytes(), stroke.tobytes(),
            has.get("background_stroke_rgbas", _CLEAR).tobytes(), mobject.stroke_width,
            mobject.background_stroke_width, mobject.joint_type, mobject.cap_style, spread)


_CLEAR = np.zeros((1, 4))


def _shape(camera, mobject, look, old):
    """The Shape of a VMobject and the box of pixels it may touch; see Painter."""
    points, size = mobject.points, (camera.pixel_width, camera.pixel_height)
    known, before = old or ((None,), None)
    if known[0] == look[0]:
        rows = before.rows
    else:
        rows = flat_path(points, mobject.tolerance_for_point_equality)
    if known[1:] == look[1:] and not look[-1]:  # it only moved
        shape = Shape(rows, before.back, before.fill, before.front, before.join, before.cap)
    else:
        shape = Shape(rows, *_paints(mobject, camera.cairo_line_width_multiple),
                      LINE_JOIN_MAP[mobject.joint_type], CAP_STYLE_MAP[mobject.cap_style])
    return shape, shape.box(points, size[0] / camera.frame_width, *size)


def _paints(mobject, thin) -> tuple[Paint | None, Paint | None, Paint | None]:
    """Stroke behind, fill, stroke before; None for what does not show."""
    def paint(name, width):
        colors = mobject.__dict__.get(name, _CLEAR).tolist()
        if not any(color[3] for color in colors):
            return None
        if len(colors) == 1:
            return Paint(colors, width)
        return Paint(colors, width, *(tuple(p[:2]) for p in
                                      mobject.get_gradient_start_and_end_points()))

    back, front = (mobject.get_stroke_width(behind) * thin for behind in (True, False))
    return (paint("background_stroke_rgbas", back) if back else None, paint("fill_rgbas", 0),
            paint("stroke_rgbas", front) if front else None)


def _plain(mobject) -> bool:
    """Whether the painter can draw it; pictures and point clouds are left to manim's camera."""
    return (isinstance(mobject, VMobject) and mobject.background_image is None
            and not mobject.shade_in_3d)


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
        known, updated = {}, any(m.updaters for m in scene.get_mobject_family_members())
        for frame in wanted:
            time = times[frame - self._at]
            if updated:
                scene.update_to_time(time)
            else:  # what update_to_time would do
                for animation in scene.animations:
                    animation.interpolate(time / animation.run_time)
            self._paint(scene, known)
            self.take(self._section.name, frame, self.pixels, 1, self._boxes)
        if updated and not len(wanted):
            scene.update_to_time(scene.duration)
        for animation in scene.animations:
            animation.finish()
            animation.clean_up_from_scene(scene)
        if len(wanted):
            scene.update_mobjects(0)

    def _paint(self, scene, known):
        """Draw what manim would: its still objects, then from the first moving one on."""
        moving = scene.moving_mobjects
        form = [(m.z_index, len(m.submobjects), len(m.points) > 0) for m in moving]
        touched = known.get("moving")
        if known.get("form") != form:
            touched, shown = None, self.camera.get_mobjects_to_display(moving)
            things = scene.static_mobjects + shown
            known.update(form=form, moving=shown, things=things, plain=all(map(_plain, things)))
        if self._painter is None:
            camera = self.camera
            self._painter = Painter(
                camera.pixel_width, camera.pixel_height, (camera.frame_width, camera.frame_height),
                camera.background[0, 0], _look, partial(_shape, camera))
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
