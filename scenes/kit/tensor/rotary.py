"""Rotary position embedding of a whole head: a plane for every pair, each at its own speed."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from manim import DOWN, LEFT, RIGHT, UP, Arc, FadeIn, LaggedStart, VGroup

from scenes.geometry import px
from scenes.kit.base.formula import Formula
from scenes.kit.base.text import NOTE, SMALL, Label, number
from scenes.kit.tensor.plane import Plane, Spoke, Turn

__all__ = ["RotaryPairs"]

Pairs = Sequence[Sequence[float]]


class RotaryPairs(VGroup):
    """Planes side by side; in each, one pair of q and the same pair of k as vectors.

    `rates` [d/2]: radians a position; `query`, `key` [d/2, 2]: the pairs before they turn.
    `radius`, `gap` in px at 1080p; `reach` as in `Plane`. Parts: the planes themselves, and
    `spokes`, a (q, k) for each plane; they are not part of the group, and made by `point`.
    """

    def __init__(self, rates: Sequence[float], radius: float = 152, reach: float = 2.5,
                 gap: float = 38) -> None:
        self.rates = [float(rate) for rate in rates]
        self.spokes: list[tuple[Spoke, Spoke]] = []
        super().__init__(*(Plane(radius, reach) for _ in self.rates))
        self.arrange(RIGHT, buff=px(gap))

    def vectors(self, pairs: Pairs, role: str, width: float = 5, name: str = "") -> list[Spoke]:
        """A vector in each plane, to the point `pairs[i]`."""
        return [plane.spoke(pair, role, name, width, 40) for plane, pair in zip(self, pairs)]

    def point(self, query: Pairs, key: Pairs, width: float = 5, named: bool = False) -> list[Spoke]:
        """The vectors of q and k, plane by plane: from now on they can be turned."""
        self.spokes = list(zip(*(self.vectors(pairs, role, width, role * named)
                                 for role, pairs in (("q", query), ("k", key)))))
        return [spoke for both in self.spokes for spoke in both]

    def turn(self, query: float, key: float, arcs: Sequence[Arc] = ()) -> list[Turn]:
        """Animations: q and k move on by so many positions, each pair at its own speed.

        `arcs`: angles, one a plane, that turn along with q.
        """
        along = [[arc] for arc in arcs] or [[] for _ in self]
        return [turn for plane, (q, k), rest, rate in zip(self, self.spokes, along, self.rates)
                for spoke, by in ((q, query), (k, key), *((arc, query) for arc in rest))
                for turn in plane.turn(spoke, by=by * rate)]

    def angles(self, share: float = 0.5, role: str = "focus", width: float = 5) -> list[Arc]:
        """In every plane the angle from k to q."""
        return [plane.between(k, q, share, role, width)
                for plane, (q, k) in zip(self, self.spokes)]

    def trace(self, query: Pairs, key: Pairs, width: float, share: float) -> VGroup:
        """Pale copies of the turned vectors and of their angles, to be left behind."""
        return VGroup(*(spoke for pairs in (query, key)
                        for spoke in self.vectors(pairs, "muted", width)),
                      *self.angles(share, "muted", 3))

    def rule(self, notes: Sequence[str], left: float) -> VGroup:
        """The speed of pair i as a formula, and notes on it; beside the planes from `left`."""
        rule = VGroup(Formula("theta^(-2 i \\/ d)", 84), *(Label(note, NOTE) for note in notes))
        rule.arrange(DOWN, buff=px(32), aligned_edge=LEFT)
        return rule.move_to((left, self.get_y(), 0), LEFT)

    def speeds(self, names: Iterable[str], rates: Iterable[str]) -> tuple[VGroup, VGroup]:
        """Each plane's name over it, and its speed under it, as written in radians."""
        return (VGroup(*(number(name, NOTE).next_to(plane, UP, buff=px(22))
                         for plane, name in zip(self, names))),
                VGroup(*(number(f"{rate} rad", 32).next_to(plane, DOWN, buff=px(26))
                         for plane, rate in zip(self, rates))))

    def score(self, line: int, terms: Sequence[str], total: str, role: str, place: str,
              note: str, edges: tuple[float, float]) -> Iterator[list[Any]]:
        """Two movements: line `line` of a table below the planes, then the sum at its end.

        `terms`: each pair's share of the score, under its plane; `place` and `note` stand at the
        left, `total` at the right of `edges`, in manim units.
        """
        y = self.get_bottom()[1] - px(138 + 98 * line)
        head = number(place, 36, weight="semibold").move_to((edges[0], y, 0), LEFT)
        under = Label(note, SMALL).next_to(head, DOWN, buff=px(18)).align_to(head, LEFT)
        shares = [number(term, 36).move_to((plane.get_x(), y, 0))
                  for term, plane in zip(terms, self)]
        signs = VGroup(*(number("+", 36, "muted").move_to(((a.get_x() + b.get_x()) / 2, y, 0))
                         for a, b in pairwise(self)))
        yield [head, under, LaggedStart(*(FadeIn(share, target_position=plane)
                                          for share, plane in zip(shares, self)), lag_ratio=0.2),
               signs]
        written = number(total, 40, role, "bold").move_to((edges[1], y, 0), RIGHT)
        yield [FadeIn(written, target_position=shares[-1])]
