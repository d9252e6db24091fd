"""Golden pieces of kit and views: tensor."""

import numpy as np
from manim import DOWN, RIGHT, VGroup
from manim.animation.animation import prepare_animation

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
    return VGroup(pairs, *vectors, *pairs.angles(), *pairs.speeds(["0, 2", "1, 3"], ["1", "0.5"]),
                  pairs.rule(["θ = 16"], pairs.get_left()[0] - 3))


def _named_rows():
    rows = [kit.Row("x", ["1", "3"], "q"), kit.Row("x²", ["1", "9"]), kit.Row("y", ["2", "4"], "d")]
    named = kit.NamedRows(rows, (150, 84), 40)
    return VGroup(named, named.effect(1, (0, 1, 2), "amplify"))


def _projection():
    piece = kit.Projection("o_proj", "mixes the heads", [kit.Part(2048, "q", "2048", 4)],
                           [kit.Part(1024, "ink", "1024")], 0.2, note="as wide as the token")
    return VGroup(piece, *(move.mobject for move in piece.compare(512, "too narrow")))


def _attention_flow():
    shapes = {"hidden": (7, 8), "qkv": (7, 32), "q": (7, 4, 4), "k": (7, 2, 4), "v": (7, 2, 4),
              "attention": (7, 16), "output": (7, 8)}
    return kit.AttentionFlow(shapes, ("attention", "act 01"), "[tokens, heads, head_dim]")


def _stations():
    return kit.Stations([kit.Station("ids", (3,), "qqk", 44),
                         kit.Station("embedding", (3, 8), "qqk"),
                         kit.Station("logits", (2, 99), "qk", 270)], (0, 0, 0))


def _masked_scores():
    scores = kit.MaskedScores([[1, 4, 0], [2, 2, 1], [0, 3, 5]], np.tri(3, dtype=bool))
    return VGroup(scores, kit.query_key_axes(scores.grid, scores.grid))


def _reading_strip():
    return VGroup(*(kit.ReadingStrip(["2", "0", "4", "?"], 1, causal)
                    for causal in (True, False))).arrange(DOWN, buff=0.6)


def _weight_arcs():
    tokens = kit.Grid([["a", "b", "c"]], "ink", (150, 110), 52).arrange(RIGHT, buff=1.8)
    return VGroup(tokens, kit.weight_arcs(tokens, [0.1, 0.3, 0.6]))


def _trail():
    trail = kit.Trail([kit.Waypoint("X", (3, 4), "ink"), kit.Waypoint("Q", (3, 4), "q"),
                       kit.Waypoint("K", (3, 2), "k", False)])
    done = [trail.take("Q", kit.Grid([[""] * 4] * 3, "q").boxes)]
    for move in done:
        move.begin()
        move.finish()
    return trail


def _turn():
    source, target = kit.Grid([[1, 2], [3, 4], [5, 6]], "k"), kit.Grid([[1, 3, 5], [2, 4, 6]], "k")
    target.next_to(source, RIGHT, buff=2.4)
    turns = [kit.Turn(source, target, stays=True) for _ in range(2)]
    for turn, share in zip(turns, (0.35, 0.85)):
        turn.begin()
        turn.interpolate_mobject(share)
    return VGroup(source, *(turn.mobject for turn in turns))


def _stream():
    stream = kit.Stream([kit.Box("norm", "norm", 160, "muted", True),
                         kit.Box("attention", "attention", 400, "q", False, True)])
    for move in stream.look("attention"):
        move = prepare_animation(move)
        move.begin()
        move.finish()
    return stream


PIECES = {
    "attention-flow": _attention_flow,
    "cache-row": lambda: kit.CacheRow("GQA", ["grouped-query", "K/V heads: 2"], [0, 0, 1, 1], 56,
                                      10, "56 KiB", "room for 2,000 tokens"),
    "caption": lambda: VGroup(x := kit.Grid([[1, 2]]), kit.caption(x, "X [1, 2]", kit.SHAPE)),
    "contraction": lambda: kit.Contraction(3, 4, 8, 60),
    "corner": _corner,
    "grid": lambda: kit.Grid([[1, 0, -2], [0, 1, 3]], ["q", "k", "v"], (150, 120), 60),
    "head-tree": lambda: kit.HeadTree([0, 0, 1, 1]),
    "stream": _stream,
    "layer-stack": lambda: kit.LayerStack(6, 1),
    "masked-scores": _masked_scores,
    "named-rows": _named_rows,
    "paired-head": lambda: VGroup(head := kit.PairedHead(list("1234"), "q"), head.places(),
                                  head.rings(0), *(a.mobject for a in head.links().animations)),
    "plane": _plane,
    "product-line": lambda: kit.ProductLine([("0", "1"), ("2", "1")], "2", 80, ("q", "k")),
    "projection": _projection,
    "reading-strip": _reading_strip,
    "rotary-pairs": _rotary,
    "scale": _scale,
    "stations": _stations,
    "trail": _trail,
    "turn": _turn,
    "weight-arcs": _weight_arcs,
    "weight-grid": lambda: kit.weight_grid([["1.00", "0"], ["0.38", "0.62"]],
                                           np.array([[1, 0], [0.38, 0.62]]), (150, 100), 44),
}
