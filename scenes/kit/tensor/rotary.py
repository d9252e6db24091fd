"""Rotary position embedding of a whole head: a plane for every pair, each at its own speed."""

from collections.abc import Sequence

from manim import RIGHT, Arc, VGroup

from scenes.geometry import px
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
