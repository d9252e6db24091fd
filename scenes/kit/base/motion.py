"""How things move: one gives way to the next, and what flies hides what it passes over."""

from collections.abc import Iterable
from typing import Any, cast

import numpy as np
from manim import (
    ORIGIN,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    Mobject,
    MoveAlongPath,
    MoveToTarget,
    RoundedRectangle,
    Scene,
    VGroup,
    VMobject,
    smooth,
)
from manim.mobject.mobject import _AnimationBuilder
from manim.utils.rate_functions import squish_rate_func

from scenes.geometry import px
from scenes.kit.base.theme import mix, paint

__all__ = ["Along", "Flight", "Movement", "arrive", "come", "dim", "fly", "leave", "linger",
           "replace", "swap", "vanish"]

# What `Act.move` takes; manim types `mobject.animate.shift(...)` as either of the last two.
Movement = Animation | _AnimationBuilder | Mobject

# Shares of a movement: the old is gone, the new begins. Both are faint for a moment, so that
# texts are never read as one and the stage is never bare.
_GONE, _COMES = 0.55, 0.12
_HALF = 0.45  # in one place the old goes before the new comes
_SOON = 0.2  # a figure goes in this share of the movement
_ABOVE = 6  # z-index of things in flight


def leave(mobject: Mobject, shift: Any = ORIGIN) -> FadeOut:
    """Animation: gone when little more than half of the movement is over."""
    return FadeOut(mobject, shift=shift, rate_func=squish_rate_func(smooth, 0, _GONE))


def come(mobject: Mobject, shift: Any = ORIGIN) -> FadeIn:
    """Animation: appears while what was there leaves, legible when that is gone."""
    return FadeIn(mobject, shift=shift, rate_func=squish_rate_func(smooth, _COMES, 1))


def arrive(mobject: Mobject, shift: Any = ORIGIN) -> FadeIn:
    """Animation: appears at the end of a longer movement, when that has made room."""
    return FadeIn(mobject, shift=shift, rate_func=squish_rate_func(smooth, 1 - _HALF, 1))


def linger(mobject: Mobject, shift: Any = ORIGIN) -> FadeOut:
    """Animation: stays until the newcomers stand there, then leaves."""
    return FadeOut(mobject, shift=shift, rate_func=squish_rate_func(smooth, _HALF, 1))


def replace(old: Mobject, new: Mobject, shift: Any = ORIGIN) -> list[Animation]:
    """Animations: `old` leaves its place, then `new` takes it: two texts are never seen as one."""
    return [FadeOut(old, shift=shift, rate_func=squish_rate_func(smooth, 0, _HALF)),
            FadeIn(new, shift=shift, rate_func=squish_rate_func(smooth, _HALF, 1))]


def vanish(mobject: Mobject) -> FadeOut:
    """Animation: gone almost at once, before what moves comes near."""
    return FadeOut(mobject, rate_func=squish_rate_func(smooth, 0, _SOON))


def dim(mobject: Mobject, darkness: float) -> MoveToTarget:
    """Animation: its opacity falls by this share (0 to 1).

    Not `animate.fade`: manim applies that twice, and what is left depends on the frames drawn.
    """
    mobject.generate_target().fade(darkness)
    return MoveToTarget(mobject)


def swap(old: Mobject, new: Mobject, shift: Any = ORIGIN) -> list[Animation]:
    """Animations: as `replace`, at once: a figure is missing for a blink only."""
    return [FadeOut(old, shift=shift, rate_func=squish_rate_func(smooth, 0, _SOON)),
            FadeIn(new, shift=shift, rate_func=squish_rate_func(smooth, _SOON, 3 * _SOON))]


class Flight(Animation):
    """A copy of `source` travels to where `target` stands, grows to its size, and becomes it.

    On its way it lies on an opaque pill above all else. `via`: a height (manim units) along
    which it flies, a gutter between other things; None for the straight way. `layer`: of two
    that meet, the one on the higher layer hides the other.
    """

    def __init__(self, source: Mobject, target: Mobject, via: float | None = None,
                 role: str = "muted", layer: int = 0, **options: Any) -> None:
        self.target, self._start, self._end = target, source.get_center(), target.get_center()
        self._growth = target.height / source.height if source.height else 1.0
        turns = [] if via is None else [[self._start[0], via, 0], [self._end[0], via, 0]]
        self._way = np.array([self._start, *turns, self._end])
        steps = np.linalg.norm(np.diff(self._way, axis=0), axis=1)
        self._reached = np.concatenate([[0], np.cumsum(steps)])
        above = _ABOVE + 2 * layer
        copy = cast(VMobject, source.copy()).set_z_index(above + 1)
        pill = RoundedRectangle(
            corner_radius=min(px(10), copy.height / 2 + px(6)), width=copy.width + px(18),
            height=copy.height + px(18), stroke_width=1.5, stroke_color=mix(role, 0.6),
            fill_color=paint("ground"), fill_opacity=1).move_to(copy).set_z_index(above)
        super().__init__(VGroup(pill, copy), introducer=True, remover=True, **options)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        reach = share * self._reached[-1]
        here = [np.interp(reach, self._reached, self._way[:, axis]) for axis in range(3)]
        self.mobject.become(self.starting_mobject)
        self.mobject.scale(1 + (self._growth - 1) * share).move_to(np.array(here))

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        scene.add(self.target)


class Along(MoveAlongPath):
    """As manim's, but from the start anew in every frame: the end does not depend on the rate."""

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.become(self.starting_mobject)
        super().interpolate_mobject(alpha)


def fly(sources: Iterable[Mobject], targets: Iterable[Mobject], via: float | None = None,
        lag: float = 0.3, role: str = "muted") -> AnimationGroup:
    """Animation: each source's copy flies to its target, one after another."""
    return LaggedStart(*(Flight(a, b, via, role, k) for k, (a, b) in enumerate(
        zip(sources, targets))), lag_ratio=lag)

