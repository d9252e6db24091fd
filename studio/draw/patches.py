"""Faster ways to the same results for what manim 0.22 does slowly; see player.py."""

from copy import deepcopy
from functools import cache
from types import FunctionType

import numpy as np
from manim import CapStyleType, LineJointType, ManimColor, Mobject, Polygram, VMobject
from manim.animation import fading
from manim.utils import family, iterables
from manim.utils.bezier import interpolate
from manim.utils.paths import straight_path

__all__ = ["hasten"]

# values that are as good as a copy of them
_SHARED = frozenset({int, float, str, bool, type(None), FunctionType, ManimColor, LineJointType,
                     CapStyleType})


def _clone(self, memo):
    """Mobject.__deepcopy__, which spends most of its time on numbers, strings and lists."""
    result = memo[id(self)] = self.__class__.__new__(self.__class__)
    made = result.__dict__
    for name, value in self.__dict__.items():
        kind = type(value)
        if kind in _SHARED:
            made[name] = value
        elif id(value) in memo:
            made[name] = memo[id(value)]
        elif kind is np.ndarray and value.dtype != object:
            made[name] = memo[id(value)] = value.copy()
        elif kind is list:
            items = made[name] = memo[id(value)] = []
            items.extend(deepcopy(item, memo) for item in value)
        else:
            made[name] = deepcopy(value, memo)
    made["original_id"] = str(id(self))
    return result


def _rgbas(generate):
    """VMobject.generate_rgbas_array, shorter for one colour without sheen."""
    def generated(self, color, opacity):
        if type(color) is ManimColor and type(opacity) is float and not self.get_sheen_factor():
            return np.array([color.to_rgba_with_alpha(opacity)])
        return generate(self, color, opacity)

    return generated


def _remembering(round_corners):
    """Polygram.round_corners, which takes milliseconds, once for each form in a process."""
    known = {}

    def remembered(self, *arguments, **options):
        key = self.points.tobytes(), repr(arguments), repr(options)
        if key in known:
            self.points = known[key].copy()
        else:
            round_corners(self, *arguments, **options)
            known[key] = self.points.copy()
        return self

    return remembered


def _distinct(things) -> list:
    """iterables.remove_list_redundancies, which walks twice even where nothing is twice."""
    things = list(things)
    return things if len(set(things)) == len(things) else _remove_redundancies(things)


_remove_redundancies = iterables.remove_list_redundancies


def _below(mobject, found):
    found.append(mobject)
    for part in mobject.submobjects:
        if part.submobjects:
            _below(part, found)
        else:
            found.append(part)
    return found


def _family(self, recurse=True):
    """Mobject.get_family without a generator for each; a mobject inside itself is not expected."""
    return _distinct(_below(self, []))


def _with_points(self):
    """Mobject.family_members_with_points."""
    return [mobject for mobject in _family(self) if len(mobject.points)]


def _same(one, two) -> bool:
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        return one.shape == two.shape and one.tobytes() == two.tobytes()
    return type(one) is type(two) is float and one == two


def _interpolate(self, mobject1, mobject2, alpha, path_func=interpolate):
    """Mobject.interpolate, where points that stay are copied, not computed with a rounding error.

    So their path need not be built again.
    """
    one, two = mobject1.points, mobject2.points
    stay = path_func is interpolate and _same(one, two)
    self.points = two.copy() if stay else path_func(one, two, alpha)
    self.interpolate_color(mobject1, mobject2, alpha)
    return self


_STYLES = ("fill_rgbas", "stroke_rgbas", "background_stroke_rgbas", "stroke_width",
           "background_stroke_width", "sheen_direction", "sheen_factor")


def _interpolate_color(self, mobject1, mobject2, alpha):
    """VMobject.interpolate_color, where what stays is copied."""
    for name in _STYLES:
        one, two = getattr(mobject1, name), getattr(mobject2, name)
        if alpha != 1 and not _same(one, two):
            value = interpolate(one, two, alpha)
        else:
            value = two.copy() if isinstance(two, np.ndarray) else two
        setattr(self, name, value)
    return self


def _faded(self, fadeIn):
    """_Fade._create_faded_mobject, where what is not moved keeps its points to the bit."""
    faded = self.mobject.copy()
    faded.fade(1)
    if np.any(self.shift_vector):
        faded.shift(self.shift_vector * (-1 if fadeIn and not self.point_target else 1))
    if self.scale_factor != 1:
        faded.scale(self.scale_factor)
    return faded


@cache
def hasten() -> None:
    """Put faster ways to the same results in the place of some of manim's."""
    assert straight_path() is interpolate
    Mobject.__deepcopy__ = _clone
    Mobject.get_family, Mobject.family_members_with_points = _family, _with_points
    Mobject.interpolate, VMobject.interpolate_color = _interpolate, _interpolate_color
    family.remove_list_redundancies = _distinct
    fading._Fade._create_faded_mobject = _faded
    VMobject.generate_rgbas_array = _rgbas(VMobject.generate_rgbas_array)
    Polygram.round_corners = _remembering(Polygram.round_corners)
