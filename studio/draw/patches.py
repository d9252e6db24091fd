"""Faster ways to the same results for what manim 0.22 does slowly."""

from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from manim import CapStyleType, LineJointType, ManimColor, Mobject, Polygram, VMobject
from manim.animation import fading
from manim.utils import family, iterables
from manim.utils.bezier import interpolate
from manim.utils.paths import straight_path

__all__ = ["apply_patches"]

_IMMUTABLE = frozenset({int, float, str, bool, type(None), FunctionType, ManimColor, LineJointType,
                        CapStyleType})


def _deepcopy(self: Mobject, memo: dict[int, Any]) -> Mobject:
    """Mobject.__deepcopy__, which spends most of its time on numbers, strings and lists."""
    result = memo[id(self)] = self.__class__.__new__(self.__class__)
    fields = result.__dict__
    for name, value in self.__dict__.items():
        kind = type(value)
        if kind in _IMMUTABLE:
            fields[name] = value
        elif id(value) in memo:
            fields[name] = memo[id(value)]
        elif kind is np.ndarray and value.dtype != object:
            fields[name] = memo[id(value)] = value.copy()
        elif kind is list:
            items = fields[name] = memo[id(value)] = []
            items.extend(deepcopy(item, memo) for item in value)
        else:
            fields[name] = deepcopy(value, memo)
    fields["original_id"] = str(id(self))
    return result


def _generate_rgbas(original: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """VMobject.generate_rgbas_array, shorter for one colour without sheen."""
    def generate_rgbas_array(self: VMobject, color: Any, opacity: Any) -> np.ndarray:
        if type(color) is ManimColor and type(opacity) is float and not self.get_sheen_factor():
            return np.array([color.to_rgba_with_alpha(opacity)])
        return original(self, color, opacity)

    return generate_rgbas_array


def _cached_round_corners(original: Callable[..., Any]) -> Callable[..., Polygram]:
    """Polygram.round_corners, which takes milliseconds, once for each outline in a process."""
    rounded_points: dict[tuple[bytes, str, str], np.ndarray] = {}

    def round_corners(self: Polygram, *arguments: Any, **options: Any) -> Polygram:
        key = self.points.tobytes(), repr(arguments), repr(options)
        if key in rounded_points:
            self.points = rounded_points[key].copy()
        else:
            original(self, *arguments, **options)
            rounded_points[key] = self.points.copy()
        return self

    return round_corners


_remove_redundancies = iterables.remove_list_redundancies


def _unique(items: Iterable[Any]) -> list[Any]:
    """iterables.remove_list_redundancies, which walks twice even where nothing is twice."""
    items = list(items)
    return items if len(set(items)) == len(items) else _remove_redundancies(items)


def _append_family(mobject: Mobject, found: list[Mobject]) -> list[Mobject]:
    found.append(mobject)
    for part in mobject.submobjects:
        if part.submobjects:
            _append_family(part, found)
        else:
            found.append(part)
    return found


def _get_family(self: Mobject, recurse: bool = True) -> list[Mobject]:
    """Mobject.get_family without a generator each; no mobject is expected inside itself."""
    return _unique(_append_family(self, []))


def _family_members_with_points(self: Mobject) -> list[Mobject]:
    """Mobject.family_members_with_points."""
    return [mobject for mobject in _get_family(self) if len(mobject.points)]


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.shape == two.shape and one.tobytes() == two.tobytes()
    return type(one) is type(two) is float and one == two


def _interpolate(self: Mobject, mobject1: Mobject, mobject2: Mobject, alpha: float,
                 path_func: Callable[..., Any] = interpolate) -> Mobject:
    """Mobject.interpolate; points that stay are copied, not computed with a rounding error.

    So their path need not be built again.
    """
    one, two = mobject1.points, mobject2.points
    unmoved = path_func is interpolate and _equal(one, two)
    self.points = two.copy() if unmoved else path_func(one, two, alpha)
    self.interpolate_color(mobject1, mobject2, alpha)
    return self


_STYLES = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas", "stroke_width",
           "background_stroke_width", "sheen_direction", "sheen_factor")


def _interpolate_color(self: VMobject, mobject1: VMobject, mobject2: VMobject,
                       alpha: float) -> VMobject:
    """VMobject.interpolate_color; what stays is copied."""
    for name in _STYLES:
        one, two = getattr(mobject1, name), getattr(mobject2, name)
        if alpha != 1 and not _equal(one, two):
            value = interpolate(one, two, alpha)
        else:
            value = two.copy() if isinstance(two, np.ndarray) else two
        setattr(self, name, value)
    return self


def _create_faded_mobject(self: Any, fadeIn: bool) -> Mobject:  # noqa: N803
    """_Fade._create_faded_mobject; what is not moved keeps its points to the bit."""
    faded = self.mobject.copy()
    faded.fade(1)
    if np.any(self.shift_vector):
        faded.shift(self.shift_vector * (-1 if fadeIn and not self.point_target else 1))
    if self.scale_factor != 1:
        faded.scale(self.scale_factor)
    return faded


@cache
def apply_patches() -> None:
    """Replace some of manim's functions by faster ones with the same results, once a process."""
    assert straight_path() is interpolate
    Mobject.__deepcopy__ = _deepcopy
    Mobject.get_family = _get_family
    Mobject.family_members_with_points = _family_members_with_points
    Mobject.interpolate, VMobject.interpolate_color = _interpolate, _interpolate_color
    family.remove_list_redundancies = _unique
    fading._Fade._create_faded_mobject = _create_faded_mobject
    VMobject.generate_rgbas_array = _generate_rgbas(VMobject.generate_rgbas_array)
    Polygram.round_corners = _cached_round_corners(Polygram.round_corners)
