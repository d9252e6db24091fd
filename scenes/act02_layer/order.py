"""The way through the attention sub-layer, with recorded shapes."""

from itertools import pairwise

from manim import DOWN, LEFT, UP, Arrow, FadeIn

from scenes.kit import (
    BODY,
    NOTE,
    SMALL,
    STAGE,
    Label,
    Node,
    arrow,
    number,
    px,
    shape_text,
)
from scenes.stage import BRISK, EASY, QUICK, SLOW, Act, beat

__all__ = ["the_order"]

LANES = {"q": 210, "k": -10, "v": -230}  # px above the stage's middle


@beat(anchors="models/qwen3.py:77", steps=(1,), source="recorded", least={2: 50})
def the_order(act: Act) -> None:
    nodes = _nodes(act)
    norms, turns = ([nodes[f"{lane}_{key}"] for lane in "qk"] for key in ("norm", "RoPE"))
    project, attention = nodes["qkv_proj"], nodes["attention"]
    ways, sizes = _ways(nodes), _sizes(act, nodes)
    # One projection makes q, k and v, which are split into heads.
    row = number("x", 40, weight="semibold").next_to(project, LEFT, buff=px(60))
    sizes["hidden"].next_to(row, UP, buff=px(36)).align_to(STAGE.at(0, 0, LEFT), LEFT)
    act.move(row, sizes["hidden"], arrow(row, project, buff=10), pace=BRISK)
    act.move(project, sizes["qkv"])
    act.move((ways[key] for key in ("q1", "k1", "v1")),
             (FadeIn(sizes[lane], target_position=project) for lane in LANES), norms, attention,
             pace=SLOW)
    seen = Label(act.label("seen"), BODY, "muted").move_to(
        STAGE.at(795, LANES["v"] - 75, LEFT))
    act.move(sizes["axes"], seen, pace=BRISK)
    act.next_line()
    # q and k are normalised, then rotated; v is neither.
    _work(act, norms)
    act.move(turns, ways["q2"], ways["k2"], pace=EASY)
    _work(act, turns)
    still = Label(act.label("v_still"), BODY, "v").move_to(STAGE.at(880, LANES["v"] + 44, LEFT))
    act.move(still, pace=EASY)
    # All three meet in attention, and its heads are mixed.
    act.move(ways["q3"], ways["k3"])
    _work(act, [attention], ["muted"])
    act.move(nodes["o_proj"], ways["o"], sizes["attention"], sizes["output"], pace=EASY)


def _work(act: Act, nodes: list[Node], roles: str | list[str] = "qk") -> None:
    """The nodes light up together and calm down again."""
    act.move((node.light() for node in nodes), pace=BRISK)
    act.move((node.calm(role) for node, role in zip(nodes, roles)), pace=QUICK)


def _nodes(act: Act) -> dict[str, Node]:
    """Every stage; q and k have a norm and a rotation of their own."""
    tall, middle = 2 * (LANES["q"] - LANES["k"]) + 130, LANES["k"]
    nodes = {"qkv_proj": (250, middle, Node("qkv_proj", "", "muted", 190, tall, True, 30)),
             "attention": (1345, middle, Node(act.label("attention"), act.label("act_one"),
                                              "muted", 210, tall, size=30)),
             "o_proj": (1660, middle, Node("o_proj", "", "muted", 190, 130, True, 30))}
    for lane in "qk":
        for key, name, x in (("norm", f"{lane}_norm", 740), ("RoPE", "RoPE", 1020)):
            nodes[f"{lane}_{key}"] = x, LANES[lane], Node(name, "", lane, 190, 110, True, 30)
    return {key: node.move_to(STAGE.at(x, y, LEFT)) for key, (x, y, node) in nodes.items()}


def _ways(nodes: dict[str, Node]) -> dict[str, Arrow]:
    """Along every lane, numbered: out of the split, into the rotation, into attention."""
    ways = {"o": arrow(nodes["attention"], nodes["o_proj"], buff=8)}
    for lane, height in LANES.items():
        between = [nodes[f"{lane}_{key}"] for key in ("norm", "RoPE") if lane != "v"]
        y = STAGE.at(0, height)[1]
        for k, (a, b) in enumerate(pairwise([nodes["qkv_proj"], *between, nodes["attention"]])):
            ways[f"{lane}{k + 1}"] = arrow([a.get_right()[0], y, 0], [b.get_left()[0], y, 0],
                                           lane, 8, 4)
    return ways


def _sizes(act: Act, nodes: dict[str, Node]) -> dict[str, Label]:
    """Recorded shapes: above the lanes, and under the boxes that make them."""
    written = {key: shape_text(sizes) for key, sizes in act.story.path.items()}
    sizes = {lane: number(f"{lane} {written[lane]}", 28, lane).move_to(
        STAGE.at(495, y + 38, LEFT)) for lane, y in LANES.items()}
    for key, name in (("qkv", "qkv_proj"), ("attention", "attention"), ("output", "o_proj")):
        sizes[key] = number(f"→ {written[key]}", NOTE).next_to(nodes[name], DOWN, px(34))
    sizes["axes"] = Label(act.label("axes"), NOTE).next_to(sizes["q"], UP, px(30))
    sizes["axes"].align_to(sizes["q"], LEFT)
    sizes["hidden"] = number(written["hidden"], SMALL)
    return sizes
