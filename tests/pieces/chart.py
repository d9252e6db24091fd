"""Golden pieces of kit and views: chart."""

import numpy as np
from manim.animation.animation import prepare_animation

from scenes import kit
from scenes.geometry import STAGE


def _timeline():
    cells = [[kit.Cell("work", "q", "6"), kit.Cell("stall", "q"), kit.Cell("idle")],
             [kit.Cell("wait", "k"), kit.Cell("work", "k", "5"), kit.Cell("work", "k")]]
    return kit.Timeline([("A", "q"), ("B", "k")], cells, ["prefill", "prefill", "decode"], 120, 90)


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


PIECES = {
    "split-bars": lambda: kit.SplitBars(["prefill", "decode"], [28, 2.3], [1.7, 1.6],
                                        ["28.0 ms", "2.3 ms"], 700),
    "area": _area,
    "histogram": lambda: kit.Histogram(np.array([1, 3, 4, 2]) / 20, 8, 40, 900, (-8, 0, 8)),
    "bars": lambda: kit.Bars(["a", "b"], [3, 1], ["0.75", "0.25"], ["q", "k"], length=400),
    "curve": lambda: kit.Curve(lambda x: x / (1 + np.exp(-x)), -4, 3, STAGE),
    "dial": lambda: kit.Dial((0, 0.5, 1, 1.5), 2, 0.5, "T = 0.5"),
    "factor-chain": lambda: kit.FactorChain(["K and V", "layers", "heads"], [2, 28, 8],
                                            ["ink", "d", "k"], "B"),
    "grouped-bars": _grouped,
    "key": lambda: kit.Key([(kit.Cell("idle"), "idle slot"), (kit.Cell("work", "q", "6"), "now")]),
    "race": lambda: kit.Race(["a", "b"], [1.2, 3.5], 3, ["q", "k"], length=500),
    "timeline": _timeline,
    "token-stacks": lambda: kit.TokenStacks(
        [("prefill", [("ra", 6)]), ("prefill", [("ra", 5)]), ("decode", [("ra", 1), ("rb", 1)])],
        6, 80, 30),
}
