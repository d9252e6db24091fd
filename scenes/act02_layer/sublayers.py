"""Act 02, second part: the two sub-layers, RMSNorm, and the order inside attention."""

from itertools import pairwise

from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    AnimationGroup,
    Circle,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    VGroup,
    VMobject,
)

from scenes.act02_path import Path
from scenes.act02_story import shape
from scenes.kit import STAGE, Formula, Grid, Label, Node, arrow, gather, number, paint, px, ring
from scenes.lessons.rounding import shown, significant, text
from scenes.stage import beat

__all__ = ["Inside", "arrive"]


def arrive(sources, target) -> LaggedStart:
    """Animation: copies of `sources` travel to `target`, which appears when they are almost gone.

    Digits on their way never stand on top of those that they become.
    """
    return LaggedStart(AnimationGroup(*(FadeOut(source.copy(), target_position=target, scale=0.7)
                                        for source in sources)), FadeIn(target), lag_ratio=0.7)


class Inside(Path):
    @beat(38, 32, 34, anchors=("models/qwen3.py:146", "layers/layernorm.py:29"))
    def the_residual(self):
        y = STAGE.center[1] - px(180)
        stream = arrow([STAGE.left + px(90), y, 0], [STAGE.right, y, 0], "ink", 0, 6)
        first = self._branch(STAGE.left + px(120), y, "attention", "q", "a")
        second = self._branch(STAGE.left + px(710), y, "mlp", "d", "m")
        sums = [number(t, 36, "ink", "semibold") for t in ("x", "x + a", "x + a + m")]
        for value, x in zip(sums, (30, 560, 1150)):
            value.move_to([STAGE.left + px(x), y, 0], LEFT).shift(
                DOWN * px(50) if x > 30 else UP * 0)
        self.move(12, FadeIn(stream), FadeIn(sums[0]))
        self._add(first, sums[0], sums[1])
        self.next_line()
        self._add(second, sums[1], sums[2])
        self.next_line()
        ghost = Node("RMSNorm", "", "muted", 220, 100, mono=True, size=28)
        ghost.move_to([STAGE.left + px(1300), first[0].get_y(), 0], LEFT)
        later = Label(self.label("next_layer"), 30, "muted").next_to(ghost, UP, buff=px(100))
        rise = arrow([ghost.get_x(), y, 0], ghost.get_bottom(), "muted")
        self.move(15, FadeIn(ghost), FadeIn(later), FadeIn(rise))
        self._fuse((first, second), (second[0], ghost), sums[1:])

    def _fuse(self, branches, norms, sums):
        """Each sum moves to just before the next norm, and both become one box."""
        detours = [self._detour(branch, norm) for branch, norm in zip(branches, norms)]
        self.move(12, *(FadeOut(branch[2][2]) for branch in branches))
        self.move(24, *(branch[3].animate.shift(RIGHT * (norm.get_x() - branch[3][0].get_x()))
                        for branch, norm in zip(branches, norms)),
                  *map(Create, (path for path, _ in detours)),
                  *(value.animate.set_x(STAGE.left + px(x), LEFT)
                    for value, x in zip(sums, (970, 1572))))
        self.move(6, *(FadeIn(tip) for _, tip in detours))
        fused = VGroup(*(ring(VGroup(branch[3][0], norm), "focus", 4, 22)
                         for branch, norm in zip(branches, norms)))
        names = VGroup(*(Label(self.label("fused"), 30, "focus").next_to(box, UP, buff=px(22))
                         for box in fused))
        self.move(12, FadeIn(fused), FadeIn(names))

    @staticmethod
    def _detour(branch, norm):
        """The way of a result to a sum that is done later: beside the stream, and its tip."""
        _, work, _, plus, value = branch
        y, x, bend = plus[0].get_y(), norm.get_x(), px(92)
        path = VMobject(stroke_width=3, stroke_color=value.get_color()).set_points_as_corners([
            work.get_bottom() + DOWN * px(12), [work.get_x(), y + bend, 0],
            [x - bend, y + bend, 0], [x - px(50), y + px(50), 0]])
        tip = arrow([x - bend, y + bend, 0], [x - px(23), y + px(23), 0], value.role, 0)
        return path, tip

    def _branch(self, x, y, key, role, result):
        """norm, sub-layer, the ways up and down, the sum on the stream, and the result's name."""
        norm = Node("RMSNorm", "", "muted", 220, 100, mono=True, size=28)
        work = Node(self.label(key), "", role, 230, 100)
        VGroup(norm, work).arrange(RIGHT, buff=px(56)).move_to([x, y + px(340), 0], LEFT)
        circle = Circle(px(30), stroke_width=4, color=paint(role), fill_opacity=1,
                        fill_color=paint("ground")).move_to([work.get_x(), y, 0])
        enter = arrow(circle.get_left() + LEFT * px(40), circle.get_left(), "ink", 0, 6)
        plus = VGroup(circle, number("+", 40, role, "bold").move_to(circle), enter).set_z_index(1)
        plus[1].set_z_index(2)
        ways = VGroup(arrow([norm.get_x(), y, 0], norm.get_bottom(), "muted"), arrow(norm, work),
                      arrow(work.get_bottom(), circle.get_top(), role, 8))
        value = number(result, 36, role, "semibold").next_to(ways[2], RIGHT, buff=px(18))
        return norm, work, ways, plus, value

    def _add(self, branch, x, total):
        norm, work, ways, plus, value = branch
        chip = x.copy()
        self.move(15, FadeIn(norm), FadeIn(work), FadeIn(ways), FadeIn(plus))
        self.move(18, chip.animate.next_to(ways[0], LEFT, buff=px(18)))
        self.move(12, chip.animate.move_to(norm.get_top() + UP * px(36)), norm.light())
        self.move(12, norm.calm(), work.light(), FadeOut(chip, target_position=work))
        self.move(15, work.calm(), FadeIn(value, target_position=work))
        self.move(15, arrive([x, value], total))

    @beat(36, 36, anchors="layers/layernorm.py:23")
    def rms_norm(self):
        n = self.story.norm
        rows = {"x": [text(shown(v, 0)) for v in n.x],
                "squares": [text(shown(v, 0)) for v in n.squares],
                "normalised": [text(shown(v)) for v in n.normalised],
                "weight": [text(shown(v, 1)) for v in n.weight],
                "output": [text(shown(v)) for v in n.output]}
        roles = {"x": "q", "output": "focus", "weight": "d"}
        grids = {key: Grid([row], roles.get(key, "ink"), (150, 84), 40)
                 for key, row in rows.items()}
        VGroup(*grids.values()).arrange(DOWN, buff=px(58)).move_to(
            [STAGE.left + px(250), STAGE.center[1], 0], LEFT)
        tags = {key: Label(self.label("norm_" + key), 34, roles.get(key, "muted"))
                .next_to(grid, LEFT, buff=px(30)) for key, grid in grids.items()}
        mean = Label(self.label("mean"), 42)
        root = VGroup(Label(self.label("root"), 46, "focus"),
                      number(significant(n.root), 48, "focus", "semibold")).arrange(
            RIGHT, buff=px(24))
        mean.next_to(grids["squares"], RIGHT, buff=px(80))
        root.next_to(grids["normalised"], RIGHT, buff=px(80))
        formula = Formula("y_i = x_i / sqrt(1/n sum_j x_j^2 + epsilon) dot w_i", 72)
        formula.next_to(grids["weight"], RIGHT, buff=px(80)).shift(DOWN * px(60))
        guard = Label(self.label("epsilon"), 32, "muted").next_to(formula, DOWN, buff=px(44))
        guard.align_to(formula, LEFT)
        self.move(12, FadeIn(grids["x"]), FadeIn(tags["x"]))
        self._row(grids, tags, ["x"], "squares")
        self.move(24, gather(grids["squares"].labels, mean))
        self.move(18, gather([mean], root))
        self.next_line()
        self.move(24, FadeIn(grids["normalised"].boxes), FadeIn(tags["normalised"]),
                  *(arrive([a, root[1]], b) for a, b in zip(grids["x"].labels,
                                                         grids["normalised"].labels)))
        self.move(15, FadeIn(grids["weight"], shift=UP * px(16)), FadeIn(tags["weight"]))
        self._row(grids, tags, ["normalised", "weight"], "output")
        self.move(18, FadeIn(formula, shift=UP * px(12)), FadeIn(guard))

    def _row(self, grids, tags, sources, key):
        """The numbers of one or two rows travel down and become the next row."""
        columns = zip(*(grids[source].labels for source in sources))
        self.move(24, FadeIn(grids[key].boxes), FadeIn(tags[key]), *(
            arrive(column, label) for column, label in zip(columns, grids[key].labels)))

    @beat(36, 50, anchors="models/qwen3.py:77", steps=(1,),
          source=lambda story: story.recorded)
    def the_order(self):
        lanes = {lane: STAGE.center[1] + px(210 - 220 * k) for k, lane in enumerate("qkv")}
        nodes = self._nodes(lanes)
        ways = self._ways(nodes, lanes)
        sizes = self._sizes(nodes, lanes)
        row = number("x", 40, "ink", "semibold").next_to(nodes["qkv_proj"], LEFT, buff=px(60))
        enter = arrow(row, nodes["qkv_proj"], buff=10)
        sizes["hidden"] = number(shape(self.story.path["hidden"]), 26, "muted").next_to(
            row, UP, buff=px(36)).align_to([STAGE.left, 0, 0], LEFT)
        self.move(12, FadeIn(row), FadeIn(sizes["hidden"]), FadeIn(enter))
        self.move(15, FadeIn(nodes["qkv_proj"]), FadeIn(sizes["qkv"]))
        self.move(24, *(FadeIn(ways[lane, 1]) for lane in "qk"), FadeIn(ways["v", 3]), *(
            FadeIn(sizes[lane], target_position=nodes["qkv_proj"]) for lane in lanes),
            *(FadeIn(nodes[f"{lane}_norm"]) for lane in "qk"), FadeIn(nodes["attention"]))
        seen = Label(self.label("seen"), 30, "muted").move_to(
            [STAGE.left + px(795), lanes["v"] - px(75), 0])
        self.move(12, FadeIn(sizes["axes"]), FadeIn(seen))
        self.next_line()
        for key in ("norm", "RoPE"):
            pair = [nodes[f"{lane}_{key}"] for lane in "qk"]
            if key == "RoPE":
                self.move(18, *map(FadeIn, pair), *(FadeIn(ways[lane, 2]) for lane in "qk"))
            self.move(12, *(node.light() for node in pair))
            self.move(9, *(node.calm(lane) for node, lane in zip(pair, "qk")))
        still = Label(self.label("v_still"), 30, "v").move_to(
            [nodes["k_RoPE"].get_x() * 0.5 + nodes["k_norm"].get_x() * 0.5,
             lanes["v"] + px(44), 0])
        self.move(18, FadeIn(still))
        self.move(15, *(FadeIn(ways[lane, 3]) for lane in "qk"))
        self.move(12, nodes["attention"].light())
        self.move(9, nodes["attention"].calm())
        self.move(18, FadeIn(nodes["o_proj"]), FadeIn(ways["o"]), FadeIn(sizes["attention"]),
                  FadeIn(sizes["output"]))

    def _nodes(self, lanes) -> dict:
        """Node of every stage; q and k have a norm and a rotation of their own."""
        middle, tall = lanes["k"], 2 * (lanes["q"] - lanes["k"]) * 135 + 130
        place = {"qkv_proj": (250, middle, 190), "attention": (1345, middle, 210),
                 "o_proj": (1660, middle, 190)}
        nodes = {}
        for key, (x, y, width) in place.items():
            height = 130 if key == "o_proj" else tall
            name = self.label(key) if key == "attention" else key
            note = self.label("act_one") if key == "attention" else ""
            nodes[key] = Node(name, note, "muted", width, height, mono=key != "attention", size=30)
            nodes[key].move_to([STAGE.left + px(x), y, 0])
        for lane in "qk":
            for key, x, width in ((f"{lane}_norm", 740, 190), (f"{lane}_RoPE", 1020, 190)):
                node = Node(key.split("_")[1] if "RoPE" in key else key, "", lane, width, 110,
                            mono=True, size=30)
                nodes[key] = node.move_to([STAGE.left + px(x), lanes[lane], 0])
        return nodes

    def _ways(self, nodes, lanes) -> dict:
        """(lane, column) -> arrow: out of the split, into the norm, the rotation, attention."""
        ways = {}
        start, end = nodes["qkv_proj"].get_right(), nodes["attention"].get_left()
        for lane, y in lanes.items():
            stages = [nodes[f"{lane}_{key}"] for key in ("norm", "RoPE") if lane != "v"]
            stops = [start, *stages, end]
            for k, (a, b) in enumerate(pairwise(stops)):
                column = 3 if k == len(stops) - 2 else k + 1
                left = a.get_right() if isinstance(a, Node) else a
                right = b.get_left() if isinstance(b, Node) else b
                ways[lane, column] = arrow([left[0], y, 0], [right[0], y, 0], lane, 8, 4)
        ways["o"] = arrow(nodes["attention"], nodes["o_proj"], buff=8)
        return ways

    def _sizes(self, nodes, lanes) -> dict:
        """Shapes along the way, above the lanes and under the boxes."""
        path, under = self.story.path, px(34)
        sizes = {lane: number(f"{lane} {shape(path[lane])}", 28, lane).move_to(
            [STAGE.left + px(495), y + px(38), 0]) for lane, y in lanes.items()}
        for key, node, side in (("qkv", "qkv_proj", DOWN), ("attention", "attention", DOWN),
                                ("output", "o_proj", DOWN)):
            sizes[key] = number(f"→ {shape(path[key])}", 28, "muted").next_to(
                nodes[node], side, under)
        sizes["axes"] = Label(self.label("axes"), 28, "muted").next_to(sizes["q"], UP, px(30))
        sizes["axes"].align_to(sizes["q"], LEFT)
        return sizes
