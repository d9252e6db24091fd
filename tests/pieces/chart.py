"""Golden pieces of kit and views: chart."""

import numpy as np
from manim import VGroup
from manim.animation.animation import prepare_animation

from scenes import kit
from scenes.geometry import STAGE


def _packing():
    tokens = [("A", k) for k in range(9)] + [("B", k) for k in range(3)]
    packing = kit.Packing(kit.Shelf(-4, -1, 110, 104, 70), tokens, {"A": 8, "B": 2},
                          {"A": "ra", "B": "rb"})
    moves = [*packing.furnish(3, 5, "budget 5"), packing.to([tokens[:5], tokens[5:8],
                                                             [tokens[8], *tokens[9:]]])]
    for animation in map(prepare_animation, moves):
        animation.begin()
        animation.finish()
    return VGroup(packing, packing.empty([1, 0, 0], 50), packing.pauses([(), ("B",), ()], 50))


def _grouped():
    chart = kit.GroupedBars(["a", "b"], ("q", "focus", "v"), 1)
    for bars, values in zip(chart.series, ([0.7, 0.3], [0.6, 0.4], [0.75, 0.25])):
        for animation in map(prepare_animation, bars.to(values)):
            animation.begin()
            animation.finish()
    return chart


def _area():
    xs = np.linspace(0, 6, 40)
    return kit.Area(xs, 3 * np.exp(-xs / 2), 0)


def _sum_bar():
    bar = kit.SumBar(STAGE, 0, 10, "score")
    bar.bar.become(bar._bar(-6.5))
    return bar


PIECES = {
    "area": _area,
    "bars": lambda: kit.Bars(["a", "b"], [3, 1], ["0.75", "0.25"], ["q", "k"], length=400),
    "curve": lambda: kit.Curve(lambda x: x / (1 + np.exp(-x)), -4, 3, STAGE),
    "dial": lambda: kit.Dial((0, 0.5, 1, 1.5), 2, 0.5, "T = 0.5"),
    "grouped-bars": _grouped,
    "histogram": lambda: VGroup(h := kit.Histogram(np.array([1, 3, 4, 2]) / 20, 8, 40, 900,
                                                   (-8, 0, 8)), h.pin("a", 3, 90)),
    "packing": _packing,
    "race": lambda: kit.Race(["a", "b"], [1.2, 3.5], 3, ["q", "k"], length=500),
    "signed-bars": lambda: kit.SignedBars([3, -1.5], ["3", "−1.5"], [-1.5, 1.5], -0.5, 120, "e"),
    "split-bars": lambda: kit.SplitBars(["prefill", "decode"], [28, 9.2],
                                        [[(0.1, 2.0), (0.6, 6.4)], [(0.5, 3.2)]],
                                        ["28.0 ms", "9.2 ms"], 700, pitch=150),
    "sum-bar": _sum_bar,
}
