"""Golden pieces of kit and views: base."""

from manim import DOWN, RIGHT, VGroup

from scenes import kit
from scenes.kit.base.theme import current


def _frame():
    frame = kit.Frame(current().name, "Act 04 · The scheduler")
    frame.turn("Only the first request may be cut", "SCALED-DOWN · sched-b6", "engine/x.py:1@b")
    return VGroup(*frame.shown)


def _flow():
    nodes = [kit.Node("schedule", "Who goes on?", "q"), kit.Node("run", "", "k", mono=True)]
    row = VGroup(*nodes).arrange(RIGHT, buff=2)
    return VGroup(row, kit.arrow(*nodes), kit.arc(nodes[1].get_top(), nodes[0].get_top(), 0.5))


def _bracket():
    cells = kit.TokenStrip(6, "cccccc", "ra", 90)
    return VGroup(cells, kit.Bracket(cells, "known: 6"), kit.Bracket(cells[:4], "cached: 4", DOWN))


PIECES = {
    "arrow-arc-node": _flow,
    "bracket": _bracket,
    "formula": lambda: kit.Formula('op("softmax")(frac(Q K^T, sqrt(d))) V', 90),
    "frame": _frame,
    "hatch": lambda: kit.Hatch(6, 3),
    "remember": lambda: kit.Remember(["Requests join at every step.", "预填充优先。"]),
    "text": lambda: VGroup(kit.Label("Queue Qgj fi 0.25", 80), kit.number("[1, 3, 4] -> Q", 70),
                           kit.Label("分块预填充：“先算 6 个”", 80, "q")).arrange(DOWN, buff=0.6),
    "title-card": lambda: kit.TitleCard("Act 04", "Who runs next, and how far?", "下一步轮到谁？"),
}
