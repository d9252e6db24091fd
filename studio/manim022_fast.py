"""Faster ways to the same results for what manim 0.22 does slowly; see manim022."""

from copy import deepcopy
from functools import cache
from types import FunctionType

import numpy as np
from manim import ManimColor, Mobject, Polygram

__all__ = ["hasten"]

_SHARED = (int, float, str, bool, type(None), FunctionType, ManimColor)


def _clone(self, memo):
    """Mobject.__deepcopy__, which spends most of its time on numbers and strings."""
    result = memo[id(self)] = self.__class__.__new__(self.__class__)
    made = result.__dict__
    for name, value in self.__dict__.items():
        if type(value) in _SHARED:
            made[name] = value
        elif type(value) is np.ndarray and value.dtype != object:
            if id(value) not in memo:
                memo[id(value)] = value.copy()
            made[name] = memo[id(value)]
        else:
            made[name] = deepcopy(value, memo)
    made["original_id"] = str(id(self))
    return result


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


@cache
def hasten() -> None:
    """Put faster ways to the same results in the place of some of manim's."""
    Mobject.__deepcopy__ = _clone
    Polygram.round_corners = _remembering(Polygram.round_corners)
