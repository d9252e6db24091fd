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


PIECES = {
    "arrow-arc-node": _flow,
    "callout": lambda: kit.Callout("key: offers", "how can I be found?", "k"),
    "derivation": lambda: kit.Derivation([("x′ = x cos φ", "2 cos 1", "1.08"),
                                          ("y′ = x sin φ", "2 sin 1", "1.68")]),
    "formula": lambda: kit.Formula('op("softmax")(frac(Q K^T, sqrt(d))) V', 90),
    "frame": _frame,
    "hatch": lambda: kit.Hatch(6, 3),
    "legend": lambda: kit.Legend([(kit.Hatch(0.6, 0.5), "hidden"), (kit.Label("d"), "width")]),
    "remember": lambda: kit.Remember(["Requests join at every step.", "预填充优先。"]),
    "spans": lambda: kit.Spans([("[", "ink"), ("1, ", "muted"), ("3, 4]", "focus")], 60),
    "text": lambda: VGroup(kit.Label("Queue Qgj fi 0.25", 80), kit.number("[1, 3, 4] -> Q", 70),
                           kit.Label("分块预填充：“先算 6 个”", 80, "q")).arrange(DOWN, buff=0.6),
    "title-card": lambda: kit.TitleCard("Act 04", "Who runs next, and how far?", "下一步轮到谁？"),
}
