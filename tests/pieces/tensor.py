"""Golden pieces of kit and views: tensor."""

import numpy as np
from manim import RIGHT, VGroup

from scenes import kit


def _corner():
    return kit.Corner(kit.Grid([[1, 2]], "q"), kit.Grid([[3], [4]], "k"), kit.Grid([[11]], "v"))


def _plane():
    plane = kit.Plane()
    return VGroup(plane, plane.spoke((2, 1), "q", "q"), plane.spoke((-1, 2), "k", "k"))


def _scale():
    parts = [kit.Part(8, "k", "K", 4), kit.Part(2, "v", "V")]
    return kit.ScaleBar(parts, 60)


def _rotary():
    pairs = kit.RotaryPairs([1, 0.5])
    vectors = pairs.point([(1, 2), (2, 1)], [(-1, 1), (1, 1)])
    return VGroup(pairs, *vectors, *pairs.angles())


def _projection():
    piece = kit.Projection("o_proj", "mixes the heads", [kit.Part(2048, "q", "2048", 4)],
                           [kit.Part(1024, "ink", "1024")], 0.2, note="as wide as the token")
    return VGroup(piece, *(move.mobject for move in piece.compare(512, "too narrow")))


def _reading_arcs():
    tokens = kit.Grid([["a", "b", "c"]], "ink", (150, 110), 52).arrange(RIGHT, buff=1.8)
    return VGroup(tokens, *(kit.reading_arc(tokens, source, 1, 0.4, role)
                            for source, role in enumerate(("q", "d", "stop"))))


def _weight_arcs():
    tokens = kit.Grid([["a", "b", "c"]], "ink", (150, 110), 52).arrange(RIGHT, buff=1.8)
    return VGroup(tokens, kit.weight_arcs(tokens, [0.1, 0.3, 0.6]))


def _turn():
    source, target = kit.Grid([[1, 2], [3, 4], [5, 6]], "k"), kit.Grid([[1, 3, 5], [2, 4, 6]], "k")
    target.next_to(source, RIGHT, buff=2.4)
    turns = [kit.Turn(source, target, stays=True) for _ in range(2)]
    for turn, share in zip(turns, (0.35, 0.85)):
        turn.begin()
        turn.interpolate_mobject(share)
    return VGroup(source, *(turn.mobject for turn in turns))


PIECES = {
    "caption": lambda: VGroup(x := kit.Grid([[1, 2]]), kit.caption(x, "X [1, 2]", kit.SHAPE)),
    "corner": _corner,
    "grid": lambda: kit.Grid([[1, 0, -2], [0, 1, 3]], ["q", "k", "v"], (150, 120), 60),
    "head-tree": lambda: kit.HeadTree([0, 0, 1, 1]),
    "kv-wall": lambda: kit.KvWall(4, 12, (90, 40), (0, 2.4, 0)),
    "layer-stack": lambda: kit.LayerStack(6, 1),
    "plane": _plane,
    "product-line": lambda: kit.ProductLine([("0", "1"), ("2", "1")], "2", 80, ("q", "k")),
    "projection": _projection,
    "raised": lambda: kit.raised("e", "x", 160),
    "reading-arcs": _reading_arcs,
    "road": lambda: kit.Road([kit.Detour(300, 1400, [("norm", 560, 300)])], kit.STAGE, 160),
    "rotary-pairs": _rotary,
    "scale": _scale,
    "token": lambda: VGroup(kit.token("cat", 200), kit.token("猫", 120, "q")).arrange(RIGHT),
    "turn": _turn,
    "weight-arcs": _weight_arcs,
    "weight-grid": lambda: kit.weight_grid([["1.00", "0"], ["0.38", "0.62"]],
                                           np.array([[1, 0], [0.38, 0.62]]), (150, 100), 44),
}
