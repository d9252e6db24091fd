"""The way through an attention sub-layer, with the shapes along it."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from manim import DOWN, LEFT, ORIGIN, RIGHT, UP, Arrow, FadeIn, VectorizedPoint, VGroup

from scenes.geometry import px
from scenes.kit.base.flow import Node, arrow
from scenes.kit.base.text import NOTE, SMALL, Label, number, shape_text

__all__ = ["AttentionFlow"]

_LANES = {"q": 0, "k": 1, "v": 2}  # from above
_WIDE, _TALL = 190, 110  # px of a box on a lane


class AttentionFlow(VGroup):
    """x → qkv_proj → split → norm and rotation of q and k → attention → o_proj.

    `shapes`: of hidden, qkv, q, k, v, attention and output. `attention`: heading and note of its
    box; `axes` names the axes of the split tensors. The middle of the left edge is the origin:
    shift the whole. `lane`: px from lane to lane. Parts: `nodes`, `ways`, `sizes` by name;
    `norms` and `turns`, of q and k.
    """

    def __init__(self, shapes: Mapping[str, Sequence[int]], attention: tuple[str, str],
                 axes: str, lane: float = 220) -> None:
        self._lane = lane
        self._origin = VectorizedPoint(ORIGIN)
        self.nodes = self._nodes(*attention)
        self.norms, self.turns = ([self.nodes[f"{lane}_{key}"] for lane in "qk"]
                                  for key in ("norm", "RoPE"))
        self.ways = self._ways()
        self.x = number("y", 40, weight="semibold").next_to(
            self.nodes["qkv_proj"], LEFT, buff=px(60))
        self.sizes = self._sizes({key: shape_text(sizes) for key, sizes in shapes.items()}, axes)
        self.ways["x"] = arrow(self.x, self.nodes["qkv_proj"], buff=10)
        super().__init__(self._origin, self.x, *self.nodes.values(), *self.ways.values(),
                         *self.sizes.values())

    def lane(self, name: str, x: float = 0, lift: float = 0) -> Any:
        """A point on the lane of q, k or v: x px from the left edge, `lift` px above the lane."""
        above = self._lane * (1 - _LANES[name]) - 10 + lift
        return self._origin.get_center() + [px(x), px(above), 0]

    def _nodes(self, heading: str, note: str) -> dict[str, Node]:
        tall = 2 * self._lane + 130
        nodes = {"qkv_proj": Node("qkv_proj", "", "muted", _WIDE, tall, mono=True, size=30)
                 .move_to(self.lane("k", 250)),
                 "attention": Node(heading, note, "muted", 210, tall, size=30)
                 .move_to(self.lane("k", 1345)),
                 "o_proj": Node("o_proj", "", "muted", _WIDE, 130, mono=True, size=30)
                 .move_to(self.lane("k", 1660))}
        for lane in "qk":
            for key, name, x in (("norm", f"{lane}_norm", 740), ("RoPE", "RoPE", 1020)):
                node = Node(name, "", lane, _WIDE, _TALL, mono=True, size=30)
                nodes[f"{lane}_{key}"] = node.move_to(self.lane(lane, x))
        return nodes

    def _ways(self) -> dict[str, Arrow]:
        """Along every lane, numbered: out of the split, into the rotation, into attention."""
        first, last = self.nodes["qkv_proj"], self.nodes["attention"]
        ways = {"o": arrow(last, self.nodes["o_proj"], buff=8)}
        for lane in _LANES:
            y = self.lane(lane)[1]
            between = [self.nodes[f"{lane}_{key}"] for key in ("norm", "RoPE") if lane != "v"]
            for k, (a, b) in enumerate(pairwise([first, *between, last])):
                ways[f"{lane}{k + 1}"] = arrow((a.get_right()[0], y, 0), (b.get_left()[0], y, 0),
                                               lane, 8, 4)
        return ways

    def _sizes(self, written: Mapping[str, str], axes: str) -> dict[str, Label]:
        """Shapes above the lanes, and under the boxes that make them."""
        sizes = {lane: number(f"{lane} {written[lane]}", 28, lane)
                 .move_to(self.lane(lane, 495, 38)) for lane in _LANES}
        for key, node in (("qkv", "qkv_proj"), ("attention", "attention"), ("output", "o_proj")):
            sizes[key] = number(f"→ {written[key]}", NOTE).next_to(self.nodes[node], DOWN, px(34))
        sizes["axes"] = Label(axes, NOTE).next_to(sizes["q"], UP, px(30))
        sizes["axes"].align_to(sizes["q"], LEFT)
        sizes["hidden"] = number(written["hidden"], SMALL).next_to(self.x, UP, buff=px(36))
        sizes["hidden"].align_to(self._origin, LEFT)
        return sizes

    def enter(self) -> list[Any]:
        """The batch before the projection."""
        return [self.x, self.sizes["hidden"], self.ways["x"]]

    def project(self) -> list[Any]:
        return [self.nodes["qkv_proj"], self.sizes["qkv"]]

    def split(self) -> list[Any]:
        """q, k and v come out of the projection, up to the norms, v up to attention."""
        return [*(self.ways[key] for key in ("q1", "k1", "v1")),
                *(FadeIn(self.sizes[lane], shift=RIGHT * px(24)) for lane in _LANES),
                *self.norms, self.nodes["attention"]]

    def turn(self) -> list[Any]:
        """The rotations, and the ways into them."""
        return [*self.turns, self.ways["q2"], self.ways["k2"]]

    def meet(self) -> list[Any]:
        """The ways of q and k into attention."""
        return [self.ways["q3"], self.ways["k3"]]

    def merge(self) -> list[Any]:
        """The heads are mixed back into rows."""
        return [self.nodes["o_proj"], self.ways["o"], self.sizes["attention"],
                self.sizes["output"]]
